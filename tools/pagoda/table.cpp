// Table printing.
#include "tools/pagoda/table.h"

#include <algorithm>
#include <cstdio>

#include "core/base/check.h"
#include "tools/pagoda/failure.h"

namespace pagoda::tool {
namespace {

// JSON's own grammar of numbers, without exponents.
bool is_number(const std::string& text) {
    size_t i = text.starts_with('-') ? 1 : 0;
    size_t digits = 0, points = 0;
    for (; i < text.size(); ++i) {
        if (text[i] == '.' && digits > 0 && points == 0) {
            ++points;
        } else if (text[i] >= '0' && text[i] <= '9') {
            ++digits;
        } else {
            return false;
        }
    }
    return digits > 0 && text.back() != '.';
}

std::string csv_cell(const std::string& text) {
    if (text.find_first_of(",\"\n") == std::string::npos) return text;
    std::string quoted = "\"";
    for (const char c : text) {
        if (c == '"') quoted += '"';
        quoted += c;
    }
    return quoted + "\"";
}

std::string csv_line(const std::vector<std::string>& cells) {
    std::string line;
    for (size_t i = 0; i < cells.size(); ++i) line += (i > 0 ? "," : "") + csv_cell(cells[i]);
    return line + "\n";
}

}  // namespace

TableFormat parse_table_format(const std::string& name) {
    if (name == "text") return TableFormat::text;
    if (name == "csv") return TableFormat::csv;
    if (name == "json") return TableFormat::json;
    throw UsageFailure("unknown format \"" + name + "\": text, csv or json");
}

void Table::add(std::vector<std::string> cells) {
    check_always(cells.size() == columns_.size());
    rows_.push_back(std::move(cells));
}

std::string Table::print(TableFormat format) const {
    if (format == TableFormat::csv) return print_csv();
    if (format == TableFormat::json) return print_json();
    return print_text();
}

std::string Table::print_text() const {
    std::vector<size_t> widths;
    std::vector<bool> numeric;
    for (size_t c = 0; c < columns_.size(); ++c) {
        size_t width = columns_[c].size();
        bool all_numbers = true;
        for (const auto& row : rows_) {
            width = std::max(width, row[c].size());
            all_numbers = all_numbers && (row[c].empty() || is_number(row[c]));
        }
        widths.push_back(width);
        numeric.push_back(all_numbers);
    }
    const auto line = [&](const std::vector<std::string>& cells) {
        std::string text;
        for (size_t c = 0; c < cells.size(); ++c) {
            const std::string padding(widths[c] - cells[c].size(), ' ');
            text += (c > 0 ? "  " : "") + (numeric[c] ? padding + cells[c] : cells[c] + padding);
        }
        return text.substr(0, text.find_last_not_of(' ') + 1) + "\n";
    };
    std::string text = line(columns_);
    for (const auto& row : rows_) text += line(row);
    return text;
}

std::string Table::print_csv() const {
    std::string text = csv_line(columns_);
    for (const auto& row : rows_) text += csv_line(row);
    return text;
}

std::string Table::print_json() const {
    std::string text = "[";
    for (size_t r = 0; r < rows_.size(); ++r) {
        text += r > 0 ? ",\n {" : "\n {";
        for (size_t c = 0; c < columns_.size(); ++c) {
            const std::string& cell = rows_[r][c];
            text += (c > 0 ? ", " : "") + json_string(columns_[c]) + ": ";
            text += cell.empty() ? "null" : is_number(cell) ? cell : json_string(cell);
        }
        text += "}";
    }
    return text + "\n]\n";
}

std::string fixed(double value, int digits) {
    char buffer[64];
    std::snprintf(buffer, sizeof buffer, "%.*f", digits, value);
    return buffer;
}

std::string grouped(size_t value) {
    std::string text = std::to_string(value);
    for (size_t at = text.size(); at > 3;) {
        at -= 3;
        text.insert(at, ",");
    }
    return text;
}

std::string json_string(const std::string& text) {
    std::string quoted = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') quoted += '\\';
        if (static_cast<unsigned char>(c) < 0x20) {
            char escape[8];
            std::snprintf(escape, sizeof escape, "\\u%04x", unsigned(c));
            quoted += escape;
        } else {
            quoted += c;
        }
    }
    return quoted + "\"";
}

}  // namespace pagoda::tool
