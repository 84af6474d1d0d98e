"""The agentic workflow: planner, retriever, critic, synthesizer over typed state, cells made of them, grounding."""
