// Text and binary input and output and the type modifier (the number of dimensions).
#include "core/vector/binary.h"
#include "core/vector/text.h"
#include "pg/types/dense.h"

namespace pagoda {
namespace {

template <Element E>
[[noreturn]] void raise_syntax_error(const char* literal, const char* detail) {
    ereport(ERROR, (errcode(ERRCODE_INVALID_TEXT_REPRESENTATION),
                    errmsg("invalid input syntax for type %s: \"%s\"", type_name<E>, literal),
                    detail == nullptr ? 0 : errdetail("%s", detail)));
    pg_unreachable();
}

template <Element E>
void check_fault(const char* literal, const ParsedText& parsed) {
    switch (parsed.fault) {
        case TextFault::none:
            return;
        case TextFault::syntax:
            raise_syntax_error<E>(literal, nullptr);
        case TextFault::missing_bracket:
            raise_syntax_error<E>(literal, "Vector contents must start with \"[\".");
        case TextFault::trailing_text:
            raise_syntax_error<E>(literal, "Junk after closing right brace.");
        case TextFault::no_elements:
            return check_dimensions<E>(0);
        case TextFault::too_many_elements:
            return check_dimensions<E>(dimensions_max + 1);
        case TextFault::not_a_number:
            return check_finite<E>(Finiteness::not_a_number);
        case TextFault::infinite:
            return check_finite<E>(Finiteness::infinite);
        case TextFault::out_of_range:
            ereport(ERROR,
                    (errcode(ERRCODE_NUMERIC_VALUE_OUT_OF_RANGE),
                     errmsg("\"%s\" is out of range for type %s",
                            pnstrdup(parsed.literal.data(), parsed.literal.size()), type_name<E>)));
    }
}

template <Element E>
Datum input(FunctionCallInfo fcinfo) {
    const char* literal = PG_GETARG_CSTRING(0);
    const int32 typmod = PG_GETARG_INT32(2);
    const std::string_view text(literal);
    // Each comma of a valid literal separates two elements, so the value can be read in place.
    Dense<E>* result = allocate_dense<E>(count_elements(text));
    const ParsedText parsed = parse_text(text, result->elements());
    check_fault<E>(literal, parsed);
    check_always(parsed.count == static_cast<size_t>(result->dimensions));
    check_expected(typmod, result->dimensions);
    PG_RETURN_POINTER(result);
}

template <Element E>
Datum output(FunctionCallInfo fcinfo) {
    static_assert(FLOAT_SHORTEST_DECIMAL_LEN <= number_bytes_max);
    const auto elements = dense_arg<E>(fcinfo, 0)->elements();
    const size_t bytes = text_bytes_max(elements.size());
    auto* text = static_cast<char*>(palloc(bytes + 1));
    text[print_text(elements, {text, bytes}, float_to_shortest_decimal_bufn)] = '\0';
    PG_RETURN_CSTRING(text);
}

template <Element E>
Datum receive(FunctionCallInfo fcinfo) {
    auto* message = reinterpret_cast<StringInfo>(PG_GETARG_POINTER(0));
    const int32 typmod = PG_GETARG_INT32(2);
    const auto* start = reinterpret_cast<const std::byte*>(
        pq_getmsgbytes(message, static_cast<int>(binary_header_bytes)));
    const BinaryHeader header =
        decode_header(std::span<const std::byte, binary_header_bytes>(start, binary_header_bytes));
    check_dimensions<E>(header.dimensions);
    check_expected(typmod, header.dimensions);
    if (header.unused != 0) {
        ereport(ERROR, (errcode(ERRCODE_DATA_EXCEPTION),
                        errmsg("expected unused to be 0, not %d", header.unused)));
    }
    Dense<E>* result = allocate_dense<E>(static_cast<size_t>(header.dimensions));
    const int bytes = static_cast<int>(result->elements().size_bytes());
    // An element that may not be stored is reported before a message that is too short.
    const int available = std::min(bytes, message->len - message->cursor);
    const auto* source = reinterpret_cast<const std::byte*>(message->data + message->cursor);
    check_finite<E>(decode_elements(
        std::span<const std::byte>(source, static_cast<size_t>(available)), result->elements()));
    pq_getmsgbytes(message, bytes);
    PG_RETURN_POINTER(result);
}

template <Element E>
Datum send(FunctionCallInfo fcinfo) {
    const auto elements = dense_arg<E>(fcinfo, 0)->elements();
    const size_t bytes = binary_bytes<E>(elements.size());
    auto* result = static_cast<bytea*>(palloc(VARHDRSZ + bytes));
    SET_VARSIZE(result, VARHDRSZ + bytes);
    encode(elements, {reinterpret_cast<std::byte*>(VARDATA(result)), bytes});
    PG_RETURN_BYTEA_P(result);
}

template <Element E>
Datum read_modifier(FunctionCallInfo fcinfo) {
    int count = 0;
    const int32* modifiers = ArrayGetIntegerTypmods(PG_GETARG_ARRAYTYPE_P(0), &count);
    if (count != 1) {
        ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE), errmsg("invalid type modifier")));
    }
    if (modifiers[0] < 1) {
        ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
                        errmsg("dimensions for type %s must be at least 1", type_name<E>)));
    }
    if (modifiers[0] > static_cast<int32>(dimensions_max)) {
        ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
                        errmsg("dimensions for type %s cannot exceed %d", type_name<E>,
                               static_cast<int>(dimensions_max))));
    }
    PG_RETURN_INT32(modifiers[0]);
}

}  // namespace

PAGODA_SQL_FUNCTION(vector_in) {
    return input<float>(fcinfo);
}
PAGODA_SQL_FUNCTION(vector_out) {
    return output<float>(fcinfo);
}
PAGODA_SQL_FUNCTION(vector_recv) {
    return receive<float>(fcinfo);
}
PAGODA_SQL_FUNCTION(vector_send) {
    return send<float>(fcinfo);
}
PAGODA_SQL_FUNCTION(vector_typmod_in) {
    return read_modifier<float>(fcinfo);
}

PAGODA_SQL_FUNCTION(halfvec_in) {
    return input<Half>(fcinfo);
}
PAGODA_SQL_FUNCTION(halfvec_out) {
    return output<Half>(fcinfo);
}
PAGODA_SQL_FUNCTION(halfvec_recv) {
    return receive<Half>(fcinfo);
}
PAGODA_SQL_FUNCTION(halfvec_send) {
    return send<Half>(fcinfo);
}
PAGODA_SQL_FUNCTION(halfvec_typmod_in) {
    return read_modifier<Half>(fcinfo);
}

}  // namespace pagoda
