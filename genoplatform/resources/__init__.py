"""Resources: everything that touches the outside world (network, processes, devices, the store on disk)."""
