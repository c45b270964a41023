// Message: what the page hands to the canvas, as one run of bytes.
//
// A value is a tag and its contents, little-endian: 's' length (u32) bytes, 'n' number (f64), 'b' flag (u8),
// '[' count (u32) values, '{' count (u32) values of an object's members in the order of the struct that reads
// them. Member names are not sent; a wrong tag or count makes the whole message unreadable, so that a page
// and a canvas of different versions cannot misunderstand each other. web/canvas-message.mjs writes it.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace memwall {

class MessageReader {
  public:
    explicit MessageReader(std::string_view bytes) : rest_(bytes) {}

    void value(std::string&);
    void value(double&);
    void value(int&);
    void value(bool&);
    void value(std::uint32_t&);
    template <class T>
    void value(std::vector<T>& list) {
        const std::uint32_t count = open('[');
        list.clear();
        for (std::uint32_t i = 0; i < count && !failed_; ++i)
            value(list.emplace_back());
    }
    template <class T>
    void value(T& object) {
        members(*this, object);
    }
    // The members of one object, in order.
    template <class... Parts>
    void operator()(Parts&... parts) {
        if (open('{') != sizeof...(parts)) fail();
        (value(parts), ...);
    }

    // Everything was read, and nothing is left.
    bool complete() const { return !failed_ && rest_.empty(); }

  private:
    std::uint32_t open(char tag);
    void take(void* target, std::size_t size);
    void fail();

    std::string_view rest_;
    bool failed_ = false;
};

// True when all of the message was one T; otherwise `target` keeps what it was.
template <class T>
bool read_message(std::string_view bytes, T& target) {
    MessageReader reader(bytes);
    T fresh{};
    reader.value(fresh);
    if (!reader.complete()) return false;
    target = static_cast<T&&>(fresh);
    return true;
}

}  // namespace memwall
