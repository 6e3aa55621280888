// pagoda: loads vectors, searches, measures and compares index access methods through libpq. The
// server comes from the environment (PGHOST, PGDATABASE, ...) or from --connect.
#include <array>
#include <cstdio>
#include <exception>
#include <string>
#include <string_view>

#include "tools/pagoda/commands.h"
#include "tools/pagoda/failure.h"

namespace pagoda::tool {
namespace {

std::array<const Command*, 5> commands() {
    return {&demo_command, &load_command, &bench_search_command, &bench_cancel_command,
            &check_recall_command};
}

std::string general_help() {
    std::string help = "usage: pagoda COMMAND [options]\n\ncommands:\n";
    for (const Command* command : commands()) {
        std::string name = command->name;
        name.resize(16, ' ');
        help += "  " + name + command->summary + "\n";
    }
    return help + "\n\"pagoda COMMAND --help\" lists the options of a command.\n";
}

// Returns the command and sets `used` to the number of words of its name, or nullptr.
const Command* find_command(std::span<const char* const> words, size_t& used) {
    for (const Command* command : commands()) {
        std::string given;
        for (used = 1; used <= 2 && used <= words.size(); ++used) {
            given += (used > 1 ? " " : "") + std::string(words[used - 1]);
            if (given == command->name) return command;
        }
    }
    return nullptr;
}

bool asks_for_help(std::span<const char* const> words) {
    for (const std::string_view word : words) {
        if (word == "--help" || word == "-h") return true;
    }
    return false;
}

int run(std::span<const char* const> words) {
    size_t used = 0;
    const Command* command = find_command(words, used);
    if (asks_for_help(words)) {
        std::fputs((command == nullptr ? general_help() : command_help(*command)).c_str(), stdout);
        return exit_success;
    }
    if (command == nullptr) {
        throw UsageFailure(words.empty() ? "no command given" : "unknown command");
    }
    return command->run(Arguments(command->options, words.subspan(used)));
}

}  // namespace
}  // namespace pagoda::tool

int main(int argc, char** argv) {
    using namespace pagoda::tool;
    std::setvbuf(stdout, nullptr, _IOLBF, 0);
    try {
        return run(std::span<const char* const>(argv, size_t(argc)).subspan(argc > 0 ? 1 : 0));
    } catch (const UsageFailure& failure) {
        std::fprintf(stderr, "pagoda: %s\ntry \"pagoda --help\"\n", failure.what());
        return exit_usage;
    } catch (const std::exception& failure) {
        std::fprintf(stderr, "pagoda: %s\n", failure.what());
        return exit_failure;
    }
}
