// Hostile edit scripts: random bytes, and valid scripts with bytes changed, cut out or repeated,
// applied to random pages. No script may make the interpreter leave the page, and none without init
// or bounds may change the header or the special area. Redo must also be repeatable: the same
// script gives the same page and the same answer again.
#include <algorithm>
#include <vector>

#include "core/page/edit.h"
#include "test/support/fuzz.h"
#include "test/support/memory_store.h"

namespace {

using namespace pagoda;
using test::PageImage;
using Script = std::vector<std::byte>;

constexpr std::byte op_init{1}, op_bounds{8}, op_last{9};

Status swap_halves(PageBytes page, std::span<const std::byte> arguments) {
    if (arguments.size() > 4) return Error{ErrorCode::corrupt_page, no_block, "short arguments"};
    std::swap_ranges(page.begin() + 32, page.begin() + 4104, page.begin() + 4104);
    return {};
}

constexpr Transform transforms[] = {{1, 1, swap_halves}};

std::byte random_byte(Random& random) {
    return static_cast<std::byte>(random.next());
}

// Numbers near the bounds of a page are more interesting than others.
uint16_t random_number(Random& random) {
    constexpr uint16_t edges[] = {0, 1, 23, 24, 25, 31, 32, 8152, 8175, 8176, 8177, 8192, 65535};
    switch (random.below(4)) {
        case 0:
            return edges[random.below(std::size(edges))];
        case 1:
            return static_cast<uint16_t>(random.below(64));
        case 2:
            return static_cast<uint16_t>(random.next());
        default:
            return static_cast<uint16_t>(24 + random.below(8153));
    }
}

void append_number(Script& script, uint16_t value) {
    script.push_back(static_cast<std::byte>(value & 255));
    script.push_back(static_cast<std::byte>(value >> 8));
}

// A known operation with numbers that are often in bounds and bytes that are often enough.
void append_operation(Script& script, Random& random) {
    script.push_back(static_cast<std::byte>(1 + random.below(9)));
    const size_t numbers = 2 + random.below(3);
    for (size_t i = 0; i < numbers; i++) append_number(script, random_number(random));
    const size_t bytes = random.below(4) == 0 ? random.below(9000) : random.below(40);
    for (size_t i = 0; i < bytes; i++) script.push_back(random_byte(random));
}

// A script that PageEdit accepts.
Script valid_script(Random& random) {
    Script memory(100000);
    PageEdit edit(memory);
    struct {
        uint32_t block() const { return 1; }
        int32_t handle() const { return 1; }
    } guard;
    edit.page(guard);
    Script bytes(random.below(600));
    for (std::byte& byte : bytes) byte = random_byte(random);
    const size_t at = 24 + random.below(6000), other = 24 + random.below(6000);
    const size_t length = random.below(2000);
    for (size_t i = random.below(6) + 1; i > 0; i--) {
        switch (random.below(9)) {
            case 0:
                edit.init(PageKind::ivf_stream, 1, 7);
                break;
            case 1:
                edit.write(at, bytes);
                break;
            case 2:
                edit.fill(at, length, 3);
                break;
            case 3:
                edit.move(at, other, length);
                break;
            case 4:
                edit.insert(at, at + length / 2, bytes);
                break;
            case 5:
                edit.erase(at, at + length, length / 3);
                break;
            case 6:
                if (!bytes.empty()) edit.nibbles(at, 1, 1, bytes.size() * 2, bytes);
                break;
            case 7:
                edit.bounds(at, at + length);
                break;
            default:
                edit.transform(1, 1, std::span(bytes).first(std::min<size_t>(bytes.size(), 6)));
        }
    }
    const auto script = edit.script(0);
    return {script.begin(), script.end()};
}

void mutate(Script& script, Random& random) {
    for (size_t i = random.below(4) + 1; i > 0 && !script.empty(); i--) {
        const size_t at = random.below(script.size());
        const size_t length = 1 + random.below(std::min<size_t>(script.size() - at, 12));
        const Script part(script.begin() + at, script.begin() + at + length);
        switch (random.below(4)) {
            case 0:
                script[at] = random_byte(random);
                break;
            case 1:
                script.erase(script.begin() + at, script.begin() + at + length);
                break;
            case 2:
                script.insert(script.begin() + random.below(script.size()), part.begin(),
                              part.end());
                break;
            default:
                script[at] ^= static_cast<std::byte>(1 << random.below(8));
        }
    }
}

Script random_script(Random& random) {
    Script script;
    switch (random.below(3)) {
        case 0:
            script.resize(random.below(200));
            for (std::byte& byte : script) byte = random_byte(random);
            break;
        case 1:
            for (size_t i = 1 + random.below(5); i > 0; i--) append_operation(script, random);
            break;
        default:
            script = valid_script(random);
            mutate(script, random);
    }
    return script;
}

bool may_change_frame(const Script& script) {
    return std::any_of(script.begin(), script.end(),
                       [](std::byte byte) { return byte == op_init || byte == op_bounds; });
}

// Rewrites init and bounds bytes, so that no operation may change the frame.
void forbid_frame_changes(Script& script) {
    for (std::byte& byte : script) {
        if (byte == op_init || byte == op_bounds) byte = op_last;
    }
}

void fuzz_step(Random& random) {
    PageImage page;
    for (std::byte& byte : page) byte = random_byte(random);
    const PageImage before = page;
    Script script = random_script(random);
    if (random.below(2) == 0) forbid_frame_changes(script);
    // Exact-size copies, so that the sanitizer sees every byte too far.
    const Script exact(script.begin(), script.end());
    const Status status = apply_script(page, exact, transforms);
    if (!may_change_frame(exact)) {
        check_always(std::equal(page.begin(), page.begin() + page_header_bytes, before.begin()));
        check_always(
            std::equal(page.begin() + content_end, page.end(), before.begin() + content_end));
    }
    if (!status) check_always(status.error().expected[0] != '\0');
    PageImage again = before;
    check_always(apply_script(again, exact, transforms).ok() == status.ok());
    check_always(again == page);
    // Whatever bytes it now has, recognising the page is safe.
    (void)validate_page(page, PageKind::ivf_stream, 1, 7, 0).ok();
}

}  // namespace

int main(int argc, char** argv) {
    return test::run_fuzzer(argc, argv, {.name = "edit_fuzz", .steps = 20000, .seed = 1},
                            fuzz_step);
}
