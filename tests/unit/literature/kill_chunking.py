"""Child of test_chunking: chunks a package and says so before every row group, so that it can be killed there.

python kill_chunking.py SOURCE TOKENIZER FOLDER SHARD_ROWS ROW_GROUP
"""

import sys
import time
from pathlib import Path

from corpora import chunk

from genoplatform.literature import chunking

make_table = chunking._table


def announced(rows):
    sys.stdout.write("writing\n")
    sys.stdout.flush()
    time.sleep(0.02)
    return make_table(rows)


if __name__ == "__main__":
    chunking._table = announced
    chunking.ROW_GROUP = int(sys.argv[5])
    chunk(Path(sys.argv[1]), Path(sys.argv[2]), Path(sys.argv[3]), int(sys.argv[4]))
    sys.stdout.write("done\n")
