// Options of the command line and the printed tables.
#include <gtest/gtest.h>

#include "tools/pagoda/arguments.h"
#include "tools/pagoda/failure.h"
#include "tools/pagoda/table.h"

namespace pagoda::tool {
namespace {

constexpr Option options[] = {
    {"rows", "COUNT", "10", "rows"},
    {"list", "LIST", "", "a list"},
    {"keep", nullptr, "", "a flag"},
};

Arguments parse(std::vector<const char*> words) {
    return Arguments(options, words);
}

TEST(Arguments, take_values_after_a_space_or_an_equals_sign) {
    EXPECT_EQ(parse({}).count("rows"), 10u);
    EXPECT_EQ(parse({"--rows", "7"}).count("rows"), 7u);
    const Arguments given = parse({"--rows=8", "--keep", "--list=a,,b=c"});
    EXPECT_EQ(given.count("rows"), 8u);
    EXPECT_TRUE(given.flag("keep"));
    EXPECT_FALSE(parse({}).flag("keep"));
    EXPECT_EQ(given.list("list"), (std::vector<std::string>{"a", "b=c"}));
    EXPECT_TRUE(parse({}).list("list").empty());
}

TEST(Arguments, refuse_what_the_command_does_not_know) {
    EXPECT_THROW(parse({"--colour", "red"}), UsageFailure);
    EXPECT_THROW(parse({"rows"}), UsageFailure);
    EXPECT_THROW(parse({"--rows"}), UsageFailure);
    EXPECT_THROW(parse({"--keep=yes"}), UsageFailure);
    EXPECT_THROW(parse({"--rows", "many"}).count("rows"), UsageFailure);
    EXPECT_THROW(parse({"--rows", "-1"}).count("rows"), UsageFailure);
    EXPECT_THROW(parse({"--rows", "99999999999999999999"}).count("rows"), UsageFailure);
}

Table sample() {
    Table table({"name", "n"});
    table.add({"a \"b\", c", "1.50"});
    table.add({"d", ""});
    table.add({"e", "12"});
    return table;
}

TEST(Table, aligns_numbers_to_the_right_as_text) {
    EXPECT_EQ(sample().print(TableFormat::text),
              "name         n\n"
              "a \"b\", c  1.50\n"
              "d\n"
              "e           12\n");
}

TEST(Table, quotes_as_csv_and_keeps_numbers_as_json) {
    EXPECT_EQ(sample().print(TableFormat::csv), "name,n\n\"a \"\"b\"\", c\",1.50\nd,\ne,12\n");
    EXPECT_EQ(sample().print(TableFormat::json),
              "[\n {\"name\": \"a \\\"b\\\", c\", \"n\": 1.50},\n"
              " {\"name\": \"d\", \"n\": null},\n"
              " {\"name\": \"e\", \"n\": 12}\n]\n");
    EXPECT_THROW(parse_table_format("xml"), UsageFailure);
}

TEST(Table, groups_digits_by_thousands) {
    EXPECT_EQ(grouped(0), "0");
    EXPECT_EQ(grouped(999), "999");
    EXPECT_EQ(grouped(1000), "1,000");
    EXPECT_EQ(grouped(1234567), "1,234,567");
}

}  // namespace
}  // namespace pagoda::tool
