// The command line: a command of one or two words, then options "--name value", "--name=value" or
// "--flag". A command declares its options in a table, which also makes its help.
#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace pagoda::tool {

struct Option {
    const char* name;      // without dashes
    const char* value;     // what the help calls the value; nullptr for a flag
    const char* fallback;  // used when the option is absent; "" for none
    const char* help;
};

class Arguments {
  public:
    // Throws UsageFailure for an unknown option, a missing value or a stray word.
    Arguments(std::span<const Option> options, std::span<const char* const> words);

    const std::string& text(const std::string& name) const;
    bool flag(const std::string& name) const { return text(name) == "on"; }
    size_t count(const std::string& name) const;  // throws UsageFailure unless a whole number
    double real(const std::string& name) const;
    std::vector<std::string> list(const std::string& name) const;  // separated by commas

  private:
    std::map<std::string, std::string> values_;
};

struct Command {
    const char* name;
    const char* summary;
    std::span<const Option> options;
    int (*run)(const Arguments& arguments);  // returns an ExitCode
};

std::string command_help(const Command& command);

}  // namespace pagoda::tool
