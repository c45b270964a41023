// Action: what a frame asks the page to do. A frame changes nothing itself; the page applies the actions
// after it and sends new messages.
#pragma once
#include <string>
#include <string_view>

namespace memwall {

// All actions of a frame as one text: parts end with the unit separator, actions with the record separator;
// what a user types cannot hold either, a text field takes no control characters.
class Actions {
  public:
    // name, and what belongs to it: ("set", "batch.micro_batch_size", "8")
    void add(std::string_view name, std::string_view first = {}, std::string_view second = {});
    std::string take();
    bool empty() const { return text_.empty(); }

  private:
    std::string text_;
};

}  // namespace memwall
