// Thin owners over libpq: a connection and a result. Every failed call throws Failure with the
// server's message and SQLSTATE. Values travel in text unless a function says binary.
#pragma once

#include <libpq-fe.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace pagoda::tool {

class ResultSet {
  public:
    explicit ResultSet(PGresult* result) : result_(result, &PQclear) {}

    int rows() const { return PQntuples(result_.get()); }
    std::string text(int row, int column) const { return PQgetvalue(result_.get(), row, column); }
    // A binary int4 column.
    int32_t binary_int(int row, int column) const;
    const PGresult* get() const { return result_.get(); }

  private:
    std::unique_ptr<PGresult, decltype(&PQclear)> result_;
};

class Connection {
  public:
    // `conninfo` as libpq takes it; empty means the environment (PGHOST, PGDATABASE, ...).
    explicit Connection(const std::string& conninfo);

    ResultSet execute(const std::string& sql);
    // The only value of the only row; empty text for NULL. Failure when there is no row.
    std::string scalar(const std::string& sql);
    int64_t scalar_int(const std::string& sql);
    double scalar_real(const std::string& sql);
    bool holds(const std::string& sql);  // a query for one boolean

    // One parameter of type `type_name`, given in binary later.
    void prepare(const std::string& name, const std::string& sql, const std::string& type_name);
    // Result columns come in binary.
    ResultSet execute_prepared(const std::string& name, std::span<const std::byte> parameter);

    // COPY ... FROM STDIN: begin with the statement, then bytes, then the end.
    void begin_copy(const std::string& sql);
    void put_copy(std::span<const std::byte> bytes);
    void end_copy();

    PGconn* get() { return connection_.get(); }

  private:
    ResultSet checked(PGresult* result, ExecStatusType expected_a, ExecStatusType expected_b);

    std::unique_ptr<PGconn, decltype(&PQfinish)> connection_;
};

std::string quote_identifier(std::string_view name);
std::string quote_literal(std::string_view text);

}  // namespace pagoda::tool
