#include "cli/invocation.hpp"

#include <algorithm>
#include <optional>

#include "base/nearest.hpp"
#include "base/utf8.hpp"
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

    Result<std::string_view> value_of(std::string_view name, const FieldRow* row = nullptr) {
        if (behind_equals_) return *behind_equals_;
        if (has_value()) return arguments_[++at_];
        const bool has_limits = row != nullptr && row->kind != FieldKind::Text;
        return Error{ErrorCode::Malformed, row != nullptr ? row->key : name,
                     "--" + std::string(name) + " needs a value",
                     has_limits ? "allowed: " + allowed_text(*row) : "--" + std::string(name) + " VALUE"};
    }

    std::string_view* own_text(std::string_view name) {
        if (name == "config") return &out_.config;
        if (name == "only") return &out_.only;
        if (name == "worst") return &out_.worst;
        if (name == "step") return &out_.step;
        if (name == "at") return &out_.at;
        if (name == "max-split-size-mb") return &out_.max_split;
        if (name == "methods") return &out_.methods;
        return name == "last-layers" ? &out_.last_layers : nullptr;
    }

    static bool takes_no_value(std::string_view name) {
        for (const std::string_view known : {"json", "markdown", "tree", "intervals", "every", "help", "version"})
            if (name == known) return true;
        return false;
    }

    // Options that are no fields; false: it is something else.
    Result<bool> own_option(std::string_view name) {
        if (behind_equals_ && takes_no_value(name))
            return Error{ErrorCode::Malformed, name,
                         "--" + std::string(name) + " takes no value, not \"" + excerpt(*behind_equals_, 60) + "\"",
                         "--" + std::string(name)};
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
        } else if (name == "every") {
            out_.detail = Detail::Every;
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
        behind_equals_.reset();
        if (equals != std::string_view::npos) behind_equals_ = text.substr(equals + 1);
        MEMWALL_TRY(own, own_option(name));
        if (own) return std::nullopt;
        if (!behind_equals_) {
            if (const FieldRow* denied = name.starts_with("no-") ? find_field(name.substr(3)) : nullptr;
                denied != nullptr && denied->kind == FieldKind::Flag) {
                out_.settings.emplace_back(denied->id, "false");
                return std::nullopt;
            }
        }
        MEMWALL_TRY(row, named_field(name));
        if (!behind_equals_ && row->kind == FieldKind::Flag && !(has_value() && is_truth(arguments_[at_ + 1]))) {
            out_.settings.emplace_back(row->id, "true");
            if (has_value()) out_.doubtful.emplace_back(arguments_[at_ + 1], row->id);
        } else {
            MEMWALL_TRY(value, value_of(name, row));
            out_.settings.emplace_back(row->id, value);
        }
        return std::nullopt;
    }

    std::span<const std::string_view> arguments_;
    std::size_t at_ = 0;
    std::optional<std::string_view> behind_equals_;  // "--field=value"
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

bool says_a_model(const Scenario& scenario) {
    for (const FieldRow& row : fields())
        if ((row.group == FieldGroup::Model || row.group == FieldGroup::Architecture) && is_given(scenario, row.id))
            return true;
    return false;
}

// What a config.json says about the model, over what the scenario said.
Failure add_config(Scenario& scenario, std::string_view path, const Machine& machine, Notes& notes) {
    MEMWALL_TRY(text, machine.read_file(path));
    MEMWALL_TRY(imported, import_text(text, file_name(path), notes, ImportAs::Config));
    if (says_a_model(scenario)) notes.add("model", "the scenario's model is replaced by that of " + std::string(path));
    scenario.model = imported.model;
    for (const FieldRow& row : fields())
        if (row.group == FieldGroup::Model || row.group == FieldGroup::Architecture)
            scenario.given.set(index(row.id), is_given(imported, row.id));
    return std::nullopt;
}

// As plan/model_defaults does over a model of the catalogue: a dimension is noted, another family is another model.
Failure note_stated_over(const Invocation& invocation, const Scenario& read, Notes& notes) {
    const std::string& own = read.model.architecture.model_type;
    const std::string file(file_name(invocation.config));
    std::string keys;
    for (const auto& [id, value] : invocation.settings) {
        if (id == FieldId::ModelType && !own.empty() && value != own)
            return Error{ErrorCode::Inconsistent, field(id).key,
                         std::string(field(id).key) + " is " + value + ", and " + file + " is a " + own,
                         "leave one of the two out"};
        if (field(id).group == FieldGroup::Architecture && id != FieldId::ModelType)
            keys += (keys.empty() ? "" : ", ") + std::string(field(id).key);
    }
    if (!keys.empty()) notes.add("model", "stated over " + file + ": " + keys);
    return std::nullopt;
}

}  // namespace

Result<Invocation> invocation_from(std::span<const std::string_view> arguments) { return Reader(arguments).read(); }

Failure no_value_of_a_flag(const Invocation& invocation, std::string_view word) {
    for (const auto& [doubtful, id] : invocation.doubtful)
        if (doubtful == word) return value_from_text(field(id), word).error();
    return std::nullopt;
}

Result<Scenario> scenario_of(const Invocation& invocation, std::string_view file, const Machine& machine,
                             Notes& notes) {
    auto read = from_word(file, machine, notes);
    if (!read) {
        if (Failure meant = no_value_of_a_flag(invocation, file)) return *meant;
        return read.error();
    }
    Scenario& scenario = *read;
    const auto names_a_model = [](const auto& setting) { return setting.first == FieldId::ModelRef; };
    if (!invocation.config.empty() &&
        std::any_of(invocation.settings.begin(), invocation.settings.end(), names_a_model))
        return Error{ErrorCode::Inconsistent, field(FieldId::ModelRef).key,
                     "--model and --config each say which model it is", "give one of them"};
    if (!invocation.config.empty())
        if (Failure failure = add_config(scenario, invocation.config, machine, notes)) return *failure;
    if (!invocation.config.empty())
        if (Failure failure = note_stated_over(invocation, scenario, notes)) return *failure;
    for (const auto& [id, value] : invocation.settings)
        if (Failure failure = set_field(scenario, id, value)) return *failure;
    return std::move(scenario);
}

}  // namespace memwall
