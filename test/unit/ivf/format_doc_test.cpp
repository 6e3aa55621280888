// docs/FORMAT.md says what the structures are: every table row names a field with the offset and
// size that the code has, and every field that is not reserved has a row.
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <sstream>
#include <string>

#include "core/ivf/format.h"

namespace pagoda::ivf {
namespace {

struct Place {
    size_t offset, bytes;
    bool operator==(const Place&) const = default;
};
using Fields = std::map<std::string, Place>;

#define FIELD(type, name)                            \
    {                                                \
#name, {                                     \
            offsetof(type, name), sizeof(type::name) \
        }                                            \
    }

const std::map<std::string, Fields> structures = {
    {"PageTag",
     {FIELD(PageTag, magic), FIELD(PageTag, index_id), FIELD(PageTag, kind),
      FIELD(PageTag, version), FIELD(PageTag, flags), FIELD(PageTag, reserved)}},
    {"MetaPage", {FIELD(MetaPage, format),        FIELD(MetaPage, index_id),
                  FIELD(MetaPage, dim),           FIELD(MetaPage, padded_dim),
                  FIELD(MetaPage, metric),        FIELD(MetaPage, refine_bits),
                  FIELD(MetaPage, list_count),    FIELD(MetaPage, group_count),
                  FIELD(MetaPage, rotation_seed), FIELD(MetaPage, built_rows),
                  FIELD(MetaPage, work_scale),    FIELD(MetaPage, kappa0),
                  FIELD(MetaPage, kappa1),        FIELD(MetaPage, learnt_epsilon),
                  FIELD(MetaPage, learnt_probes), FIELD(MetaPage, learnt_count),
                  FIELD(MetaPage, learnt),        FIELD(MetaPage, tail),
                  FIELD(MetaPage, tail_end),      FIELD(MetaPage, table_block),
                  FIELD(MetaPage, table_used),    FIELD(MetaPage, mean),
                  FIELD(MetaPage, groups),        FIELD(MetaPage, group_entries),
                  FIELD(MetaPage, centroids),     FIELD(MetaPage, entries)}},
    {"Stream", {FIELD(Stream, run_count), FIELD(Stream, bytes), FIELD(Stream, runs)}},
    {"GroupEntry", {FIELD(GroupEntry, first_list), FIELD(GroupEntry, list_count)}},
    {"ListEntry",
     {FIELD(ListEntry, used), FIELD(ListEntry, dead), FIELD(ListEntry, extent_count),
      FIELD(ListEntry, radius_mean), FIELD(ListEntry, radius_largest), FIELD(ListEntry, free_hint),
      FIELD(ListEntry, extents), FIELD(ListEntry, table_block), FIELD(ListEntry, table_slot)}},
    {"Extent", {FIELD(Extent, block), FIELD(Extent, offset), FIELD(Extent, capacity)}},
};

#undef FIELD

// The rows `| field | offset | bytes | ...` below each heading `### Structure`.
std::map<std::string, Fields> documented() {
    std::ifstream file(std::string(PAGODA_GOLDEN_DIR) + "/../../docs/FORMAT.md");
    EXPECT_TRUE(file.good());
    std::map<std::string, Fields> found;
    std::string line, structure;
    while (std::getline(file, line)) {
        if (line.rfind("#", 0) == 0) structure = line.substr(line.find(' ') + 1);
        if (!structures.contains(structure)) continue;
        std::istringstream cells(line);
        std::string bar, field;
        Place place = {};
        if (cells >> bar >> field >> bar >> place.offset >> bar >> place.bytes && bar == "|") {
            found[structure][field] = place;
        }
    }
    return found;
}

TEST(FormatDocument, tables_agree_with_the_structures) {
    const auto found = documented();
    for (const auto& [structure, fields] : structures) {
        ASSERT_TRUE(found.contains(structure)) << structure;
        for (const auto& [field, place] : fields) {
            const auto row = found.at(structure).find(field);
            ASSERT_NE(row, found.at(structure).end()) << structure << "." << field;
            EXPECT_EQ(row->second, place)
                << structure << "." << field << ": " << place.offset << ", " << place.bytes;
        }
        EXPECT_EQ(found.at(structure).size(), fields.size()) << structure;
    }
}

}  // namespace
}  // namespace pagoda::ivf
