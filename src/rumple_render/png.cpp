#include <png.h>

#include <rumple/core/error.hpp>
#include <rumple/io/atomic_file.hpp>
#include <rumple_render/png.hpp>
#include <stdexcept>

namespace rumple {

static_assert(sizeof(Rgb) == 3, "rows of pixels are handed to libpng as they are");

std::string encode_png(const Picture& picture) {
    png_image header{};
    header.version = PNG_IMAGE_VERSION;
    header.width = static_cast<png_uint_32>(picture.width);
    header.height = static_cast<png_uint_32>(picture.height);
    header.format = PNG_FORMAT_RGB;
    png_alloc_size_t size = 0;
    if (!png_image_write_to_memory(&header, nullptr, &size, 0, picture.pixels.data(), 0, nullptr))
        throw std::runtime_error(std::string("the picture cannot be packed as PNG: ") + header.message);
    std::string bytes(size, '\0');
    if (!png_image_write_to_memory(&header, bytes.data(), &size, 0, picture.pixels.data(), 0, nullptr))
        throw std::runtime_error(std::string("the picture cannot be packed as PNG: ") + header.message);
    bytes.resize(size);
    return bytes;
}

Picture decode_png(std::string_view bytes, const std::string& name) {
    png_image header{};
    header.version = PNG_IMAGE_VERSION;
    if (!png_image_begin_read_from_memory(&header, bytes.data(), bytes.size()))
        throw InputError(name, "this is not a PNG file");
    header.format = PNG_FORMAT_RGB;
    Picture picture(static_cast<int>(header.width), static_cast<int>(header.height));
    if (!png_image_finish_read(&header, nullptr, picture.pixels.data(), 0, nullptr)) {
        png_image_free(&header);
        throw InputError(name, "the PNG file is damaged");
    }
    return picture;
}

void write_png(const std::filesystem::path& path, const Picture& picture) {
    write_atomically(path, encode_png(picture));
}

Picture read_png(const std::filesystem::path& path) { return decode_png(read_file(path), path.string()); }

}  // namespace rumple
