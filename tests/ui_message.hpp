// Messages as the page writes them (web/canvas-message.mjs), for tests of the canvas without a page.
#pragma once
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "ui/inputs.hpp"
#include "ui/instants.hpp"
#include "ui/panels.hpp"

namespace memwall {

class MessageWriter {
  public:
    void value(std::string& text) {
        open('s', text.size());
        bytes_ += text;
    }
    void value(double number) {
        bytes_ += 'n';
        char raw[sizeof number];
        std::memcpy(raw, &number, sizeof number);
        bytes_.append(raw, sizeof raw);
    }
    void value(int number) { value(static_cast<double>(number)); }
    void value(std::uint32_t number) { value(static_cast<double>(number)); }
    void value(bool flag) {
        bytes_ += 'b';
        bytes_ += flag ? '\1' : '\0';
    }
    template <class T>
    void value(std::vector<T>& list) {
        open('[', list.size());
        for (T& item : list)
            value(item);
    }
    template <class T>
    void value(T& object) {
        members(*this, object);
    }
    template <class... Parts>
    void operator()(Parts&... parts) {
        open('{', sizeof...(parts));
        (value(parts), ...);
    }
    const std::string& bytes() const { return bytes_; }

  private:
    void open(char tag, std::size_t count) {
        bytes_ += tag;
        for (int shift = 0; shift < 32; shift += 8)
            bytes_ += static_cast<char>((count >> shift) & 255);
    }
    std::string bytes_;
};

template <class T>
std::string message_from(T content) {
    MessageWriter writer;
    writer.value(content);
    return writer.bytes();
}

}  // namespace memwall
