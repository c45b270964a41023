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
void read_vision_tower(ConfigReader&, Architecture&, Notes&);

}  // namespace memwall
