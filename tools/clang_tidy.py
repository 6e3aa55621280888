#!/usr/bin/env python3
"""Runs clang-tidy over core/, pg/ and tools/, as many at a time as there are cores.

Usage: clang_tidy.py BUILD [FOLDER...]: BUILD holds compile_commands.json. A file that was clean is
not looked at again while it, the headers of ours that it reaches, its compile command and the
configuration stay the same (marks in build/lint/). Exits with 1 when a file is not clean.
"""
import concurrent.futures
import hashlib
import json
import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
CLANG_TIDY = os.environ.get("CLANG_TIDY", "clang-tidy-14")
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]+"([^"]+)"', re.MULTILINE)


def read(path):
    with open(path, encoding="utf-8", errors="surrogateescape") as stream:
        return stream.read()


def reached_files(path, seen):
    """The file and all headers of ours that it reaches, as paths from the root."""
    if path in seen or not os.path.isfile(os.path.join(ROOT, path)):
        return
    seen.add(path)
    for name in INCLUDE.findall(read(os.path.join(ROOT, path))):
        reached_files(name, seen)


def content_key(path, command, configuration):
    """A digest of everything that decides about the result, save the system's headers."""
    digest = hashlib.sha256((configuration + command).encode())
    seen = set()
    reached_files(path, seen)
    for name in sorted(seen):
        digest.update(name.encode())
        digest.update(read(os.path.join(ROOT, name)).encode(errors="surrogateescape"))
    return digest.hexdigest()


def commands_of(build, folders):
    """One compile command for each source file in the folders."""
    commands = {}
    for entry in json.loads(read(os.path.join(build, "compile_commands.json"))):
        path = os.path.relpath(os.path.join(entry["directory"], entry["file"]), ROOT)
        if path.startswith(tuple(folder.rstrip("/") + "/" for folder in folders)):
            commands.setdefault(path, entry["command"])
    return commands


def lint(path, build):
    """The complaints about one file, empty when it is clean."""
    result = subprocess.run(
        [CLANG_TIDY, "-p", build, "--quiet", "--extra-arg=-Wno-unknown-warning-option",
         # Critical sections of the server change volatile counters in macros.
         "--extra-arg=-Wno-deprecated-volatile",
         "--header-filter=^" + re.escape(ROOT) + "/(core|pg|tools)/", os.path.join(ROOT, path)],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
    return "" if result.returncode == 0 else result.stdout + result.stderr


def main():
    build = os.path.abspath(sys.argv[1])
    commands = commands_of(build, sys.argv[2:] or ["core", "pg", "tools"])
    if not commands:
        print("clang-tidy: no source files in", os.path.join(build, "compile_commands.json"))
        return 1
    marks = os.path.join(ROOT, "build", "lint")
    os.makedirs(marks, exist_ok=True)
    version = subprocess.run([CLANG_TIDY, "--version"], stdout=subprocess.PIPE, text=True,
                             check=True).stdout
    configuration = version + read(os.path.join(ROOT, ".clang-tidy"))
    keys = {path: content_key(path, command, configuration) for path, command in commands.items()}
    stale = [path for path in sorted(keys) if not os.path.exists(os.path.join(marks, keys[path]))]
    dirty = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for path, complaints in zip(stale, pool.map(lambda path: lint(path, build), stale)):
            if complaints:
                dirty += 1
                print(complaints, flush=True)
            else:
                open(os.path.join(marks, keys[path]), "w", encoding="utf-8").close()
    print(f"clang-tidy: {len(keys)} files, {len(stale)} looked at, {dirty} not clean")
    return 1 if dirty else 0


if __name__ == "__main__":
    sys.exit(main())
