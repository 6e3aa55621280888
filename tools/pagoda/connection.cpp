// Connection and ResultSet over libpq.
#include "tools/pagoda/connection.h"

#include <algorithm>
#include <cstring>

#include "core/base/bits.h"
#include "tools/pagoda/failure.h"

namespace pagoda::tool {
namespace {

std::string trimmed(const char* message) {
    std::string text = message == nullptr ? "" : message;
    while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.pop_back();
    return text;
}

std::string doubled(std::string_view text, char quote) {
    std::string quoted(1, quote);
    for (const char c : text) {
        if (c == quote) quoted += quote;
        quoted += c;
    }
    return quoted + quote;
}

}  // namespace

int32_t ResultSet::binary_int(int row, int column) const {
    if (PQgetlength(result_.get(), row, column) != 4) throw Failure("expected an int4 column");
    return int32_t(__builtin_bswap32(load<uint32_t>(PQgetvalue(result_.get(), row, column))));
}

Connection::Connection(const std::string& conninfo)
    : connection_(PQconnectdb(conninfo.c_str()), &PQfinish) {
    if (PQstatus(connection_.get()) != CONNECTION_OK) {
        throw Failure(trimmed(PQerrorMessage(connection_.get())));
    }
    // Notices (such as "table does not exist, skipping") are no part of a report.
    PQsetNoticeProcessor(
        connection_.get(), [](void*, const char*) {}, nullptr);
}

ResultSet Connection::checked(PGresult* result, ExecStatusType expected_a,
                              ExecStatusType expected_b) {
    ResultSet owned(result);
    const ExecStatusType status = PQresultStatus(result);
    if (status != expected_a && status != expected_b) {
        const char* state =
            result == nullptr ? nullptr : PQresultErrorField(result, PG_DIAG_SQLSTATE);
        std::string message = trimmed(PQerrorMessage(connection_.get()));
        if (state != nullptr) message += std::string(" (SQLSTATE ") + state + ")";
        throw Failure(message);
    }
    return owned;
}

ResultSet Connection::execute(const std::string& sql) {
    return checked(PQexec(connection_.get(), sql.c_str()), PGRES_COMMAND_OK, PGRES_TUPLES_OK);
}

std::string Connection::scalar(const std::string& sql) {
    const ResultSet result = execute(sql);
    if (result.rows() < 1) throw Failure("no row returned by: " + sql);
    return result.text(0, 0);
}

int64_t Connection::scalar_int(const std::string& sql) {
    return std::stoll(scalar(sql));
}

double Connection::scalar_real(const std::string& sql) {
    return std::stod(scalar(sql));
}

bool Connection::holds(const std::string& sql) {
    return scalar(sql) == "t";
}

void Connection::prepare(const std::string& name, const std::string& sql,
                         const std::string& type_name) {
    const auto type = Oid(scalar_int("SELECT " + quote_literal(type_name) + "::regtype::oid"));
    checked(PQprepare(connection_.get(), name.c_str(), sql.c_str(), 1, &type), PGRES_COMMAND_OK,
            PGRES_COMMAND_OK);
}

ResultSet Connection::execute_prepared(const std::string& name,
                                       std::span<const std::byte> parameter) {
    const char* value = reinterpret_cast<const char*>(parameter.data());
    const int length = int(parameter.size());
    const int binary = 1;
    return checked(
        PQexecPrepared(connection_.get(), name.c_str(), 1, &value, &length, &binary, binary),
        PGRES_TUPLES_OK, PGRES_COMMAND_OK);
}

void Connection::begin_copy(const std::string& sql) {
    checked(PQexec(connection_.get(), sql.c_str()), PGRES_COPY_IN, PGRES_COPY_IN);
}

void Connection::put_copy(std::span<const std::byte> bytes) {
    constexpr size_t piece_bytes = size_t(1) << 28;  // libpq takes an int
    while (!bytes.empty()) {
        const auto piece = bytes.first(std::min(bytes.size(), piece_bytes));
        if (PQputCopyData(connection_.get(), reinterpret_cast<const char*>(piece.data()),
                          int(piece.size())) != 1) {
            throw Failure(trimmed(PQerrorMessage(connection_.get())));
        }
        bytes = bytes.subspan(piece.size());
    }
}

void Connection::end_copy() {
    if (PQputCopyEnd(connection_.get(), nullptr) != 1) {
        throw Failure(trimmed(PQerrorMessage(connection_.get())));
    }
    const ResultSet result =
        checked(PQgetResult(connection_.get()), PGRES_COMMAND_OK, PGRES_COMMAND_OK);
    while (PGresult* rest = PQgetResult(connection_.get())) PQclear(rest);
}

std::string quote_identifier(std::string_view name) {
    return doubled(name, '"');
}

std::string quote_literal(std::string_view text) {
    return doubled(text, '\'');
}

}  // namespace pagoda::tool
