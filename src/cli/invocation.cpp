#include "cli/invocation.hpp"

#include "base/nearest.hpp"
#include "export/share.hpp"
#include "import/import_text.hpp"
#include "import/scenario.hpp"

namespace memwall {
namespace {

// One pass over the arguments.
class Reader {
  public:
    explicit Reader(std::span<const std::string_view> arguments) : arguments_(arguments) {}

    Result<Invocation> read() {
        for (; at_ < arguments_.size(); ++at_) {
            const std::string_view argument = arguments_[at_];
            if (argument == "-h") {
                ask_for("help");
            } else if (!argument.starts_with("--")) {
                add_word(argument);
            } else if (Failure failure = option(argument.substr(2))) {
                return *failure;
            }
        }
        return std::move(out_);
    }

  private:
    void add_word(std::string_view word) {
        if (out_.verb.empty())
            out_.verb = word;
        else
            out_.words.push_back(word);
    }

    // "memwall solve --help" is "memwall help solve".
    void ask_for(std::string_view verb) {
        if (!out_.verb.empty()) out_.words.insert(out_.words.begin(), out_.verb);
        out_.verb = verb;
    }

    bool has_value() const { return at_ + 1 < arguments_.size() && !arguments_[at_ + 1].starts_with("--"); }

    Result<std::string_view> value_of(std::string_view name) {
        if (has_value()) return arguments_[++at_];
        return Error{ErrorCode::Malformed, name, "--" + std::string(name) + " needs a value",
                     "--" + std::string(name) + " VALUE"};
    }

    std::string_view* own_text(std::string_view name) {
        if (name == "config") return &out_.config;
        if (name == "only") return &out_.only;
        if (name == "worst") return &out_.worst;
        if (name == "step") return &out_.step;
        if (name == "methods") return &out_.methods;
        return name == "last-layers" ? &out_.last_layers : nullptr;
    }

    // Options that are no fields; false: it is something else.
    Result<bool> own_option(std::string_view name) {
        if (name == "json" || name == "markdown") {
            const OutputFormat asked = name == "json" ? OutputFormat::Json : OutputFormat::Markdown;
            if (out_.format != OutputFormat::Text && out_.format != asked)
                return Error{ErrorCode::Inconsistent, name, "--json and --markdown are two forms of one answer",
                             "give one of them"};
            out_.format = asked;
        } else if (name == "tree") {
            out_.detail = Detail::Tree;
        } else if (name == "intervals") {
            out_.detail = Detail::Intervals;
        } else if (name == "help" || name == "version") {
            ask_for(name);
        } else if (std::string_view* text = own_text(name)) {
            MEMWALL_TRY(value, value_of(name));
            *text = value;
        } else {
            return false;
        }
        return true;
    }

    static bool is_truth(std::string_view word) {
        for (const std::string_view known : {"true", "false", "yes", "no", "on", "off", "1", "0"})
            if (same_word(word, known)) return true;
        return false;
    }

    Failure option(std::string_view text) {
        const std::size_t equals = text.find('=');
        const std::string_view name = text.substr(0, equals);
        if (equals == std::string_view::npos) {
            MEMWALL_TRY(own, own_option(name));
            if (own) return std::nullopt;
            if (const FieldRow* denied = name.starts_with("no-") ? find_field(name.substr(3)) : nullptr;
                denied != nullptr && denied->kind == FieldKind::Flag) {
                out_.settings.emplace_back(denied->id, "false");
                return std::nullopt;
            }
        }
        MEMWALL_TRY(row, named_field(name));
        if (equals != std::string_view::npos) {
            out_.settings.emplace_back(row->id, text.substr(equals + 1));
        } else if (row->kind == FieldKind::Flag && !(has_value() && is_truth(arguments_[at_ + 1]))) {
            out_.settings.emplace_back(row->id, "true");
        } else {
            MEMWALL_TRY(value, value_of(name));
            out_.settings.emplace_back(row->id, value);
        }
        return std::nullopt;
    }

    std::span<const std::string_view> arguments_;
    std::size_t at_ = 0;
    Invocation out_;
};

// "...#v1&key=value", also of a version that is older or newer than ours: reading it says so.
bool is_share_link(std::string_view word) {
    const std::size_t hash = word.find('#');
    std::string_view fragment = hash == std::string_view::npos ? word : word.substr(hash + 1);
    if (!fragment.starts_with('v')) return false;
    const std::size_t end = fragment.find_first_not_of("0123456789", 1);
    return end != std::string_view::npos && end > 1 && fragment[end] == '&';
}

std::string_view file_name(std::string_view path) {
    if (path == "-") return "scenario";  // what the module calls the text it is given: errors are the same bytes
    const std::size_t slash = path.rfind('/');
    return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

Result<Scenario> from_word(std::string_view word, const Machine& machine, Notes& notes) {
    if (word.empty()) return Scenario{};
    if (is_share_link(word)) {
        const std::size_t hash = word.find('#');
        return scenario_from_share(hash == std::string_view::npos ? word : word.substr(hash), notes).scenario;
    }
    MEMWALL_TRY(text, machine.read_file(word));
    return import_text(text, file_name(word), notes);
}

// What a config.json says about the model, over what the scenario said.
Failure add_config(Scenario& scenario, std::string_view path, const Machine& machine, Notes& notes) {
    MEMWALL_TRY(text, machine.read_file(path));
    MEMWALL_TRY(imported, import_text(text, file_name(path), notes));
    scenario.model = imported.model;
    for (const FieldRow& row : fields())
        if (row.group == FieldGroup::Model || row.group == FieldGroup::Architecture)
            scenario.given.set(index(row.id), is_given(imported, row.id));
    return std::nullopt;
}

}  // namespace

Result<Invocation> invocation_from(std::span<const std::string_view> arguments) { return Reader(arguments).read(); }

Result<Scenario> scenario_of(const Invocation& invocation, std::string_view file, const Machine& machine,
                             Notes& notes) {
    MEMWALL_TRY(scenario, from_word(file, machine, notes));
    if (!invocation.config.empty())
        if (Failure failure = add_config(scenario, invocation.config, machine, notes)) return *failure;
    for (const auto& [id, value] : invocation.settings)
        if (Failure failure = set_field(scenario, id, value)) return *failure;
    return std::move(scenario);
}

}  // namespace memwall
