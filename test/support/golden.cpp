// Reading, comparing and rewriting golden files.
#include "test/support/golden.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>

namespace pagoda::test {

std::optional<std::vector<std::byte>> read_golden(const std::string& folder,
                                                  const std::string& name) {
    std::ifstream file(folder + "/" + name + ".page", std::ios::binary);
    if (!file) return std::nullopt;
    const std::string text((std::istreambuf_iterator<char>(file)),
                           std::istreambuf_iterator<char>());
    std::vector<std::byte> bytes(text.size());
    std::transform(text.begin(), text.end(), bytes.begin(),
                   [](char c) { return static_cast<std::byte>(c); });
    return bytes;
}

::testing::AssertionResult golden_compare(const std::string& folder, const std::string& name,
                                          std::span<const std::byte> bytes) {
    const char* update = std::getenv("PAGODA_UPDATE_GOLDEN");
    if (update != nullptr && std::string(update) == "1") {
        std::ofstream file(folder + "/" + name + ".page", std::ios::binary | std::ios::trunc);
        file.write(reinterpret_cast<const char*>(bytes.data()),
                   static_cast<std::streamsize>(bytes.size()));
        file.close();
        return ::testing::AssertionFailure()
               << name
               << (file ? ": golden file written; look at the change and run again"
                        : ": golden file cannot be written");
    }
    const auto golden = read_golden(folder, name);
    if (!golden) return ::testing::AssertionFailure() << name << ": no golden file";
    if (golden->size() != bytes.size()) {
        return ::testing::AssertionFailure()
               << name << ": " << bytes.size() << " bytes, golden " << golden->size();
    }
    const auto [ours, theirs] = std::mismatch(bytes.begin(), bytes.end(), golden->begin());
    if (ours == bytes.end()) return ::testing::AssertionSuccess();
    const auto at = ours - bytes.begin();
    return ::testing::AssertionFailure()
           << name << ": first difference in block " << at / 8192 << " at byte " << at % 8192
           << ": " << std::to_integer<int>(*ours) << ", golden " << std::to_integer<int>(*theirs);
}

}  // namespace pagoda::test
