// Reads the values of a config.json object by any of their names, and remembers the first error.
//
// A value that is absent or null changes nothing. A text for a number, a fraction, a zero or a negative number
// where none is allowed, a number above the limit of its field, a key that stands twice: the error names the key, the
// value and what is allowed.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.hpp"
#include "import/json_value.hpp"

namespace memwall {

// The names of one value, separated by spaces, the usual one first: "hidden_size n_embd d_model".
using Names = std::string_view;

class ConfigReader {
  public:
    ConfigReader(const JsonValue& object, std::string_view file, std::string_view path = {})
        : object_(&object), file_(file), path_(path) {}

    bool has(Names);
    // A whole number of at least `minimum`.
    void size(Names, std::int64_t& into, std::int64_t minimum = 1);
    void flag(Names, bool& into);
    // A number from 0 to 1, in thousandths.
    void permille(Names, std::int64_t& into);
    bool is_text(Names);
    bool is_object(std::string_view key);
    std::optional<std::string_view> word(Names);
    // The word behind these names is none of those that are known.
    void refuse_word(Names, std::string_view known);
    std::vector<std::string_view> words(Names);
    std::vector<std::int64_t> sizes(Names);
    // One number, or a list of them (then the first, and all of them in `list`).
    void size_or_sizes(Names, std::int64_t& into, std::vector<std::int64_t>& list);
    // The object behind a key, with the same memory for errors; empty where there is none.
    std::optional<ConfigReader> object(std::string_view key);
    std::int64_t entries(std::string_view key);  // of an object or a list
    std::string_view class_name();               // the first of "architectures", or nothing

    const Failure& failure() const { return failure_; }
    void take_failure(const ConfigReader& other) {
        if (!failure_ && other.failure_) failure_ = other.failure_;
    }
    void fail(Error error) {
        if (!failure_) failure_ = std::move(error);
    }
    // What the value of a key says is known, and not counted: then the whole model is not.
    void not_counted(std::string_view key, Pieces message, std::string_view counted);
    std::string where(std::string_view key) const;  // "config.json: text_config.n_embd"

  private:
    struct Found {
        std::string_view key;
        const JsonValue* value = nullptr;
    };
    Found find(Names);
    void refuse(const Found&, std::string_view allowed);
    std::optional<std::int64_t> whole(const Found&, Names, std::int64_t minimum);

    const JsonValue* object_;
    std::string_view file_;
    std::string path_;
    Failure failure_;
};

}  // namespace memwall
