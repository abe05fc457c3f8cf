"""Words on standard input, one a line; the best split that compound-split gives, as `score TAB letters of the head`."""

import sys

from compound_split.char_split import split_compound

for line in sys.stdin:
    score, _, head = split_compound(line.rstrip("\n"))[0]
    print(f"{score}\t{len(head)}")
