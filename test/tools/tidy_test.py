#!/usr/bin/env python3
"""Each rule of tools/tidy.py finds its violating sample, and a clean tree has no violation.

A sample is a small tree of files; the test states the rule and the line that must be reported.
"""
import os
import sys
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "tools"))
sys.dont_write_bytecode = True
import tidy  # noqa: E402

TOP = "// What this file is.\n"
HEADER = TOP + "#pragma once\n"


def violations(files):
    with tempfile.TemporaryDirectory() as root:
        for path, text in files.items():
            os.makedirs(os.path.dirname(os.path.join(root, path)) or root, exist_ok=True)
            with open(os.path.join(root, path), "w", encoding="utf-8") as stream:
                stream.write(text)
        return [(path, line, rule) for path, line, rule, _ in tidy.check_tree(root)]


class TidyTest(unittest.TestCase):
    def expect(self, rule, path, text, line=None, **others):
        found = violations({path: text, **others})
        self.assertIn(rule, [entry[2] for entry in found], f"{path} passes {rule}: {found}")
        if line is not None:
            self.assertIn((path, line, rule), found)

    def expect_clean(self, path, text):
        self.assertEqual(violations({path: text}), [])

    def test_clean_files_pass(self):
        self.expect_clean("core/base/span.h", HEADER + "#include <span>\nint f(int x);\n")
        self.expect_clean("core/simd/avx2.cpp", TOP + "#include <immintrin.h>\n")
        self.expect_clean("pg/backend.h", HEADER + '#include "postgres.h"\n')
        self.expect_clean("core/base/text.h", HEADER + "// throw, std::vector, TAB: only words\n")

    def test_text_rules(self):
        self.expect("tab", "core/base/a.h", HEADER + "\tint x;\n", 3)
        self.expect("trailing-blank", "sql/a.sql", "SELECT 1; \n", 1)
        self.expect("line-length", "core/base/a.h", HEADER + "//" + "x" * 99 + "\n", 3)
        self.expect("end-of-file", "core/base/a.h", HEADER + "int x;")
        self.expect("file-length", "core/base/a.cpp", TOP * 3 + "int x;\n" * 498)
        self.expect("left-over", "test/regress/sql/a.sql", "-- TO" + "DO later\n", 1)
        self.expect("left-over", "core/base/a.cpp", TOP + "int x;  // FIX" + "ME\n", 2)

    def test_names(self):
        self.expect("file-name", "core/base/SpanReader.h", HEADER)
        self.expect("file-name", "core/base/string_utils.h", HEADER)
        self.expect("file-name", "test/support/helpers.h", HEADER)

    def test_top(self):
        self.expect("top-comment", "core/base/a.h", "#pragma once\n")
        self.expect("top-comment", "core/base/a.cpp", "int x;\n")
        self.expect("top-comment", "core/base/a.cpp", TOP * 16)
        self.expect("top-comment", "tools/a.py", "import os\n")
        self.expect("top-comment", "tools/a.sh", "#!/bin/sh\necho\n")
        self.expect("pragma-once", "core/base/a.h", TOP)

    def test_tests_run_and_can_fail(self):
        self.expect("switched-off", "test/unit/base/a_test.cpp", TOP + "DISABLED" + "_x\n", 2)
        self.expect("switched-off", "test/unit/base/a_test.cpp", TOP + "GTEST" + "_SKIP();\n", 2)
        self.expect("switched-off", "test/unit/base/a_test.cpp", TOP + "EXPECT_TRUE" + "(true);\n")
        self.expect("sleep", "test/unit/base/a_test.cpp", TOP + "usleep(5);\n", 2)

    def test_code_rules(self):
        self.expect("intrinsics", "core/vector/a.cpp", TOP + "auto x = _mm256_set1_ps(0);\n", 2)
        self.expect("intrinsics", "core/vector/a.cpp", TOP + "#include <immintrin.h>\n", 2)
        self.expect("owner", "core/ivf/a.h", HEADER + "std::vector<int> x;\n", 3)
        self.expect("owner", "core/page/a.h", HEADER + "std::string x;\n", 3)
        self.expect("throw", "core/base/a.cpp", TOP + "void f() { throw 1; }\n", 2)
        self.expect("throw", "pg/a.cpp", TOP + "void f() { throw 1; }\n", 2)
        self.expect("version", "pg/a.cpp", TOP + "#if PG_VERSION_NUM >= 160000\n", 2)

    def test_layers(self):
        self.expect("layer", "core/base/a.h", HEADER + '#include "core/simd/kernels.h"\n', 3)
        self.expect("layer", "core/btree/a.h", HEADER + '#include "core/ivf/format.h"\n', 3)
        self.expect("layer", "pg/ivf/a.cpp", TOP + '#include "pg/btree/am.h"\n', 2)
        self.expect("layer", "pg/types/a.cpp", TOP + '#include "core/ivf/format.h"\n', 2)
        self.expect("layer", "test/unit/base/a_test.cpp", TOP + '#include "pg/error.h"\n', 2)
        self.expect("layer", "core/page/a.h", HEADER + '#include "test/support/store.h"\n', 3)

    def test_foreign_headers(self):
        self.expect("postgres", "core/base/a.h", HEADER + '#include "postgres.h"\n', 3)
        self.expect("postgres", "pg/ivf/a.cpp", TOP + '#include "access/genam.h"\n', 2)
        self.expect("postgres", "tools/pagoda/a.cpp", TOP + '#include "utils/rel.h"\n', 2)
        self.expect("core-header", "core/base/a.h", HEADER + "#include <thread>\n", 3)
        self.expect("foreign-header", "core/base/a.h", HEADER + "#include <unistd.h>\n", 3)
        self.expect("include-root", "tools/pagoda/a.cpp", TOP + '#include "load.h"\n', 2)

    def test_include_cycles(self):
        self.expect("cycle", "core/base/a.h", HEADER + '#include "core/base/b.h"\n',
                    **{"core/base/b.h": HEADER + '#include "core/base/a.h"\n'})

    def test_function_length(self):
        body = "".join(f"    x += {i};\n" for i in range(70))
        for head in ("int f(int x) {\n", "A::A(int x) : x_(x) {\n", "TEST(Suite, name) {\n",
                     "auto f(int x) const -> int {\n", "template <class T>\nint f(T x) {\n"):
            self.expect("function-length", "core/base/a.cpp", TOP + head + body + "}\n", 2)
        inside = "namespace pagoda {\nclass A {\n    int f(int x) noexcept {\n" + body
        inside += "    }\n};\n}\n"
        self.expect("function-length", "core/base/a.cpp", TOP + inside, 4)

    def test_function_length_lets_other_blocks_pass(self):
        members = "".join(f"    int x{i} = {{}};\n" for i in range(80))
        self.expect_clean("core/base/a.cpp", TOP + "struct A {\n" + members + "};\n")
        values = "".join(f"    {i},\n" for i in range(80))
        self.expect_clean("core/base/a.cpp", TOP + "constexpr int t[] = {\n" + values + "};\n")
        body = "".join(f"    x += {i};\n" for i in range(80))
        reason = "// long-function: one step of the formula a line\n"
        self.expect_clean("core/base/a.cpp", TOP + reason + "int f(int x) {\n" + body + "}\n")


if __name__ == "__main__":
    unittest.main()
