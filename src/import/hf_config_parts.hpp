// The parts of a config.json that only some families have; internal to hf_config*.cpp.
#pragma once
#include "base/notes.hpp"
#include "import/config_reader.hpp"
#include "model/architecture.hpp"

namespace memwall {

// Every value that is read into one member as it stands (hf_config_names.cpp).
void read_plain_values(ConfigReader&, Architecture&);
void read_experts(ConfigReader&, Architecture&);
void read_mixers(ConfigReader&, Architecture&);  // Mamba, linear attention, short convolutions
void read_layer_pattern(ConfigReader&, Architecture&);
void read_encoder_parts(ConfigReader&, Architecture&);  // encoders, encoder-decoders, ViT
void read_family_specials(ConfigReader&, Architecture&);
void read_vision_tower(ConfigReader&, Architecture&);
// One model of a file, by the model_type of the whole, or its own where that is empty or no family.
Architecture read_model(ConfigReader&, std::string_view outer_type, Notes&);
// Sizes that the class has where the file does not say them (hf_config_defaults.cpp).
void take_class_defaults(ConfigReader&, Architecture&, Notes&);
// What is made of a text and an image model: clip and siglip, whole or the image model with a classifier.
bool is_dual_encoder(std::string_view model_type);
Architecture read_dual_encoder(ConfigReader&, std::string_view model_type, Notes&);
void read_resnet(ConfigReader&, Architecture&);
void read_swin(ConfigReader&, Architecture&);
void read_diffusion_values(ConfigReader&, Architecture&);
// A network of diffusers, which names its class ("_class_name") and no model_type.
Architecture read_diffusers(ConfigReader&);
// Parts and heads beside the model that are not counted: an error instead of a count that leaves them out.
void refuse_unusual(ConfigReader&, const Architecture&);
void refuse_uncounted(ConfigReader&, std::string_view model_type);

}  // namespace memwall
