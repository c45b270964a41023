#include "golden/oracle_record.hpp"

#include <yyjson.h>

#include <algorithm>
#include <cassert>
#include <cstdlib>

#include "memory/evaluate.hpp"
#include "memory/lower.hpp"
#include "model/facts.hpp"
#include "model/families.hpp"
#include "plan/fields.hpp"

namespace memwall::testing {

namespace {

struct Json {
    yyjson_val* v = nullptr;
    Json operator[](const char* key) const { return {yyjson_obj_get(v, key)}; }
    bool given() const { return v != nullptr && !yyjson_is_null(v); }
    std::int64_t number(std::int64_t otherwise = 0) const { return yyjson_is_int(v) ? yyjson_get_sint(v) : otherwise; }
    double fraction() const { return yyjson_is_num(v) ? yyjson_get_num(v) : 0; }
    bool flag() const { return yyjson_get_bool(v); }
    std::string_view text() const { return yyjson_is_str(v) ? std::string_view(yyjson_get_str(v)) : ""; }
};

void set_facts(Architecture& a, const Json& group) {
    yyjson_obj_iter it = yyjson_obj_iter_with(group.v);
    while (yyjson_val* key = yyjson_obj_iter_next(&it)) {
        const Json value{yyjson_obj_iter_get_val(key)};
        const std::string_view name = yyjson_get_str(key);
        if (name == "partial_rotary_factor")
            a.partial_rotary_permille = static_cast<std::int64_t>(value.fraction() * 1000 + 0.5);
        if (name == "relative_attention_num_buckets") a.encoder_decoder.relative_buckets = value.number();
        if (name == "word_embed_proj_dim") a.embedding_size = value.number();
        if (name == "num_encoder_layers") a.encoder_decoder.num_encoder_layers = value.number();
        if (name == "num_decoder_layers") a.encoder_decoder.num_decoder_layers = value.number();
        if (name == "layer_types")
            for (std::size_t i = 0; i < yyjson_arr_size(value.v); ++i)
                a.layer_pattern += std::string_view(yyjson_get_str(yyjson_arr_get(value.v, i)))[0] == 'f' ? 'F' : 'S';
        if (name == "layer_pattern") a.layer_pattern = value.text();
        const FactRow* fact = find_fact(name);
        if (!fact || !value.given()) continue;
        if (yyjson_is_bool(value.v))
            set_fact(*fact, a, value.flag() ? 1 : 0);
        else if (yyjson_is_str(value.v))
            set_fact(*fact, a, index_of_word(*fact, value.text()));
        else
            set_fact(*fact, a, value.number());
    }
}

template <class Enum>
Enum word(const Json& value, std::initializer_list<std::string_view> words, Enum otherwise) {
    int at = 0;
    for (const std::string_view w : words) {
        if (w == value.text()) return static_cast<Enum>(at);
        ++at;
    }
    return otherwise;
}

// By the words of a field.
template <class Enum>
Enum word_of(const Json& value, FieldId id, Enum otherwise) {
    int at = 0;
    for (const std::string_view known : field(id).choices) {
        if (known == value.text()) return static_cast<Enum>(at);
        ++at;
    }
    return otherwise;
}

std::uint64_t set_bits(const Json& list, FieldId id) {
    std::uint64_t out = 0;
    for (std::size_t i = 0; i < yyjson_arr_size(list.v); ++i) {
        std::uint64_t bit = 1;
        for (const std::string_view word : field(id).choices) {
            if (word == yyjson_get_str(yyjson_arr_get(list.v, i))) out |= bit;
            bit <<= 1U;
        }
    }
    return out;
}

void set_method(Scenario& s, const Json& m) {
    s.method.name = word_of(m["name"], FieldId::MethodName, MethodName::Full);
    s.method.rank = m["rank"].number();
    s.method.first_trainable_layer = m["first_trainable_layer"].number();
    s.method.prompt_length = m["prompt_length"].number();
    s.method.dropout_permille = static_cast<std::int64_t>(m["dropout"].fraction() * 1000 + 0.5);
    s.method.target_modules = set_bits(m["target_modules"], FieldId::TargetModules);
    s.method.modules_to_save = set_bits(m["modules_to_save"], FieldId::ModulesToSave);
    s.method.adapter_dtype = word(m["adapter_dtype"], {"fp32", "bf16", "fp16"}, AdapterDtype::Fp32);
}

void set_run(Scenario& s, const Json& r) {
    const Json p = r["precision"], b = r["batch"], v = r["savers"], o = r["optimizer"];
    s.precision.weights = word_of(p["weights"], FieldId::Weights, WeightFormat::Fp32);
    s.precision.unquantized_dtype = word(p["unquantized_dtype"], {"fp32", "bf16", "fp16"}, FloatDtype::Fp32);
    s.precision.compute = word(p["compute"], {"fp32", "bf16", "fp16"}, ComputeDtype::Fp32);
    s.precision.autocast = p["autocast"].flag();
    s.precision.gradients = word(p["gradients"], {"fp32", "bf16", "fp16"}, FloatDtype::Fp32);
    s.optimizer.name = word_of(o["name"], FieldId::OptimizerName, OptimizerName::AdamW);
    s.optimizer.state_dtype = word(o["state_dtype"], {"fp32", "bf16", "fp16"}, StateDtype::Fp32);
    s.optimizer.implementation =
        word(o["implementation"], {"foreach", "fused", "for_loop"}, OptimizerImplementation::Foreach);
    s.optimizer.in_backward = o["in_backward"].flag();
    s.batch.micro_batch_size = b["micro_batch_size"].number(1);
    s.batch.sequence_length = b["sequence_length"].number(1);
    s.batch.target_sequence_length = b["target_sequence_length"].number(0);
    s.batch.gradient_accumulation_steps = b["gradient_accumulation_steps"].number(1);
    s.batch.image_size = b["image_size"].number(0);
    s.batch.attention_mask = word(b["attention_mask"], {"none", "full", "padded"}, AttentionMask::None);
    s.savers.activation_checkpointing =
        word(v["activation_checkpointing"], {"none", "full", "selective"}, Checkpointing::None);
    s.savers.selective_policy =
        word(v["selective_policy"],
             {"torchtitan_op", "megatron_core_attention", "matmul_and_attention", "attention", "operators"},
             SelectivePolicy::TorchtitanOp);
    s.savers.kept_operators = set_bits(v["kept_operators"], FieldId::KeptOperators);
    s.savers.checkpoint_every = v["checkpoint_every"].number(1);
    s.savers.loss_chunks = v["loss_chunks"].number();
    s.savers.loss_chunk_tokens = v["loss_chunk_tokens"].number();
    s.savers.checkpoint_reentrant = v["checkpoint_reentrant"].flag();
    s.savers.keep_outputs = v["keep_outputs"].flag();
    s.savers.attention =
        word(v["attention"], {"eager", "sdpa_math", "sdpa_efficient", "flash"}, AttentionKernel::Eager);
    s.savers.loss = word(v["loss"], {"plain", "fp32_upcast", "fp32_upcast_shifted", "chunked", "fused", "fused_linear"},
                         LossKind::Plain);
    s.phases.evaluation_batch_size = r["beside"]["evaluation_batch_size"].number();
    s.phases.evaluation_samples = r["beside"]["evaluation_samples"].number();
    s.implementation.version = r["implementation"]["version"].text();
}

Architecture architecture_of(const Json& model) {
    const std::string_view type = model["config"]["model_type"].text();
    Architecture a;
    if (const FamilyRow* family = find_family(type)) a = architecture_from_family(*family);
    a.model_type = type;
    set_facts(a, model["config"]);
    set_facts(a, model["structure"]);
    return with_defaults(a);
}

}  // namespace

OracleRecord read_oracle_record(std::string_view line) {
    yyjson_doc* document = yyjson_read(line.data(), line.size(), 0);
    if (!document) std::abort();
    const Json root{yyjson_doc_get_root(document)};
    OracleRecord out;
    out.id = root["id"].text();
    out.source = root["source"].text();
    out.trainable = root["trainable"].number();
    out.scenario.task = Task::Pretrain;
    out.scenario.model.architecture = architecture_of(root["model"]);
    set_method(out.scenario, root["method"]);
    set_run(out.scenario, root);
    yyjson_obj_iter it = yyjson_obj_iter_with(root["phases"].v);
    while (yyjson_val* key = yyjson_obj_iter_next(&it)) {
        const Json value{yyjson_obj_iter_get_val(key)};
        const Json total = yyjson_is_obj(value.v) ? value["total"] : value;
        out.phases.push_back({yyjson_get_str(key), total.number()});
    }
    yyjson_doc_free(document);
    return out;
}

OraclePrediction predict(const OracleRecord& record) {
    OraclePrediction out;
    Notes notes;
    const auto program = lower(record.scenario, notes, Policy::Ledger);
    if (!program) {
        out.refused = program.error().where + ": " + program.error().message;
        return out;
    }
    out.trainable = program->trainable_parameters.value;
    const Evaluation evaluation = evaluate(*program, sizes_of(record.scenario));
    const bool accumulates = record.scenario.batch.gradient_accumulation_steps > 1;
    for (const PhaseTotals& t : evaluation.phases) {
        const std::string step = std::to_string(t.step);
        const std::string at = accumulates ? step + "." + std::to_string(t.micro_step) : step;
        out.phases.push_back({"fwd_peak_" + at, t.forward_peak.value});
        out.phases.push_back({"fwd_end_" + at, t.forward_end.value});
        out.phases.push_back({"bwd_peak_" + at, t.backward_peak.value});
        out.phases.push_back({"bwd_end_" + at, t.backward_end.value});
        if (t.optimizer_peak.value == 0) continue;
        out.phases.push_back({"opt_peak_" + step, t.optimizer_peak.value});
        out.phases.push_back({"opt_end_" + step, t.optimizer_end.value});
        out.phases.push_back({"iter_end_" + step, t.end.value});
    }
    std::int64_t peak = 0, end = 0;
    for (const Instant& instant : evaluation.instants) {
        if (instant.step != number(RunStage::Evaluation)) continue;
        peak = std::max(peak, instant.total.value);
        end = instant.total.value;
    }
    if (peak > 0) out.phases.insert(out.phases.end(), {{"eval_peak", peak}, {"eval_end", end}});
    return out;
}

}  // namespace memwall::testing
