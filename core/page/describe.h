// Scripts in words, for people who read WAL: "write 4160+24, nibbles 33+16x16 high, fill 96+6 with
// 0".
#pragma once

#include <cstdint>
#include <span>

#include "core/page/edit.h"

namespace pagoda {

// Longest text of one operation, with its end.
inline constexpr size_t operation_text_bytes = 64;

// Takes the first operation off `script` and writes it to `text`, ended by zero. Bytes that are no
// operation take the rest of the script and are called "damaged".
void describe_operation(std::span<const std::byte>& script,
                        std::span<char, operation_text_bytes> text);

// The name of a kind of edit, as WAL statistics show it; nullptr when the number is not known.
const char* edit_kind_name(uint8_t kind);

}  // namespace pagoda
