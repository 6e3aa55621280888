// A report table: printed aligned for people, or as CSV or JSON for programs.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace pagoda::tool {

enum class TableFormat : unsigned char { text, csv, json };

TableFormat parse_table_format(const std::string& name);  // throws UsageFailure

class Table {
  public:
    explicit Table(std::vector<std::string> columns) : columns_(std::move(columns)) {}

    // One cell a column; an empty cell means "not measured". Cells that read as numbers are
    // aligned right and stay numbers in JSON.
    void add(std::vector<std::string> cells);
    std::string print(TableFormat format) const;

  private:
    std::string print_text() const;
    std::string print_csv() const;
    std::string print_json() const;

    std::vector<std::string> columns_;
    std::vector<std::vector<std::string>> rows_;
};

std::string fixed(double value, int digits);
// 1234567 -> "1,234,567", for prose.
std::string grouped(size_t value);
std::string json_string(const std::string& text);

}  // namespace pagoda::tool
