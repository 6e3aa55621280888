// Parser of options and printer of their help.
#include "tools/pagoda/arguments.h"

#include <charconv>
#include <cstring>
#include <sstream>

#include "core/base/check.h"
#include "tools/pagoda/failure.h"

namespace pagoda::tool {
namespace {

const Option& find_option(std::span<const Option> options, const std::string& name) {
    for (const Option& option : options) {
        if (name == option.name) return option;
    }
    throw UsageFailure("unknown option --" + name);
}

template <class T>
T parse_number(const std::string& name, const std::string& text) {
    T value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size()) {
        throw UsageFailure("--" + name + " needs a number, not \"" + text + "\"");
    }
    return value;
}

}  // namespace

Arguments::Arguments(std::span<const Option> options, std::span<const char* const> words) {
    for (const Option& option : options) values_[option.name] = option.fallback;
    for (size_t i = 0; i < words.size(); ++i) {
        const std::string word = words[i];
        if (!word.starts_with("--")) throw UsageFailure("unexpected argument \"" + word + "\"");
        const size_t equals = word.find('=');
        const std::string name = word.substr(2, equals == std::string::npos ? equals : equals - 2);
        const Option& option = find_option(options, name);
        if (option.value == nullptr) {
            if (equals != std::string::npos) throw UsageFailure("--" + name + " takes no value");
            values_[name] = "on";
        } else if (equals != std::string::npos) {
            values_[name] = word.substr(equals + 1);
        } else if (++i < words.size()) {
            values_[name] = words[i];
        } else {
            throw UsageFailure("--" + name + " needs a value");
        }
    }
}

const std::string& Arguments::text(const std::string& name) const {
    const auto found = values_.find(name);
    check_always(found != values_.end());
    return found->second;
}

size_t Arguments::count(const std::string& name) const {
    return parse_number<size_t>(name, text(name));
}

double Arguments::real(const std::string& name) const {
    return parse_number<double>(name, text(name));
}

std::vector<std::string> Arguments::list(const std::string& name) const {
    std::vector<std::string> items;
    std::istringstream stream(text(name));
    std::string item;
    while (std::getline(stream, item, ',')) {
        if (!item.empty()) items.push_back(item);
    }
    return items;
}

std::string command_help(const Command& command) {
    std::string help = std::string("usage: pagoda ") + command.name + " [options]\n\n" +
                       command.summary + "\n\noptions:\n";
    for (const Option& option : command.options) {
        std::string left = std::string("  --") + option.name;
        if (option.value != nullptr) left += std::string(" ") + option.value;
        left.resize(std::max<size_t>(left.size() + 2, 30), ' ');
        help += left + option.help;
        if (option.fallback[0] != '\0') help += std::string(" (default ") + option.fallback + ")";
        help += "\n";
    }
    return help;
}

}  // namespace pagoda::tool
