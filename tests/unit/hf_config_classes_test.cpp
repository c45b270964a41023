// Configurations counted by their class: image models, two towers, single heads, and networks of diffusers.
#include <catch_amalgamated.hpp>

#include "base/notes.hpp"
#include "catalogue/catalogue.hpp"
#include "import/detect.hpp"
#include "import/hf_config.hpp"
#include "model/parameters.hpp"

using namespace memwall;

namespace {

struct Counted {
    std::int64_t parameters;
    const char* text;
};
// Counted over the model code of transformers 5.12.1, built without data.
const Counted
    kCounted
        [] =
            {
                {151277313, R"({"architectures":["CLIPModel"],"model_type":"clip"})"},
                {257056,
                 R"({"architectures":["Gemma3ForConditionalGeneration"],"model_type":"gemma3","mm_tokens_per_image":4,"text_config":{"model_type":"gemma3_text","hidden_size":64,"intermediate_size":96,"num_hidden_layers":2,"num_attention_heads":4,"num_key_value_heads":2,"head_dim":16,"vocab_size":1000},"vision_config":{"hidden_size":64,"intermediate_size":96,"num_hidden_layers":2,"num_attention_heads":4,"image_size":56,"patch_size":14}})"},
                {227776,
                 R"({"architectures":["Gemma3ForConditionalGeneration"],"model_type":"gemma3","mm_tokens_per_image":4,"text_config":{"model_type":"gemma3_text","hidden_size":64,"intermediate_size":96,"num_hidden_layers":2,"num_attention_heads":4,"num_key_value_heads":2,"head_dim":16,"vocab_size":1000},"vision_config":{"vision_use_head":false,"hidden_size":64,"intermediate_size":96,"num_hidden_layers":2,"num_attention_heads":4,"image_size":56,"patch_size":14}})"},
                {447616,
                 R"({"architectures":["Qwen2VLForConditionalGeneration"],"model_type":"qwen2_vl","hidden_size":64,"intermediate_size":96,"num_hidden_layers":2,"num_attention_heads":4,"num_key_value_heads":2,"vocab_size":1000,"vision_config":{"depth":2,"embed_dim":64,"num_heads":4,"hidden_size":64}})"},
                {418496,
                 R"({"architectures":["Qwen2_5_VLForConditionalGeneration"],"model_type":"qwen2_5_vl","hidden_size":64,"intermediate_size":96,"num_hidden_layers":2,"num_attention_heads":4,"num_key_value_heads":2,"vocab_size":1000,"vision_config":{"depth":2,"hidden_size":64,"num_heads":4,"intermediate_size":96,"out_hidden_size":64}})"},
                {288832,
                 R"({"architectures":["UMT5ForConditionalGeneration"],"model_type":"umt5","d_model":64,"d_kv":16,"d_ff":96,"num_layers":2,"num_decoder_layers":3,"num_heads":4,"vocab_size":1000,"feed_forward_proj":"gated-gelu","tie_word_embeddings":true})"},
                {427616513,
                 R"({"architectures":["CLIPModel"],"model_type":"clip","projection_dim":768,"text_config":{"hidden_size":768,"intermediate_size":3072,"num_attention_heads":12},"vision_config":{"hidden_size":1024,"intermediate_size":4096,"num_hidden_layers":24,"num_attention_heads":16,"patch_size":14}})"},
                {87456000, R"({"architectures":["CLIPVisionModel"],"model_type":"clip_vision_model"})"},
                {87849216, R"({"architectures":["CLIPVisionModelWithProjection"],"model_type":"clip_vision_model"})"},
                {63165952, R"({"architectures":["CLIPTextModel"],"model_type":"clip_text_model"})"},
                {63428096, R"({"architectures":["CLIPTextModelWithProjection"],"model_type":"clip_text_model"})"},
                {87463690, R"({"architectures":["CLIPForImageClassification"],"model_type":"clip","num_labels":10})"},
                {203155970, R"({"architectures":["SiglipModel"],"model_type":"siglip"})"},
                {1136008498,
                 R"({"architectures":["SiglipModel"],"model_type":"siglip","text_config":{"hidden_size":1152,"intermediate_size":4304,"num_hidden_layers":27,"num_attention_heads":16,"vocab_size":256000},"vision_config":{"hidden_size":1152,"intermediate_size":4304,"num_hidden_layers":27,"num_attention_heads":16,"patch_size":14,"image_size":384}})"},
                {92884224, R"({"architectures":["SiglipVisionModel"],"model_type":"siglip_vision_model"})"},
                {110271744, R"({"architectures":["SiglipTextModel"],"model_type":"siglip_text_model"})"},
                {92891914,
                 R"({"architectures":["SiglipForImageClassification"],"model_type":"siglip","num_labels":10})"},
                {86390784, R"({"architectures":["DeiTModel"],"model_type":"deit"})"},
                {85807882, R"({"architectures":["DeiTForImageClassification"],"model_type":"deit","num_labels":10})"},
                {87338192,
                 R"({"architectures":["DeiTForImageClassificationWithTeacher"],"model_type":"deit","num_labels":1000})"},
                {86389248, R"({"architectures":["ViTModel"],"model_type":"vit"})"},
                {85806346, R"({"architectures":["ViTForImageClassification"],"model_type":"vit","num_labels":10})"},
                {25557032,
                 R"({"architectures":["ResNetForImageClassification"],"model_type":"resnet","num_labels":1000,"depths":[3,4,6,3],"hidden_sizes":[256,512,1024,2048]})"},
                {23508032,
                 R"({"architectures":["ResNetModel"],"model_type":"resnet","depths":[3,4,6,3],"hidden_sizes":[256,512,1024,2048]})"},
                {11689512,
                 R"({"architectures":["ResNetForImageClassification"],"model_type":"resnet","num_labels":1000,"layer_type":"basic","hidden_sizes":[64,128,256,512],"depths":[2,2,2,2]})"},
                {4300079472,
                 R"({"architectures":["Gemma3ForConditionalGeneration"],"model_type":"gemma3","text_config":{"hidden_size":2560,"intermediate_size":10240,"model_type":"gemma3_text","num_hidden_layers":34,"sliding_window":1024},"vision_config":{"hidden_size":1152,"image_size":896,"intermediate_size":4304,"model_type":"siglip_vision_model","num_attention_heads":16,"num_hidden_layers":27,"patch_size":14,"vision_use_head":false}})"},
                {3880263168,
                 R"({"architectures":["Gemma3ForCausalLM"],"model_type":"gemma3_text","hidden_size":2560,"intermediate_size":10240,"num_hidden_layers":34})"},
                {139264,
                 R"({"architectures":["Dinov2Model"],"model_type":"dinov2","hidden_size":64,"num_hidden_layers":2,"num_attention_heads":4,"image_size":56,"patch_size":14,"mlp_ratio":4})"},
                {27519354,
                 R"({"architectures":["SwinModel"],"model_type":"swin","image_size":224,"patch_size":4,"embed_dim":96,"depths":[2,2,6,2],"num_heads":[3,6,12,24],"window_size":7})"},
                {27527044,
                 R"({"architectures":["SwinForImageClassification"],"model_type":"swin","image_size":224,"patch_size":4,"embed_dim":96,"depths":[2,2,6,2],"num_heads":[3,6,12,24],"window_size":7,"num_labels":10})"},
                {190016,
                 R"({"architectures":["StableLmForCausalLM"],"model_type":"stablelm","qk_layernorm":true,"num_hidden_layers":2,"use_parallel_residual":true,"hidden_size":64,"intermediate_size":96,"num_attention_heads":4,"num_key_value_heads":2,"vocab_size":1000})"},
                {97024,
                 R"({"architectures":["DINOv3ViTModel"],"model_type":"dinov3_vit","hidden_size":64,"intermediate_size":96,"num_hidden_layers":2,"num_attention_heads":4,"image_size":56,"patch_size":14,"num_register_tokens":4})"},
                {141504,
                 R"({"architectures":["Dinov2Model"],"model_type":"dinov2","use_swiglu_ffn":true,"hidden_size":64,"num_hidden_layers":2,"num_attention_heads":4,"image_size":56,"patch_size":14,"mlp_ratio":4})"},
                {2506172416,
                 R"({"architectures":["GemmaForCausalLM"],"model_type":"gemma","hidden_size":2048,"intermediate_size":16384,"num_attention_heads":8,"num_hidden_layers":18,"num_key_value_heads":1,"vocab_size":256000})"},
                {189760,
                 R"({"architectures":["MistralForCausalLM"],"model_type":"mistral","hidden_size":64,"intermediate_size":96,"num_hidden_layers":2,"num_attention_heads":4,"vocab_size":1000,"num_key_value_heads":2})"},
                {159872,
                 R"({"architectures":["BertModel"],"model_type":"bert","hidden_size":64,"intermediate_size":96,"num_hidden_layers":2,"num_attention_heads":4,"vocab_size":1000,"max_position_embeddings":512})"},
                {161000,
                 R"({"architectures":["BertLMHeadModel"],"model_type":"bert","hidden_size":64,"intermediate_size":96,"num_hidden_layers":2,"num_attention_heads":4,"vocab_size":1000,"max_position_embeddings":512})"},
                {237568,
                 R"({"architectures":["WhisperForConditionalGeneration"],"model_type":"whisper","d_model":64,"encoder_layers":2,"decoder_layers":2,"encoder_attention_heads":4,"decoder_attention_heads":4,"encoder_ffn_dim":96,"decoder_ffn_dim":96,"vocab_size":1000,"num_mel_bins":16,"max_source_positions":50,"max_target_positions":64,"pad_token_id":0,"bos_token_id":1,"eos_token_id":2})"},
                {121792,
                 R"({"architectures":["T5EncoderModel"],"model_type":"t5","d_model":64,"d_kv":16,"d_ff":96,"num_layers":2,"num_heads":4,"vocab_size":1000})"},
                {231808,
                 R"({"architectures":["BartForConditionalGeneration"],"model_type":"bart","d_model":64,"encoder_layers":2,"decoder_layers":2,"encoder_attention_heads":4,"decoder_attention_heads":4,"encoder_ffn_dim":96,"decoder_ffn_dim":96,"vocab_size":1000,"max_position_embeddings":128})"},
                {155907,
                 R"({"architectures":["BertForTokenClassification"],"hidden_size":64,"intermediate_size":96,"num_hidden_layers":2,"num_attention_heads":4,"vocab_size":1000,"num_labels":3,"model_type":"bert","max_position_embeddings":512})"},
                {161000,
                 R"({"architectures":["RobertaForMaskedLM"],"hidden_size":64,"intermediate_size":96,"num_hidden_layers":2,"num_attention_heads":4,"vocab_size":1000,"model_type":"roberta","max_position_embeddings":512})"},
                {83112,
                 R"({"architectures":["AlbertForMaskedLM"],"hidden_size":64,"intermediate_size":96,"num_hidden_layers":2,"num_attention_heads":4,"vocab_size":1000,"embedding_size":32,"model_type":"albert","max_position_embeddings":512})"},
                {160872,
                 R"({"architectures":["DistilBertForMaskedLM"],"dim":64,"hidden_dim":96,"n_layers":2,"n_heads":4,"vocab_size":1000,"model_type":"distilbert","max_position_embeddings":512})"},
                {155584,
                 R"({"architectures":["DistilBertModel"],"dim":64,"hidden_dim":96,"n_layers":2,"n_heads":4,"vocab_size":1000,"model_type":"distilbert","max_position_embeddings":512})"},
                {109312,
                 R"({"architectures":["ElectraModel"],"hidden_size":64,"intermediate_size":96,"num_hidden_layers":2,"num_attention_heads":4,"vocab_size":1000,"embedding_size":32,"model_type":"electra","max_position_embeddings":512})"},
                {159872,
                 R"({"architectures":["RobertaModel"],"hidden_size":64,"intermediate_size":96,"num_hidden_layers":2,"num_attention_heads":4,"vocab_size":1000,"model_type":"roberta","max_position_embeddings":512})"},
                {155712,
                 R"({"architectures":["DebertaV2Model"],"hidden_size":64,"intermediate_size":96,"num_hidden_layers":2,"num_attention_heads":4,"vocab_size":1000,"model_type":"deberta-v2","relative_attention":true,"position_biased_input":false,"norm_rel_ebd":"layer_norm","position_buckets":256,"max_relative_positions":-1,"share_att_key":true})"},
                {133952,
                 R"({"architectures":["ModernBertModel"],"hidden_size":64,"intermediate_size":96,"num_hidden_layers":2,"num_attention_heads":4,"vocab_size":1000,"pad_token_id":0,"model_type":"modernbert"})"},
                {155907,
                 R"({"architectures":["RobertaForTokenClassification"],"hidden_size":64,"intermediate_size":96,"num_hidden_layers":2,"num_attention_heads":4,"vocab_size":1000,"num_labels":3,"model_type":"roberta","max_position_embeddings":512})"},
                {113667,
                 R"({"architectures":["ElectraForSequenceClassification"],"hidden_size":64,"intermediate_size":96,"num_hidden_layers":2,"num_attention_heads":4,"vocab_size":1000,"embedding_size":32,"num_labels":3,"model_type":"electra","max_position_embeddings":512})"},
                {160067,
                 R"({"architectures":["BertForSequenceClassification"],"hidden_size":64,"intermediate_size":96,"num_hidden_layers":2,"num_attention_heads":4,"vocab_size":1000,"num_labels":3,"model_type":"bert","max_position_embeddings":512})"},
                {126208,
                 R"({"architectures":["Qwen2ForSequenceClassification"],"hidden_size":64,"intermediate_size":96,"num_hidden_layers":2,"num_attention_heads":4,"vocab_size":1000,"num_labels":3,"num_key_value_heads":2,"model_type":"qwen2"})"},
                {159939,
                 R"({"architectures":["DistilBertForSequenceClassification"],"dim":64,"hidden_dim":96,"n_layers":2,"n_heads":4,"vocab_size":1000,"num_labels":3,"model_type":"distilbert","max_position_embeddings":512})"},
                {232064,
                 R"({"architectures":["MBartForConditionalGeneration"],"model_type":"mbart","d_model":64,"encoder_layers":2,"decoder_layers":2,"encoder_attention_heads":4,"decoder_attention_heads":4,"encoder_ffn_dim":96,"decoder_ffn_dim":96,"vocab_size":1000,"max_position_embeddings":128})"},
                {522208,
                 R"({"model_type":"seed_oss","hidden_size":96,"intermediate_size":200,"num_hidden_layers":4,"num_attention_heads":6,"vocab_size":1000,"num_key_value_heads":2,"head_dim":16})"},
                {522592,
                 R"({"model_type":"seed_oss","hidden_size":96,"intermediate_size":200,"num_hidden_layers":4,"num_attention_heads":6,"vocab_size":1000,"num_key_value_heads":2,"head_dim":16,"attention_out_bias":true})"},
                {444904,
                 R"({"model_type":"apertus","hidden_size":96,"intermediate_size":200,"num_hidden_layers":4,"num_attention_heads":6,"vocab_size":1000,"num_key_value_heads":2,"tie_word_embeddings":false})"},
                {1121184,
                 R"({"model_type":"ernie4_5","hidden_size":96,"intermediate_size":200,"num_hidden_layers":4,"num_attention_heads":6,"vocab_size":1000,"num_key_value_heads":2,"use_bias":true,"head_dim":128,"tie_word_embeddings":true})"},
                {463328,
                 R"({"model_type":"lfm2","hidden_size":96,"intermediate_size":200,"num_hidden_layers":4,"num_attention_heads":6,"vocab_size":1000,"num_key_value_heads":2,"layer_types":["conv","full_attention","conv","conv"],"conv_L_cache":3,"block_auto_adjust_ff_dim":false})"},
                {527840,
                 R"({"model_type":"lfm2","hidden_size":96,"intermediate_size":200,"num_hidden_layers":4,"num_attention_heads":6,"vocab_size":1000,"num_key_value_heads":2,"layer_types":["conv","full_attention","conv","conv"],"conv_L_cache":3})"},
                {718720,
                 R"({"model_type":"mpt","d_model":128,"n_heads":4,"n_layers":3,"vocab_size":1000,"expansion_ratio":3})"},
                {718720,
                 R"({"model_type":"mpt","d_model":128,"n_heads":4,"n_layers":3,"vocab_size":1000,"no_bias":false})"},
};

struct Known {
    const char* id;
    const char* text;
};
// config.json as diffusers writes it; the counts of the catalogue are the published ones.
const Known
    kNetworks
        [] =
            {
                {"SD 1.x UNet (stable-diffusion-v1-5)",
                 R"({"_class_name":"UNet2DConditionModel","act_fn":"silu","attention_head_dim":8,"block_out_channels":[320,640,1280,1280],"center_input_sample":false,"cross_attention_dim":768,"down_block_types":["CrossAttnDownBlock2D","CrossAttnDownBlock2D","CrossAttnDownBlock2D","DownBlock2D"],"downsample_padding":1,"flip_sin_to_cos":true,"freq_shift":0,"in_channels":4,"layers_per_block":2,"mid_block_scale_factor":1,"norm_eps":1e-05,"norm_num_groups":32,"out_channels":4,"sample_size":64,"up_block_types":["UpBlock2D","CrossAttnUpBlock2D","CrossAttnUpBlock2D","CrossAttnUpBlock2D"]})"},
                {"SD 2.1 UNet (stable-diffusion-2-1)",
                 R"({"_class_name":"UNet2DConditionModel","attention_head_dim":[5,10,20,20],"block_out_channels":[320,640,1280,1280],"cross_attention_dim":1024,"down_block_types":["CrossAttnDownBlock2D","CrossAttnDownBlock2D","CrossAttnDownBlock2D","DownBlock2D"],"dual_cross_attention":false,"in_channels":4,"layers_per_block":2,"out_channels":4,"sample_size":96,"use_linear_projection":true})"},
                {"SDXL base UNet (stable-diffusion-xl-base-1.0)",
                 R"({"_class_name":"UNet2DConditionModel","addition_embed_type":"text_time","addition_embed_type_num_heads":64,"addition_time_embed_dim":256,"attention_head_dim":[5,10,20],"block_out_channels":[320,640,1280],"class_embed_type":null,"cross_attention_dim":2048,"down_block_types":["DownBlock2D","CrossAttnDownBlock2D","CrossAttnDownBlock2D"],"encoder_hid_dim":null,"encoder_hid_dim_type":null,"in_channels":4,"layers_per_block":2,"out_channels":4,"projection_class_embeddings_input_dim":2816,"sample_size":128,"time_cond_proj_dim":null,"transformer_layers_per_block":[1,2,10],"use_linear_projection":true})"},
                {"black-forest-labs/FLUX.1-dev (transformer)", R"({"_class_name":"FluxTransformer2DModel","attention_head_dim":128,"guidance_embeds":true,"in_channels":64,"joint_attention_dim":4096,"num_attention_heads":24,"num_layers":19,"num_single_layers":38,"patch_size":1,"pooled_projection_dim":768})"},
                {"black-forest-labs/FLUX.1-schnell (transformer)",
                 R"({"_class_name":"FluxTransformer2DModel","attention_head_dim":128,"guidance_embeds":false,"in_channels":64,"joint_attention_dim":4096,"num_attention_heads":24,"num_layers":19,"num_single_layers":38,"patch_size":1,"pooled_projection_dim":768})"},
                {"stabilityai/stable-diffusion-3-medium (transformer)",
                 R"({"_class_name":"SD3Transformer2DModel","attention_head_dim":64,"caption_projection_dim":1536,"in_channels":16,"joint_attention_dim":4096,"num_attention_heads":24,"num_layers":24,"out_channels":16,"patch_size":2,"pooled_projection_dim":2048,"pos_embed_max_size":192,"sample_size":128})"},
                {"stabilityai/stable-diffusion-3.5-medium (transformer)",
                 R"({"_class_name":"SD3Transformer2DModel","attention_head_dim":64,"caption_projection_dim":1536,"in_channels":16,"joint_attention_dim":4096,"num_attention_heads":24,"num_layers":24,"out_channels":16,"patch_size":2,"pooled_projection_dim":2048,"pos_embed_max_size":384,"sample_size":128,"qk_norm":"rms_norm","dual_attention_layers":[0,1,2,3,4,5,6,7,8,9,10,11,12]})"},
                {"stabilityai/stable-diffusion-3.5-large (transformer)",
                 R"({"_class_name":"SD3Transformer2DModel","attention_head_dim":64,"caption_projection_dim":2432,"dual_attention_layers":[],"in_channels":16,"joint_attention_dim":4096,"num_attention_heads":38,"num_layers":38,"out_channels":16,"patch_size":2,"pooled_projection_dim":2048,"pos_embed_max_size":192,"qk_norm":"rms_norm","sample_size":128})"},
                {"facebook/DiT-XL-2-256",
                 R"({"_class_name":"Transformer2DModel","activation_fn":"gelu-approximate","attention_bias":true,"attention_head_dim":72,"cross_attention_dim":null,"dropout":0.0,"in_channels":4,"norm_elementwise_affine":false,"norm_type":"ada_norm_zero","num_attention_heads":16,"num_embeds_ada_norm":1000,"num_layers":28,"out_channels":8,"patch_size":2,"sample_size":32})"},
                {"Wan-AI/Wan2.1-T2V-1.3B (transformer)",
                 R"({"_class_name":"WanTransformer3DModel","added_kv_proj_dim":null,"attention_head_dim":128,"cross_attn_norm":true,"ffn_dim":8960,"freq_dim":256,"image_dim":null,"in_channels":16,"num_attention_heads":12,"num_layers":30,"out_channels":16,"patch_size":[1,2,2],"qk_norm":"rms_norm_across_heads","text_dim":4096})"},
                {"Wan-AI/Wan2.1-T2V-14B (transformer)",
                 R"({"_class_name":"WanTransformer3DModel","added_kv_proj_dim":null,"attention_head_dim":128,"cross_attn_norm":true,"ffn_dim":13824,"freq_dim":256,"image_dim":null,"in_channels":16,"num_attention_heads":40,"num_layers":40,"out_channels":16,"patch_size":[1,2,2],"qk_norm":"rms_norm_across_heads","text_dim":4096})"},
};

struct Refused {
    const char* name;
    const char* text;
    const char* where;
    const char* message;
};
const Refused kRefused[] = {
    {"another vision transformer",
     R"({"model_type":"swinv2","architectures":["Swinv2ForImageClassification"],"embed_dim":96,"depths":[2,2,6,2],"num_heads":[3,6,12,24],"image_size":256})",
     "config.json: model_type", R"(models of model_type "swinv2" are not counted)"},
    {"a segmenter", R"({"model_type":"segformer","depths":[2,2,2,2],"hidden_sizes":[32,64,160,256],"num_channels":3})",
     "config.json: model_type", R"(models of model_type "segformer" are not counted)"},
    {"a language model with a tower that is not counted",
     R"({"model_type":"llava","text_config":{"model_type":"llama","hidden_size":4096,"intermediate_size":11008,"num_attention_heads":32,"num_hidden_layers":32,"vocab_size":32064},"vision_config":{"model_type":"clip_vision_model","hidden_size":1024}})",
     "config.json: vision_config", R"(this part of a model of model_type "llava" is not counted)"},
    {"one that hears",
     R"({"model_type":"qwen2_audio","text_config":{"model_type":"qwen2"},"audio_config":{"model_type":"qwen2_audio_encoder"}})",
     "config.json: audio_config", R"(this part of a model of model_type "qwen2_audio" is not counted)"},
    {"two models",
     R"({"model_type":"vision-encoder-decoder","encoder":{"model_type":"vit"},"decoder":{"model_type":"gpt2"}})",
     "config.json: encoder", R"(this part of a model of model_type "vision-encoder-decoder" is not counted)"},
    {"a ResNet of other widths",
     R"({"model_type":"resnet","architectures":["ResNetForImageClassification"],"embedding_size":32,"hidden_sizes":[128,256,512,1024],"depths":[2,2,2,2]})",
     "config.json: hidden_sizes", R"(such stages are not counted)"},
    {"biases of a convolution that nobody has",
     R"({"model_type":"lfm2","hidden_size":96,"num_hidden_layers":4,"num_attention_heads":6,"intermediate_size":200,"vocab_size":1000,"conv_bias":true})",
     "config.json: conv_bias", R"(a lfm2 whose conv_bias is not false is not counted)"},
    {"an encoder-decoder of two widths",
     R"({"model_type":"bart","d_model":96,"encoder_layers":2,"decoder_layers":4,"encoder_ffn_dim":100,"decoder_ffn_dim":200,"encoder_attention_heads":4,"decoder_attention_heads":4,"vocab_size":1000})",
     "config.json: decoder_ffn_dim", R"(a decoder with another width than its encoder is not counted)"},
    {"half of an encoder-decoder",
     R"({"model_type":"bart","architectures":["BartForCausalLM"],"d_model":96,"encoder_layers":2,"decoder_layers":2,"encoder_ffn_dim":100,"decoder_ffn_dim":100,"encoder_attention_heads":4,"decoder_attention_heads":4,"vocab_size":1000})",
     "config.json: architectures", R"(the head of BartForCausalLM is not counted)"},
    {"images of four channels",
     R"({"model_type":"vit","architectures":["ViTForImageClassification"],"hidden_size":64,"num_hidden_layers":2,"num_attention_heads":4,"intermediate_size":96,"image_size":32,"patch_size":8,"num_channels":4})",
     "config.json: num_channels", R"(a vit whose num_channels is not 3 is not counted)"},
    {"an unknown head",
     R"({"model_type":"bert","architectures":["BertForQuestionAnswering"],"hidden_size":64,"num_hidden_layers":2,"num_attention_heads":4,"intermediate_size":96,"vocab_size":1000})",
     "config.json: architectures", R"(the head of BertForQuestionAnswering is not counted)"},
    {"an encoder's head on a decoder",
     R"({"model_type":"llama","architectures":["LlamaForTokenClassification"],"hidden_size":64,"num_hidden_layers":2,"num_attention_heads":4,"intermediate_size":96,"vocab_size":1000})",
     "config.json: architectures", R"(the head of LlamaForTokenClassification is not counted)"},
    {"a size that the class has no use for guessing",
     R"({"model_type":"t5","architectures":["T5ForConditionalGeneration"],"d_model":64,"d_kv":16,"d_ff":96,"num_heads":4,"vocab_size":1000})",
     "config.json: num_hidden_layers", R"(num_hidden_layers is missing)"},
    {"positions of another kind",
     R"({"model_type":"deberta-v2","hidden_size":64,"num_hidden_layers":2,"num_attention_heads":4,"intermediate_size":96,"vocab_size":1000})",
     "config.json: relative_attention", R"(such positions are not counted)"},
    {"a decoder of images", R"({"_class_name":"AutoencoderKL","in_channels":3})", "config.json: _class_name",
     R"(networks of the class AutoencoderKL are not counted)"},
    {"a pipeline", R"({"_class_name":"StableDiffusionPipeline","unet":["diffusers","UNet2DConditionModel"]})",
     "config.json: _class_name", R"(networks of the class StableDiffusionPipeline are not counted)"},
    {"a UNet with more embeddings",
     R"({"_class_name":"UNet2DConditionModel","block_out_channels":[320,640,1280,1280],"down_block_types":["CrossAttnDownBlock2D","CrossAttnDownBlock2D","CrossAttnDownBlock2D","DownBlock2D"],"in_channels":4,"out_channels":4,"layers_per_block":2,"cross_attention_dim":768,"time_cond_proj_dim":256})",
     "config.json: _class_name",
     R"(what class_embed_type num_class_embeds encoder_hid_dim encoder_hid_dim_type time_cond_proj_dim add is not counted)"},
    {"a UNet without its blocks", R"({"_class_name":"UNet2DConditionModel"})", "config.json: down_block_types",
     R"(such blocks are not counted)"},
};

}  // namespace

TEST_CASE("configurations are counted as their classes are built", "[import]") {
    for (const Counted& c : kCounted) {
        INFO(c.text);
        Notes notes;
        const auto a = architecture_from_hf_config(c.text, "config.json", notes);
        INFO((a ? "" : a.error().where + ": " + a.error().message));
        REQUIRE(a);
        CHECK(count_parameters(*a).total.value == c.parameters);
    }
}

TEST_CASE("networks of diffusers are counted by their class", "[import]") {
    for (const Known& k : kNetworks) {
        INFO(k.id);
        Notes notes;
        CHECK(detect_import("x.json", k.text) == ImportKind::HfConfig);
        const auto a = architecture_from_hf_config(k.text, "config.json", notes);
        INFO((a ? "" : a.error().where + ": " + a.error().message));
        REQUIRE(a);
        const Architecture known = architecture_from_row(**find_model(k.id));
        CHECK(count_parameters(*a).total.value == count_parameters(known).total.value);
    }
}

// Once 2 parameters (CLIPModel), 9,666 (resnet), 10 (vit), and a llama of the text part of a llava.
TEST_CASE("what is not counted whole is refused, with what is counted", "[import]") {
    for (const Refused& r : kRefused) {
        INFO(r.name);
        Notes notes;
        const auto a = architecture_from_hf_config(r.text, "config.json", notes);
        REQUIRE_FALSE(a);
        CHECK(a.error().where == r.where);
        CHECK(a.error().message == r.message);
        CHECK_FALSE(a.error().hint.empty());
    }
}

// google/gemma-3-4b-it leaves out what Gemma3TextConfig has: eight heads, four of keys and values, their width.
TEST_CASE("what a file leaves out and its class has is taken, with a note", "[import]") {
    Notes notes;
    const auto a = architecture_from_hf_config(
        R"({"architectures":["Gemma3ForCausalLM"],"model_type":"gemma3_text","hidden_size":2560,"intermediate_size":10240,
            "num_hidden_layers":34,"sliding_window":1024})",
        "config.json", notes);
    REQUIRE(a);
    CHECK(count_parameters(*a).total.value == 3'880'263'168);
    REQUIRE(notes.all().size() == 1);
    CHECK(notes.all()[0].message ==
          "not in the file, so as the class of transformers has it: num_attention_heads 8, num_key_value_heads 4, "
          "head_dim 256, vocab_size 262208, max_position_embeddings 131072");
}
