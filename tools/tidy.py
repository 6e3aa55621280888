#!/usr/bin/env python3
"""Checks the rules of style that no compiler sees: sizes, names, layering, forbidden things.

Usage: tidy.py [ROOT]. Prints one line per violation, `path:line: rule: text`, and exits with 1 when
there is any. Standard library only; no build is needed. The rules are listed in CONTRIBUTING.md.
Each has a violating sample in test/tools/tidy_test.py.
"""
import os
import re
import sys

FILE_LINES_MAX = 500
FUNCTION_LINES_MAX = 70
COLUMNS_MAX = 100
TOP_COMMENT_LINES_MAX = 15

CODE = (".h", ".cpp")
SCRIPTS = (".py", ".sh")
TEXTS = CODE + SCRIPTS + (".sql", ".md", ".cmake", ".json", ".control", ".spec")
SKIPPED_FOLDERS = {".git", "build", "data", "expected", "golden", "__pycache__", "corpus"}

CORE_FOLDERS = ["core/" + name for name in
                ("base", "simd", "vector", "rabitq", "cluster", "posting", "page", "ivf", "btree")]
CORE_BELOW_IVF = CORE_FOLDERS[:7]
# core/simd because a setting forces the level of the kernels.
PG_SHARED = ["pg", "core/base", "core/page", "core/simd"]

# Who may include whom. A folder may always include itself; what is not listed may include nothing.
LAYERS = {
    "core/base": [],
    "core/simd": ["core/base"],
    "core/vector": ["core/base", "core/simd"],
    "core/rabitq": ["core/base", "core/simd", "core/vector"],
    "core/cluster": ["core/base", "core/simd", "core/vector"],
    "core/posting": ["core/base", "core/simd"],
    "core/page": ["core/base"],
    "core/ivf": CORE_BELOW_IVF,
    "core/btree": ["core/base", "core/posting", "core/page"],
    "pg": PG_SHARED,
    "pg/ivf": PG_SHARED + ["core/ivf"],
    "pg/btree": PG_SHARED + ["core/btree"],
    "pg/types": PG_SHARED + ["core/vector"],
    "pg/hybrid": PG_SHARED + ["pg/ivf", "pg/btree"],
    "pg/module": PG_SHARED + CORE_FOLDERS + ["pg/ivf", "pg/btree", "pg/types", "pg/hybrid"],
    "pg/inspect": PG_SHARED + CORE_FOLDERS + ["pg/ivf", "pg/btree", "pg/types", "pg/hybrid"],
    "tools/pagoda": ["core/base", "core/vector"],
    "bench/e2e": ["core/base", "core/vector"],
    "bench/micro": CORE_FOLDERS,
    "test/support": CORE_FOLDERS,
    "test/unit": CORE_FOLDERS + ["test/support"],
    "test/unit/tool": CORE_FOLDERS + ["test/support", "tools/pagoda"],
    "test/fuzz": CORE_FOLDERS + ["test/support"],
    "test/golden": CORE_FOLDERS + ["test/support"],
    "test/neon": ["core/base", "core/simd"],
}

STANDARD_HEADERS = set("""
algorithm array bit bitset cassert cctype cerrno cfloat charconv chrono cinttypes climits cmath
compare complex concepts cstdarg cstddef cstdint cstdio cstdlib cstring ctime cwchar deque exception
filesystem forward_list fstream functional initializer_list iomanip ios iosfwd iostream istream
iterator limits list locale map memory memory_resource mutex atomic thread new numbers numeric
optional ostream queue random ranges ratio regex set source_location span sstream stack stdexcept
streambuf string string_view system_error tuple type_traits typeinfo unordered_map unordered_set
utility valarray variant vector version condition_variable future shared_mutex barrier latch
""".split())
# core does no I/O and starts no thread.
NOT_IN_CORE = set("""cstdio iostream fstream filesystem iomanip istream ostream thread mutex future
condition_variable shared_mutex barrier latch cstdarg ctime chrono""".split())
INTRINSIC_HEADERS = {"immintrin.h", "arm_neon.h", "cpuid.h"}
POSTGRES_HEADER = re.compile(
    r"^(postgres(_ext|_fe)?\.h|c\.h|fmgr\.h|miscadmin\.h|pgstat\.h|(access|catalog|commands|"
    r"executor|lib|nodes|optimizer|parser|port|storage|tcop|utils)/.*\.h)$")
INTRINSIC = re.compile(r"\b(_mm\d*_\w+|__m(128|256|512)\w*|v(ld|st)1q?_\w+|"
                       r"__builtin_cpu_supports)\b")
OWNER = re.compile(r"\bstd::(vector|string|unique_ptr|shared_ptr|map|set|unordered_map|"
                   r"unordered_set|deque|list|function|any|make_unique|make_shared)\b")
# Joined here so that this file does not contain them.
LEFT_OVER = re.compile(r"\b(" + "TO" + "DO|FIX" + "ME|XX" + "X|HA" + r"CK)\b")
SWITCHED_OFF = re.compile("DISABLED" + r"_|GTEST" + r"_SKIP|(EXPECT|ASSERT)_TRUE\(true\)")
SLEEP = re.compile(r"\b(sleep_for|sleep_until|usleep|nanosleep)\b")
BANNED_WORDS = {"util", "utils", "helper", "helpers", "misc", "common", "manager"}
SNAKE_CASE = re.compile(r"^[a-z0-9_]+(--[0-9.]+)*(\.[a-z]+)$")

LITERALS = re.compile(
    r'//[^\n]*|/\*.*?\*/|R"(?P<tag>\w*)\(.*?\)(?P=tag)"|"(?:\\.|[^"\\\n])*"|'
    r"(?<![0-9a-fA-F])'(?:\\.|[^'\\\n])+'", re.DOTALL)
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]+([<"])([^>"]+)[>"]', re.MULTILINE)


class Source:
    """One file: its path from the root, text, lines, and the text without comments and literals."""

    def __init__(self, root, path):
        self.path = path
        self.folder = folder_of(path)
        with open(os.path.join(root, path), encoding="utf-8", errors="surrogateescape") as stream:
            self.text = stream.read()
        self.lines = self.text.split("\n")
        if self.text.endswith("\n"):
            self.lines.pop()
        self.is_code = path.endswith(CODE)
        self.code = blank_literals(self.text) if self.is_code else ""

    def includes(self):
        """(line number, is quoted, name) of every include."""
        for match in INCLUDE.finditer(self.text):
            yield self.text.count("\n", 0, match.start(2)) + 1, match[1] == '"', match[2]


def blank_literals(text):
    """Takes out comments and the insides of literals; every line keeps its number."""
    def blank(match):
        body = match[0]
        if body.startswith("/"):
            return "\n" * body.count("\n") or " "
        return '""' + "\n" * body.count("\n")
    return LITERALS.sub(blank, text)


def folder_of(path):
    """The layer of a file: two levels, save that some files and one test folder have their own."""
    parts = path.split("/")
    stem = parts[-1].split(".")[0]
    if parts[0] == "pg" and len(parts) == 2:
        return "pg/" + stem if stem in ("inspect", "module") else "pg"
    if path.startswith("test/unit/tool/"):
        return "test/unit/tool"
    return "/".join(parts[:2]) if len(parts) > 2 else parts[0]


def find_sources(root):
    for folder, folders, names in os.walk(root):
        folders[:] = sorted(name for name in folders
                            if name not in SKIPPED_FOLDERS and not name.startswith("build-"))
        for name in sorted(names):
            if name.endswith(TEXTS) or name in ("CMakeLists.txt", "dev", "run"):
                yield os.path.relpath(os.path.join(folder, name), root)


def check_text(source):
    has_width = source.path.endswith(CODE + SCRIPTS) or "CMakeLists" in source.path
    for number, line in enumerate(source.lines, 1):
        if "\t" in line and not source.path.endswith(".sql"):  # COPY data has tabs
            yield number, "tab", "use spaces"
        if line != line.rstrip():
            yield number, "trailing-blank", "take it away"
        if has_width and len(line) > COLUMNS_MAX:
            yield number, "line-length", f"{len(line)} columns, at most {COLUMNS_MAX}"
        if LEFT_OVER.search(line):
            yield number, "left-over", "do it or drop it; issues hold what is left to do"
    if source.path.endswith(CODE + SCRIPTS) and len(source.lines) > FILE_LINES_MAX:
        yield 1, "file-length", f"{len(source.lines)} lines, at most {FILE_LINES_MAX}"
    if source.text and not source.text.endswith("\n"):
        yield len(source.lines), "end-of-file", "the last line has no newline"


def check_name(source):
    name = os.path.basename(source.path)
    if not source.path.endswith(CODE + SCRIPTS + (".sql", ".spec")):
        return
    if not SNAKE_CASE.match(name):
        yield 1, "file-name", "file names are snake_case"
    if BANNED_WORDS & set(re.split(r"[_.]", name)):
        yield 1, "file-name", "name the file by what it is responsible for"


def check_top(source):
    """A comment on top says what the file is; headers are included once."""
    if source.path.endswith(".py"):
        if not re.match(r'(#![^\n]*\n)?("""|#)', source.text):
            yield 1, "top-comment", "start with a docstring that says what the file is"
        return
    if source.path.endswith(".sh"):
        if not re.match(r"(#![^\n]*\n)?# \S", source.text):
            yield 1, "top-comment", "start with a comment that says what the file is"
        return
    if not source.is_code:
        return
    length = 0
    while length < len(source.lines) and source.lines[length].startswith("//"):
        length += 1
    if length == 0:
        yield 1, "top-comment", "start with a comment that says what the file is"
    if length > TOP_COMMENT_LINES_MAX:
        yield 1, "top-comment", f"{length} lines, at most {TOP_COMMENT_LINES_MAX}: use the README"
    if source.path.endswith(".h") and "#pragma once" not in source.lines:
        yield 1, "pragma-once", "a header says #pragma once"


def check_tests(source):
    if not source.is_code or not source.path.startswith("test/"):
        return
    for number, line in enumerate(source.lines, 1):
        if SWITCHED_OFF.search(line):
            yield number, "switched-off", "a test runs and can fail"
        if SLEEP.search(line):
            yield number, "sleep", "wait for a named point, not for time"


def check_code(source):
    if not source.is_code:
        return
    in_core = source.path.startswith("core/")
    for number, line in enumerate(source.code.split("\n"), 1):
        if source.folder != "core/simd" and INTRINSIC.search(line):
            yield number, "intrinsics", "only core/simd knows instruction sets"
        if source.folder in ("core/ivf", "core/page", "core/btree") and OWNER.search(line):
            yield number, "owner", "frames that call a store own no heap memory: spans and arenas"
        if (in_core or source.path.startswith("pg/")) and re.search(r"\bthrow\b", line):
            yield number, "throw", "nothing is thrown in core and pg"
        if "PG_VERSION_NUM" in line and source.path not in ("pg/compat.h", "pg/backend.h"):
            yield number, "version", "only pg/compat.h knows PostgreSQL versions"


def check_includes(source):
    if not source.is_code:
        return
    for number, quoted, name in source.includes():
        if quoted and name.split("/")[0] in ("core", "pg", "test", "tools", "bench"):
            target = folder_of(name)
            if target != source.folder and target not in LAYERS.get(source.folder, []):
                yield number, "layer", f"{source.folder} may not include {target}"
        elif source.path == "pg/backend.h":
            continue
        elif POSTGRES_HEADER.match(name):
            yield number, "postgres", "only pg/backend.h includes PostgreSQL"
        elif name in INTRINSIC_HEADERS:
            if source.folder != "core/simd":
                yield number, "intrinsics", "only core/simd knows instruction sets"
        elif source.path.startswith("core/") and name in NOT_IN_CORE:
            yield number, "core-header", f"<{name}>: core does no I/O and starts no thread"
        elif name in STANDARD_HEADERS and not quoted:
            continue
        elif source.path.startswith(("core/", "pg/")):
            yield number, "foreign-header", f"{name} is neither ours nor standard C++"
        elif quoted:
            yield number, "include-root", f'"{name}": write includes from the repository root'


NOT_A_FUNCTION = re.compile(r"^\s*(namespace|class|struct|union|enum|extern\s*\"\")\b[^()]*$|"
                            r"^\s*extern\s*\"\"\s*$|=\s*$|=\s*\[|^\s*$", re.DOTALL)
FUNCTION_HEAD = re.compile(r"\)\s*(const|noexcept(\(.*\))?|override|final|mutable|try|&&?|->.*|:.*|"
                           r"requires.*|\s)*$", re.DOTALL)


def find_functions(code):
    """(first line, last line) of each outermost function body of code without literals.

    A heuristic over braces: text between the last `;`, `{` or `}` and a `{` is a function's head
    when it ends like one. Lambdas and local types belong to the function around them.
    """
    code = re.sub(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", lambda match: "\n" * match[0].count("\n"), code,
                  flags=re.MULTILINE)
    line, head, head_line = 1, "", 1
    depth, function_depth = 0, None
    for character in code:
        if character == "\n":
            line += 1
        if character == "{":
            if (function_depth is None and "(" in head and not NOT_A_FUNCTION.search(head)
                    and FUNCTION_HEAD.search(head)):
                function_depth, first_line = depth, head_line
            depth += 1
        elif character == "}":
            depth -= 1
            if depth == function_depth:
                yield first_line, line
                function_depth = None
        if character in "{};":
            head = ""
        elif head or not character.isspace():
            if not head:
                head_line = line
            head += character


def check_functions(source):
    if not source.is_code:
        return
    for first, last in find_functions(source.code):
        length = last - first + 1
        reason = re.compile(r"// long-function: \S")
        if length > FUNCTION_LINES_MAX and not any(
                reason.search(line) for line in source.lines[max(0, first - 4):last]):
            yield first, "function-length", f"{length} lines, at most {FUNCTION_LINES_MAX}"


def find_cycles(sources):
    """Include cycles between files, each reported once at the file where the search closed it."""
    graph = {source.path: [name for _, quoted, name in source.includes() if quoted]
             for source in sources if source.is_code}
    done, on_path = set(), []

    def visit(path):
        if path in on_path:
            yield path, " -> ".join(on_path[on_path.index(path):] + [path])
            return
        if path in done or path not in graph:
            return
        on_path.append(path)
        for target in graph[path]:
            yield from visit(target)
        on_path.pop()
        done.add(path)

    for path in sorted(graph):
        yield from visit(path)


CHECKS = (check_text, check_name, check_top, check_tests, check_code, check_includes,
          check_functions)


def check_tree(root):
    """All violations of a tree as (path, line, rule, text)."""
    sources = [Source(root, path) for path in find_sources(root)]
    for source in sources:
        for check in CHECKS:
            for line, rule, text in check(source):
                yield source.path, line, rule, text
    for path, cycle in find_cycles(sources):
        yield path, 1, "cycle", cycle


def main():
    root = sys.argv[1] if len(sys.argv) > 1 else os.path.dirname(os.path.dirname(
        os.path.abspath(__file__)))
    count = 0
    for path, line, rule, text in check_tree(root):
        print(f"{path}:{line}: {rule}: {text}")
        count += 1
    print(f"tidy: {count} violations" if count else "tidy: clean")
    return 1 if count else 0


if __name__ == "__main__":
    sys.exit(main())
