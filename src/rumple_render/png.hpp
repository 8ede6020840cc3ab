// PNG files in and out. Written whole or not at all; the same picture gives the same bytes.
#pragma once

#include <filesystem>
#include <rumple_render/image.hpp>
#include <string>
#include <string_view>

namespace rumple {

std::string encode_png(const Picture& picture);
Picture decode_png(std::string_view bytes, const std::string& name);  // InputError: not a PNG

void write_png(const std::filesystem::path& path, const Picture& picture);  // InputError: cannot be written
Picture read_png(const std::filesystem::path& path);

}  // namespace rumple
