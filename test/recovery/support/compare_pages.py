#!/usr/bin/env python3
"""compare_pages.py FILE OTHER: whether two copies of an index have the same pages.

What replay need not reproduce does not count: the checksum, and the bytes between pd_lower and
pd_upper. Pages at the end of one file count as zero in the other, because extending an index is not
logged; pages that were logged are never all zero.
"""

import struct
import sys

PAGE = 8192


def masked(page):
    page = bytearray(page.ljust(PAGE, b"\0"))
    lower, upper = struct.unpack_from("<HH", page, 12)
    page[8:10] = b"\0\0"
    if 24 <= lower <= upper <= PAGE:
        page[lower:upper] = bytes(upper - lower)
    return bytes(page)


def pages(path):
    with open(path, "rb") as file:
        data = file.read()
    return [data[at:at + PAGE] for at in range(0, len(data), PAGE)]


def main():
    first, second = pages(sys.argv[1]), pages(sys.argv[2])
    different = 0
    for block in range(max(len(first), len(second))):
        one = masked(first[block] if block < len(first) else b"")
        two = masked(second[block] if block < len(second) else b"")
        if one == two:
            continue
        different += 1
        offsets = [i for i in range(PAGE) if one[i] != two[i]]
        print(f"block {block}: {len(offsets)} bytes differ, the first at {offsets[0]}")
    print(f"{len(first)} and {len(second)} pages, {different} different")
    return 1 if different or not first else 0


if __name__ == "__main__":
    sys.exit(main())
