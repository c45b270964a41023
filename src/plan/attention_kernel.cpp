#include "plan/attention_kernel.hpp"

#include "base/word_list.hpp"
#include "model/model_program.hpp"
#include "model/parameters.hpp"
#include "plan/implementation_version.hpp"
#include "plan/methods.hpp"

namespace memwall {

std::string_view name(AttentionKernel kernel) {
    constexpr WordList kNames = "eager code|math kernel|memory-efficient kernel|flash kernel";
    static_assert(static_cast<int>(AttentionKernel::Eager) == 0 && static_cast<int>(AttentionKernel::Flash) == 3);
    return kNames[static_cast<std::size_t>(kernel)];
}

KernelChoice kernel_here(const Scenario& s, AttentionKernel wanted) {
    const Architecture& a = s.model.architecture;
    if (wanted == AttentionKernel::Eager || only_eager_attention(a))
        return {AttentionKernel::Eager, "the model's code has no other"};
    if (wanted == AttentionKernel::SdpaMath) return {wanted, ""};
    constexpr std::int64_t kFlashLargestHead = 256;
    const bool half = attends_in_16_bits(s);
    // In an encoder-decoder only what looks at the source is masked; the blocks decide. A mask without padding is
    // dropped by transformers before the kernel is chosen.
    const bool masked = s.batch.attention_mask == AttentionMask::Padded && a.kind != ArchitectureKind::EncoderDecoder;
    const auto [rotated, passed] = head_parts(a);
    const std::int64_t width = rotated + passed;
    const std::string_view reason = !half                       ? "its operands have 32 bits"
                                    : masked                    ? "padded sequences have a mask"
                                    : width > kFlashLargestHead ? "heads are wider than 256"
                                    : a.kv_lora_rank != 0 && a.v_head_dim != width
                                        ? "keys and values have different widths"
                                        : "";
    // Layers whose window is shorter than the sequence have a mask, which repeats key/value heads; the blocks decide.
    const bool windows = s.batch.sequence_length >= window_reach(a) && has_sliding_layers(a);
    const bool falcon = a.model_type == "falcon";
    if (falcon && a.num_key_value_heads == 1 && a.num_attention_heads > 1)
        return {AttentionKernel::SdpaMath, "one head of keys and values stands for all queries"};
    if (wanted == AttentionKernel::Flash && reason.empty())
        return {wanted, windows ? "its operands have 16 bits; layers whose window is shorter than the sequence have a "
                                  "mask, and take the memory-efficient one"
                                : "its operands have 16 bits, and no mask"};
    const bool repeats =
        s.implementation.name == ImplementationName::Litgpt || transformers_major(s.implementation.version) == 4;
    const bool own_copies = falcon && a.num_key_value_heads > 1;  // it repeats them itself
    const bool equal_heads = own_copies || masked || repeats || a.num_attention_heads == a.num_key_value_heads;
    if (width % (half ? 8 : 4) != 0) return {AttentionKernel::SdpaMath, "the width of its heads is odd for the others"};
    if (!equal_heads && windows)
        return {AttentionKernel::SdpaEfficient,
                "layers with a window have a mask; the others, with fewer heads of keys and values, take the math "
                "kernel and keep every score"};
    if (!equal_heads) return {AttentionKernel::SdpaMath, "there are fewer heads of keys and values than of queries"};
    return {AttentionKernel::SdpaEfficient, reason};
}

}  // namespace memwall
