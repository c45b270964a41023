// Every block program, run under everything it may branch on: the machine asserts what it reads.
#include <catch_amalgamated.hpp>

#include "model/families.hpp"
#include "model/model_program.hpp"
#include "model/program_tables.hpp"

namespace memwall::testing {

namespace {

// Small sizes, under which every family has its program.
Architecture small(const FamilyRow& row) {
    Architecture a = architecture_from_family(row);
    a.hidden_size = 64;
    a.intermediate_size = 96;
    a.num_hidden_layers = 4;
    a.num_attention_heads = a.num_key_value_heads = 4;
    a.head_dim = 16;
    a.vocab_size = 1000;
    a.max_position_embeddings = a.learned_positions = 128;
    if (row.block == BlockFamily::Mixtral || row.block == BlockFamily::QwenMoe) {
        a.num_experts = 8;
        a.num_experts_per_tok = 2;
        a.moe_intermediate_size = 32;
    }
    if (row.kind == ArchitectureKind::Encoder) a.task_head = TaskHead::MaskedLm;
    if (row.kind == ArchitectureKind::EncoderDecoder) {
        a.encoder_decoder.num_encoder_layers = a.encoder_decoder.num_decoder_layers = 4;
        a.encoder_decoder.relative_buckets = 32;
    }
    if (row.kind == ArchitectureKind::Vision) {
        a.image.image_size = 64;
        a.image.patch_size = 16;
        a.num_labels = 10;
        a.task_head = TaskHead::ImageClassification;
    }
    return with_defaults(a);
}

// What is allocated must be released: only what stays for the next step is left at the end.
std::int64_t left_over(const Tape& tape) {
    std::int64_t out = 0;
    for (const TapeEvent& e : tape.events)
        out +=
            (e.tensors > 0 ? 1 : -1) *
            bytes(tape.sizes[static_cast<std::size_t>(tape.rows[static_cast<std::size_t>(e.row)].size)], tape.symbols);
    return out;
}

void run_every_branch(const Architecture& a) {
    for (const AttentionVariant attention :
         {AttentionVariant::Eager, AttentionVariant::Math, AttentionVariant::Efficient, AttentionVariant::Flash})
        for (const RecomputeVariant recompute : {RecomputeVariant::None, RecomputeVariant::Full})
            for (const TrainVariant train : {TrainVariant::Full, TrainVariant::Adapters}) {
                Variant v;
                v.attention = attention;
                v.recompute = recompute;
                v.train = train;
                v.adapter = train == TrainVariant::Full ? AdapterVariant::None : AdapterVariant::Lora;
                v.adapter_projections = 0x7FF;
                v.weights = attention == AttentionVariant::Efficient ? Dtype::Fp32 : Dtype::Bf16;
                v.autocast = v.weights == Dtype::Fp32;
                v.mask = recompute == RecomputeVariant::None ? MaskVariant::None : MaskVariant::Padded;
                const std::int64_t tokens = a.kind == ArchitectureKind::Vision ? 16 + class_tokens(a) : 33;
                const std::int64_t targets = a.kind == ArchitectureKind::EncoderDecoder ? 9 : 0;
                const Tape tape = record_step({a, v, 2, tokens, targets, train == TrainVariant::Adapters ? 4 : 0});
                INFO(a.model_type);
                CHECK(tape.events.size() > 100);
                CHECK(left_over(tape) >= 0);
            }
}

}  // namespace

TEST_CASE("every block program runs under every kind of attention, with and without checkpointing and adapters",
          "[model][program]") {
    int run = 0;
    for (const FamilyRow& row : families()) {
        const Architecture a = small(row);
        if (!has_block_program(a)) continue;
        ++run;
        run_every_branch(a);
    }
    CHECK(run >= 38);
}

TEST_CASE("every function of the block programs begins with an instruction and ends with a return",
          "[model][program]") {
    const ProgramTables& tables = program_tables();
    std::size_t last = 0;
    for (std::size_t i = 0; i < tables.functions.size(); ++i) {
        const std::size_t part = tables.functions[i].code >> 15U, begin = tables.functions[i].code & 0x7fffU;
        if (i + 1 == tables.functions.size() || tables.functions[i + 1].code >> 15U != part) {
            CHECK(part == last++);  // the last of its part; where it ends is not written down
            continue;
        }
        const std::size_t end = tables.functions[i + 1].code & 0x7fffU;
        REQUIRE(end >= begin + 2U);
        CHECK(*tables.code[part](end - 2) == static_cast<std::uint8_t>(Verb::Return));
    }
    CHECK(last == tables.code.size());
    CHECK(tables.programs.size() == static_cast<std::size_t>(kBlockPrograms));
}

}  // namespace memwall::testing
