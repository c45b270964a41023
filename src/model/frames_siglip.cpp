// SigLIP's image tower: positions for every patch, no class token; classification by the mean of the patches. Its
// pooling head runs beside that without anybody asking: what it keeps lives until the model has returned.
#include "model/model_frame.hpp"

namespace memwall {

void make_siglip_outside(ModelFrame& m) {
    make_patch_filter(m);
    m.position_weight = make_parameter(m.c, "position_embedding", Shape{m.c.d.tokens, m.c.d.hidden});
}

void make_siglip_head(ModelFrame& m) {
    Context& c = m.c;
    m.final_norm = make_norm(c, "post_layernorm", c.d.hidden);
    const auto first = static_cast<std::ptrdiff_t>(c.parameters.size());
    m.pooling.emplace_back(c, BlockProgram::SiglipPooling);
    for (auto made = c.parameters.begin() + first; made != c.parameters.end(); ++made)
        if (made->requires_grad()) m.not_reached.push_back(*made);
    make_classifier(m, c.d.hidden);
}

Tensor embed_siglip(ModelFrame& m) {
    Context& c = m.c;
    const InModule module(c.r, "embeddings");
    const Tensor rows = patch_rows(m);
    const Tensor ids = c.r.resident(Shape{0, c.d.tokens}, Dtype::Int64);
    return m.keep_local(add(rows, embedding(ids, m.position_weight)));
}

// Autograd sees what the pooling head consists of while it runs, and what updates parameters does not.
Tensor finish_siglip(ModelFrame& m, Tensor hidden) {
    hidden = run(m.c, m.final_norm, std::move(hidden));
    for (const bool runs : {true, false}) {
        for (const Tensor& t : m.not_reached)
            m.c.r.at(t).requires_grad = runs;
        if (runs) m.pooled = m.pooling.front()(m.c, hidden);
    }
    return hidden;
}

Tensor siglip_logits(ModelFrame& m, const Tensor& hidden) {
    m.pooler_input = mean(hidden, 1);
    return run(m.c, m.head, m.pooler_input);
}

}  // namespace memwall
