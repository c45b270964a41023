#include "ui/message.hpp"

#include <cstring>

namespace memwall {

void MessageReader::fail() {
    failed_ = true;
    rest_ = {};
}

void MessageReader::take(void* target, std::size_t size) {
    if (rest_.size() < size) return fail();
    std::memcpy(target, rest_.data(), size);
    rest_.remove_prefix(size);
}

// The number after a tag: how many bytes or values follow. None is longer than what is left, so nothing is
// allocated for a count that cannot be true.
std::uint32_t MessageReader::open(char tag) {
    char found = 0;
    std::uint32_t count = 0;
    take(&found, 1);
    if (failed_ || found != tag) return fail(), 0;
    take(&count, sizeof count);
    if (count > rest_.size()) return fail(), 0;
    return count;
}

void MessageReader::value(std::string& text) {
    const std::uint32_t length = open('s');
    text.assign(rest_.substr(0, length));
    if (!failed_) rest_.remove_prefix(length);
}

void MessageReader::value(double& number) {
    char found = 0;
    take(&found, 1);
    if (failed_ || found != 'n') return fail();
    take(&number, sizeof number);
}

void MessageReader::value(int& number) {
    double wide = 0;
    value(wide);
    if (!(wide >= -2147483648.0 && wide <= 2147483647.0)) return fail();
    number = static_cast<int>(wide);
}

void MessageReader::value(std::uint32_t& number) {
    double wide = 0;
    value(wide);
    if (!(wide >= 0 && wide <= 4294967295.0)) return fail();
    number = static_cast<std::uint32_t>(wide);
}

void MessageReader::value(bool& flag) {
    char found[2] = {};
    take(found, sizeof found);
    if (failed_ || found[0] != 'b' || (found[1] != 0 && found[1] != 1)) return fail();
    flag = found[1] == 1;
}

}  // namespace memwall
