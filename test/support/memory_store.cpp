// Locks, faults, log and recovery of the memory store.
#include "test/support/memory_store.h"

#include <algorithm>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#endif

namespace pagoda::test {

namespace {

// Kinds of log records.
constexpr uint8_t record_edit = 1;
constexpr uint8_t record_image = 2;

void forbid_access([[maybe_unused]] const PageImage& page) {
#if defined(__SANITIZE_ADDRESS__)
    __asan_poison_memory_region(page.data(), page.size());
#endif
}

void allow_access([[maybe_unused]] const PageImage& page) {
#if defined(__SANITIZE_ADDRESS__)
    __asan_unpoison_memory_region(page.data(), page.size());
#endif
}

// Sets a flag for as long as it lives.
class FlagScope {
  public:
    explicit FlagScope(bool& flag) : flag_(flag) { flag_ = true; }
    ~FlagScope() { flag_ = false; }

  private:
    bool& flag_;
};

// True when this countdown has just reached its event.
bool count_down(uint64_t& left) {
    return left > 0 && --left == 0;
}

template <class T>
void append_value(std::vector<std::byte>& record, T value) {
    const auto at = record.size();
    record.resize(at + sizeof(T));
    store(record.data() + at, value);
}

void append_bytes(std::vector<std::byte>& record, std::span<const std::byte> bytes) {
    record.insert(record.end(), bytes.begin(), bytes.end());
}

// What a full-page image does to the hole of a page.
void zero_hole(PageImage& page) {
    const size_t lower = load<uint16_t>(page.data() + pd_lower_offset);
    const size_t upper = load<uint16_t>(page.data() + pd_upper_offset);
    if (lower < page_header_bytes || upper < lower || upper > content_end) return;
    std::fill(page.begin() + lower, page.begin() + upper, std::byte{0});
}

// Applies one record. Every page that it names is written as the server's redo would, on whatever
// the page was, after the hole has been lost.
void redo(std::span<const std::byte> record, TransformTable transforms,
          std::vector<PageImage>& pages) {
    const auto kind = load<uint8_t>(record.data());
    for (size_t at = 1; at < record.size();) {
        check_always(record.size() - at >= 8);
        const auto block = load<uint32_t>(record.data() + at);
        const size_t length = load<uint32_t>(record.data() + at + 4);
        check_always(length <= record.size() - at - 8);
        const auto bytes = record.subspan(at + 8, length);
        at += 8 + length;
        if (block >= pages.size()) pages.resize(block + 1);
        PageImage& page = pages[block];
        if (kind == record_image) {
            check_always(length == page_bytes);
            std::copy(bytes.begin(), bytes.end(), page.begin());
        } else {
            check_always(kind == record_edit);
            zero_hole(page);
            const Status status = apply_script(page, bytes, transforms);
            check_always(status.ok());
        }
        zero_hole(page);
    }
}

}  // namespace

MemoryStore::~MemoryStore() {
    for (const auto& page : pages_) allow_access(*page);
}

void MemoryStore::count_access() {
    check_always(!crashed_);
    if (count_down(fail_in_)) {
        abort_transaction();
        throw InjectedFailure();
    }
}

void MemoryStore::before_access(uint32_t block) {
    if (held_.empty() && on_unlocked_access && !inside_hook_) {
        const FlagScope scope(inside_hook_);
        on_unlocked_access();
        expect_no_locks();
    }
    count_access();
    if (block >= pages_.size()) {
        fail({ErrorCode::corrupt_page, block, "a block that exists"});
    }
}

void MemoryStore::take_lock(uint32_t block, Lock mode) {
    if (self_lock_is_damage && locks_[block] != Lock::none) {
        fail({ErrorCode::corrupt_page, block, "pages that do not refer to each other in a circle"});
    }
    check_always(locks_[block] == Lock::none);  // one caller, one lock on a page
    if (on_lock_order) on_lock_order(held_, block);
    check_always(held_.size() < held_limit);
    locks_[block] = mode;
    held_.push_back(block);
    counters_.held_max = std::max(counters_.held_max, held_.size());
    allow_access(*pages_[block]);
}

void MemoryStore::unlock(uint32_t block, uint64_t epoch) {
    if (epoch != epoch_) return;
    check_always(locks_[block] != Lock::none);
    locks_[block] = Lock::none;
    held_.erase(std::find(held_.begin(), held_.end(), block));
    forbid_access(*pages_[block]);
}

MemoryStore::ReadGuard MemoryStore::read(uint32_t block) {
    before_access(block);
    take_lock(block, Lock::shared);
    counters_.reads++;
    return {this, block};
}

MemoryStore::WriteGuard MemoryStore::lock(uint32_t block) {
    before_access(block);
    take_lock(block, Lock::exclusive);
    counters_.locks++;
    return {this, block};
}

uint32_t MemoryStore::extend(uint32_t count) {
    count_access();
    check_always(count > 0);
    const uint32_t first = block_count();
    for (uint32_t i = 0; i < count; i++) {
        pages_.push_back(std::make_unique<PageImage>());
        forbid_access(*pages_.back());
    }
    locks_.resize(pages_.size(), Lock::none);
    counters_.extended_blocks += count;
    return first;
}

void MemoryStore::prefetch(uint32_t block, uint32_t count) {
    check_always(!crashed_);
    const uint64_t left = block < pages_.size() ? pages_.size() - block : 0;
    counters_.prefetched_blocks += std::min<uint64_t>(count, left);
    counters_.prefetched_missing += count - std::min<uint64_t>(count, left);
}

void MemoryStore::commit(PageEdit& edit) {
    count_access();
    check_always(!edit.empty());
    for (const PageEdit::Page& page : edit.pages()) {
        check_always(page.block < pages_.size());
        check_always(page.handle == static_cast<int32_t>(page.block));
        check_always(locks_[page.block] == Lock::exclusive);
    }
    if (count_down(crash_in_)) {
        abort_transaction();
        crashed_ = true;
        throw Crash();
    }
    for (size_t i = 0; i < edit.pages().size(); i++) {
        PageImage changed = *pages_[edit.pages()[i].block];
        // The server would stop here: it is in a critical section.
        const Status status = apply_script(changed, edit.script(i), transforms_);
        check_always(status.ok());
        *pages_[edit.pages()[i].block] = changed;
    }
    log_edit(edit);
    counters_.commits++;
    counters_.edit_pages_max = std::max(counters_.edit_pages_max, edit.pages().size());
}

void MemoryStore::poll() {
    check_always(!crashed_);
    expect_no_locks();
    counters_.polls++;
    if (count_down(cancel_in_)) {
        abort_transaction();
        throw Cancelled();
    }
}

void MemoryStore::fail(Error error) {
    check_always(error.code != ErrorCode::none);
    abort_transaction();
    throw StoreError(error);
}

uint32_t MemoryStore::append_page(ConstPageBytes page) {
    count_access();
    expect_no_locks();
    const uint32_t block = block_count();
    auto copy = std::make_unique<PageImage>();
    std::copy(page.begin(), page.end(), copy->begin());
    forbid_access(*copy);
    pages_.push_back(std::move(copy));
    locks_.push_back(Lock::none);
    log_image(block, page);
    counters_.appended_blocks++;
    return block;
}

void MemoryStore::abort_transaction() {
    for (const uint32_t block : held_) {
        locks_[block] = Lock::none;
        forbid_access(*pages_[block]);
    }
    held_.clear();
    epoch_++;
}

void MemoryStore::log_edit(const PageEdit& edit) {
    std::vector<std::byte> record{std::byte{record_edit}};
    for (size_t i = 0; i < edit.pages().size(); i++) {
        const auto script = edit.script(i);
        append_value(record, edit.pages()[i].block);
        append_value(record, static_cast<uint32_t>(script.size()));
        append_bytes(record, script);
    }
    counters_.log_bytes += record.size();
    log_.push_back(std::move(record));
}

void MemoryStore::log_image(uint32_t block, ConstPageBytes page) {
    std::vector<std::byte> record{std::byte{record_image}};
    append_value(record, block);
    append_value(record, static_cast<uint32_t>(page.size()));
    append_bytes(record, page);
    counters_.log_bytes += record.size();
    log_.push_back(std::move(record));
}

std::vector<PageImage> MemoryStore::replay() const {
    std::vector<PageImage> pages = base_;
    for (const auto& record : log_) redo(record, transforms_, pages);
    return pages;
}

void MemoryStore::recover(uint64_t seed) {
    abort_transaction();
    clear_faults();
    crashed_ = false;
    const size_t count_before = pages_.size();
    std::vector<PageImage> pages = replay();
    check_always(pages.size() <= count_before);
    pages.resize(pages.size() + Random(seed).below(count_before - pages.size() + 1));
    set_pages(pages);
}

void MemoryStore::checkpoint() {
    expect_no_locks();
    base_ = image();
    log_.clear();
}

void MemoryStore::assert_replay_equal() const {
    std::vector<PageImage> replayed = replay();
    check_always(replayed.size() <= pages_.size());
    replayed.resize(pages_.size());
    for (uint32_t block = 0; block < block_count(); block++) {
        PageImage now = page(block);
        zero_hole(now);
        zero_hole(replayed[block]);
        check_always(now == replayed[block]);
    }
}

void MemoryStore::damage(uint32_t block, const std::function<void(PageBytes)>& change) {
    expect_no_locks();
    check_always(block < pages_.size());
    allow_access(*pages_[block]);
    change(*pages_[block]);
    forbid_access(*pages_[block]);
    checkpoint();
}

void MemoryStore::truncate(uint32_t blocks) {
    expect_no_locks();
    check_always(blocks <= pages_.size());
    std::vector<PageImage> kept = image();
    kept.resize(blocks);
    load_image(kept);
}

PageImage MemoryStore::page(uint32_t block) const {
    check_always(block < pages_.size());
    const PageImage& page = *pages_[block];
    const bool is_locked = locks_[block] != Lock::none;
    if (!is_locked) allow_access(page);
    PageImage copy = page;
    if (!is_locked) forbid_access(page);
    return copy;
}

std::vector<PageImage> MemoryStore::image() const {
    std::vector<PageImage> pages;
    for (uint32_t block = 0; block < block_count(); block++) pages.push_back(page(block));
    return pages;
}

void MemoryStore::load_image(std::span<const PageImage> image) {
    expect_no_locks();
    set_pages(image);
    checkpoint();
}

void MemoryStore::set_pages(std::span<const PageImage> image) {
    for (const auto& page : pages_) allow_access(*page);
    pages_.clear();
    for (const PageImage& page : image) {
        pages_.push_back(std::make_unique<PageImage>(page));
        forbid_access(*pages_.back());
    }
    locks_.assign(pages_.size(), Lock::none);
}

}  // namespace pagoda::test
