// Binary COPY: signature, flags, header extension; per row a field count and length-prefixed
// fields in network byte order; a final count of -1.
#include "tools/pagoda/load.h"

#include <bit>
#include <chrono>
#include <cstring>

#include "core/base/bits.h"
#include "core/vector/half.h"
#include "tools/pagoda/failure.h"
#include "tools/pagoda/progress.h"

namespace pagoda::tool {
namespace {

constexpr size_t flush_bytes = size_t(1) << 20;

void append_u16(std::vector<std::byte>& out, uint16_t value) {
    out.push_back(std::byte(value >> 8));
    out.push_back(std::byte(value & 0xFF));
}

void append_u32(std::vector<std::byte>& out, uint32_t value) {
    append_u16(out, uint16_t(value >> 16));
    append_u16(out, uint16_t(value));
}

void append_text(std::vector<std::byte>& out, const std::string& text) {
    append_u32(out, uint32_t(text.size()));
    const auto bytes = std::as_bytes(std::span(text));
    out.insert(out.end(), bytes.begin(), bytes.end());
}

size_t vector_bytes(const MatrixView& matrix, ColumnType type) {
    return 4 + matrix.columns * (type == ColumnType::vector ? 4 : 2);
}

void append_row(const Dataset& set, size_t row, ColumnType type, std::vector<std::byte>& out) {
    append_u16(out, 3);
    append_u32(out, 4);
    append_u32(out, uint32_t(row));
    append_u32(out, uint32_t(vector_bytes(set.base, type)));
    append_vector(set.base, row, type, out);
    if (set.base_texts.empty()) {
        append_u32(out, 0xFFFFFFFFu);  // NULL
    } else {
        append_text(out, set.base_texts[row]);
    }
}

void create_table(Connection& connection, const Dataset& set, const TableOptions& options) {
    const std::string table = quote_identifier(options.table);
    connection.execute("DROP TABLE IF EXISTS " + table);
    connection.execute("CREATE TABLE " + table + " (id int, v " + type_name(options.type) + "(" +
                       std::to_string(set.base.columns) + "), txt text)");
    if (!options.default_storage) {
        connection.execute("ALTER TABLE " + table + " ALTER v SET STORAGE PLAIN");
    }
}

}  // namespace

const char* type_name(ColumnType type) {
    return type == ColumnType::vector ? "vector" : "halfvec";
}

ColumnType parse_column_type(const std::string& name) {
    if (name == "vector") return ColumnType::vector;
    if (name == "halfvec") return ColumnType::halfvec;
    throw UsageFailure("unknown column type \"" + name + "\": vector or halfvec");
}

void append_vector(const MatrixView& matrix, size_t row, ColumnType type,
                   std::vector<std::byte>& out) {
    std::vector<float> values(matrix.columns);
    matrix.copy_row(row, values);
    append_u16(out, uint16_t(matrix.columns));
    append_u16(out, 0);
    for (const float value : values) {
        if (type == ColumnType::vector) {
            append_u32(out, std::bit_cast<uint32_t>(value));
        } else {
            append_u16(out, to_half(value).bits);
        }
    }
}

double load_table(Connection& connection, const Dataset& set, const TableOptions& options) {
    const auto start = std::chrono::steady_clock::now();
    create_table(connection, set, options);
    const std::string table = quote_identifier(options.table);
    connection.begin_copy("COPY " + table + " FROM STDIN (FORMAT binary)");

    constexpr char signature[] = "PGCOPY\n\377\r\n";  // 11 bytes with the final zero
    std::vector<std::byte> buffer;
    for (const char c : signature) buffer.push_back(std::byte(c));
    append_u32(buffer, 0);
    append_u32(buffer, 0);
    Progress progress("loading", set.base.rows);
    for (size_t row = 0; row < set.base.rows; ++row) {
        append_row(set, row, options.type, buffer);
        if (buffer.size() >= flush_bytes) {
            connection.put_copy(buffer);
            buffer.clear();
        }
        progress.advance(1);
    }
    append_u16(buffer, 0xFFFF);
    connection.put_copy(buffer);
    connection.end_copy();
    connection.execute("VACUUM ANALYZE " + table);
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

bool is_in_row(Connection& connection, const std::string& table) {
    return connection.holds(
        "SELECT reltoastrelid = 0 OR pg_relation_size(reltoastrelid) = 0 FROM pg_class "
        "WHERE oid = " +
        quote_literal(quote_identifier(table)) + "::regclass");
}

void copy_in_row(Connection& connection, const std::string& table, const std::string& copy) {
    const std::string to = quote_identifier(copy);
    connection.execute("DROP TABLE IF EXISTS " + to);
    connection.execute("CREATE TABLE " + to + " (LIKE " + quote_identifier(table) + ")");
    connection.execute("ALTER TABLE " + to + " ALTER v SET STORAGE PLAIN");
    connection.execute("INSERT INTO " + to + " SELECT * FROM " + quote_identifier(table));
    connection.execute("VACUUM ANALYZE " + to);
}

}  // namespace pagoda::tool
