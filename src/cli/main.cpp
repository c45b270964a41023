// memwall: the command line. All it does is in run(); here are files, the terminal and the exit status.
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <vector>

#include "cli/run.hpp"

namespace {

using namespace memwall;

struct CloseFile {
    void operator()(std::FILE* file) const {
        if (file != stdin) std::fclose(file);
    }
};

Result<std::string> read_file(std::string_view path) {
    const std::string name(path);
    const std::unique_ptr<std::FILE, CloseFile> file(path == "-" ? stdin : std::fopen(name.c_str(), "rb"));
    if (file == nullptr)
        return Error{ErrorCode::Malformed, name, "The file cannot be read: " + std::string(std::strerror(errno)),
                     "give the path of a scenario, or name a model with --model"};
    constexpr std::size_t kLongest = 64 << 20;
    std::string out;
    char buffer[1 << 16];
    for (std::size_t read = 0; out.size() <= kLongest && (read = std::fread(buffer, 1, sizeof buffer, file.get())) > 0;)
        out.append(buffer, read);
    if (std::ferror(file.get()) != 0)
        return Error{ErrorCode::Malformed, name, "The file cannot be read: " + std::string(std::strerror(errno)),
                     "give the path of a file"};
    if (out.size() > kLongest)
        return Error{ErrorCode::OutOfRange, name, "The file is longer than 64 MiB", "allowed: 64 MiB"};
    return out;
}

Style style() {
    return isatty(STDOUT_FILENO) != 0 && std::getenv("NO_COLOR") == nullptr ? Style::Colour : Style::Plain;
}

}  // namespace

int main(int count, char** values) {
    const std::vector<std::string_view> arguments(values + 1, values + count);
    const CliResult result = run(arguments, {.read_file = read_file, .style = style()});
    const bool written = std::fwrite(result.out.data(), 1, result.out.size(), stdout) == result.out.size();
    const bool arrived = std::fflush(stdout) == 0 && written;
    std::fwrite(result.err.data(), 1, result.err.size(), stderr);
    if (arrived) return static_cast<int>(result.status);
    std::fprintf(stderr, "The answer cannot be written: %s\n", std::strerror(errno));
    return static_cast<int>(ExitStatus::BadInput);
}
