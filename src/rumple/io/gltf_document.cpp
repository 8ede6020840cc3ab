#include <fmt/format.h>

#include <cmath>
#include <rumple/core/error.hpp>
#include <rumple/io/atomic_file.hpp>
#include <rumple/io/byte_order.hpp>
#include <rumple/io/gltf_document.hpp>
#include <rumple/io/json_text.hpp>
#include <rumple/io/text_scan.hpp>

namespace rumple {

namespace {

using Json = nlohmann::json;

template <class T>
T little(const char* from) {
    return load_number<std::endian::little, T>(from);
}

constexpr std::uint32_t kGlbMagic = 0x46546C67, kJsonChunk = 0x4E4F534A, kBinaryChunk = 0x004E4942;

std::size_t component_size(std::uint64_t type) {
    switch (type) {
        case 5120:
        case 5121:
            return 1;
        case 5122:
        case 5123:
            return 2;
        case 5125:
        case 5126:
            return 4;
        default:
            return 0;
    }
}

std::size_t columns_of(const std::string& type) {
    if (type == "SCALAR") return 1;
    if (type == "VEC2") return 2;
    if (type == "VEC3") return 3;
    if (type == "VEC4") return 4;
    if (type == "MAT4") return 16;
    return 0;
}

double component(const char* from, std::uint64_t type, bool normalized) {
    switch (type) {
        case 5120: {
            const double v = little<std::int8_t>(from);
            return normalized ? std::max(v / 127, -1.0) : v;
        }
        case 5121: {
            const double v = little<std::uint8_t>(from);
            return normalized ? v / 255 : v;
        }
        case 5122: {
            const double v = little<std::int16_t>(from);
            return normalized ? std::max(v / 32767, -1.0) : v;
        }
        case 5123: {
            const double v = little<std::uint16_t>(from);
            return normalized ? v / 65535 : v;
        }
        case 5125:
            return little<std::uint32_t>(from);
        default:
            return double(little<float>(from));
    }
}

// GLB, or JSON: an object.
void require_gltf(std::string_view head, const std::string& name) {
    if (head.starts_with("glTF")) return;
    if (head.starts_with("\xEF\xBB\xBF")) head.remove_prefix(3);
    const std::size_t first = head.find_first_not_of(" \t\r\n");
    if (first == std::string_view::npos || head[first] != '{' || head.find('\0') != std::string_view::npos)
        throw InputError(name, "this is neither a .glb nor a .gltf file",
                         "is it a whole glTF 2.0 file, and not something else?");
}

// The bytes of base64 text; empty optional for a letter that does not belong there.
bool decode_base64(std::string_view text, std::string& out) {
    while (!text.empty() && text.back() == '=') text.remove_suffix(1);
    std::uint32_t bits = 0;
    int filled = 0;
    for (const char c : text) {
        std::uint32_t value = 0;
        if (c >= 'A' && c <= 'Z')
            value = std::uint32_t(c - 'A');
        else if (c >= 'a' && c <= 'z')
            value = std::uint32_t(c - 'a' + 26);
        else if (c >= '0' && c <= '9')
            value = std::uint32_t(c - '0' + 52);
        else if (c == '+' || c == '-')
            value = 62;
        else if (c == '/' || c == '_')
            value = 63;
        else
            return false;
        bits = bits << 6 | value;
        filled += 6;
        if (filled >= 8) {
            filled -= 8;
            out += static_cast<char>(bits >> filled & 0xFF);
        }
    }
    return true;
}

}  // namespace

GltfDocument::GltfDocument(const std::filesystem::path& path) : name_(path.string()) {
    parse(read_file(path, kMaxFileBytes, require_gltf));
    const std::filesystem::path folder = path.parent_path();
    load_buffers(&folder);
}

GltfDocument::GltfDocument(std::string bytes, std::string name) : name_(std::move(name)) {
    parse(std::move(bytes));
    load_buffers(nullptr);
}

void GltfDocument::refuse(const std::string& place, const std::string& what,
                          const std::string& remedy) const {
    throw InputError(place.empty() ? name_ : name_ + ": " + place, what,
                     remedy.empty() ? "the file is damaged: export it again" : remedy);
}

void GltfDocument::parse(std::string bytes) {
    require_gltf(bytes, name_);
    std::string text;
    if (bytes.size() >= 4 && little<std::uint32_t>(bytes.data()) == kGlbMagic) {
        const auto word = [&](std::size_t at) { return little<std::uint32_t>(bytes.data() + at); };
        if (bytes.size() < 20) refuse("", "the file ends within its header", "is it whole?");
        if (word(4) != 2) refuse("", fmt::format("this is glTF version {}", word(4)), "version 2 is needed");
        if (word(8) > bytes.size())
            refuse("", fmt::format("the file should have {} bytes, but has {}", word(8), bytes.size()),
                   "is it whole?");
        const std::size_t end = word(8);
        bool first = true;
        for (std::size_t at = 12; at + 8 <= end;) {
            const std::size_t length = word(at), type = word(at + 4), begin = at + 8;
            if (length > end - begin)
                refuse("", "a chunk reaches beyond the end of the file", "is it whole?");
            if (first && type != kJsonChunk) refuse("", "the first chunk is not JSON", "is it a glTF file?");
            if (first) text = bytes.substr(begin, length);
            if (!first && type == kBinaryChunk && binary_.empty()) binary_ = bytes.substr(begin, length);
            first = false;
            at = begin + length;
        }
        if (first) refuse("", "the file has no JSON chunk", "is it whole?");
    } else {
        text = std::move(bytes);
    }
    try {
        json_ = parse_json(text, name_);
    } catch (const InputError& error) {
        throw InputError("", error.what(), "is it a whole glTF 2.0 file (.glb or .gltf)?");
    }
    if (!json_.is_object() || !json_.contains("asset"))
        refuse("", "there is no \"asset\" in it", "is it a glTF 2.0 file?");
    check_extensions();
}

void GltfDocument::check_extensions() const {
    const auto required = json_.find("extensionsRequired");
    if (required == json_.end() || !required->is_array()) return;
    for (const Json& extension : *required) {
        const std::string id = extension.is_string() ? extension.get<std::string>() : "";
        const bool harmless = id.starts_with("KHR_materials") || id.starts_with("KHR_texture") ||
                              id.starts_with("EXT_texture") || id == "KHR_mesh_quantization" ||
                              id == "KHR_lights_punctual";
        if (!harmless)
            refuse("extensionsRequired", "the file needs " + in_quotes(id) + ", which is not supported",
                   "export it again without compression");
    }
}

std::size_t GltfDocument::count(const char* list) const {
    const auto found = json_.find(list);
    if (found == json_.end()) return 0;
    if (!found->is_array()) refuse(list, "this should be a list");
    return found->size();
}

const Json& GltfDocument::element(const char* list, std::size_t i) const {
    const Json& found = json_.at(list).at(i);
    if (!found.is_object()) refuse(fmt::format("{}[{}]", list, i), "this should be an object");
    return found;
}

std::uint64_t GltfDocument::whole(const Json& object, const char* key, std::uint64_t fallback,
                                  const std::string& place) const {
    const auto found = object.find(key);
    if (found == object.end()) return fallback;
    if (!found->is_number_unsigned() || found->get<std::uint64_t>() > std::uint64_t{1} << 40)
        refuse(place + "." + key, "this should be a whole number, 0 or more");
    return found->get<std::uint64_t>();
}

std::ptrdiff_t GltfDocument::index(const Json& object, const char* key, const char* list,
                                   const std::string& place) const {
    if (!object.contains(key)) return -1;
    const std::uint64_t i = whole(object, key, 0, place);
    if (i >= count(list))
        refuse(place + "." + key,
               fmt::format("there is no {}[{}]; the file has {} of them", list, i, count(list)));
    return std::ptrdiff_t(i);
}

std::vector<std::size_t> GltfDocument::index_list(const Json& object, const char* key, const char* list,
                                                  const std::string& place) const {
    std::vector<std::size_t> out;
    const auto found = object.find(key);
    if (found == object.end()) return out;
    if (!found->is_array()) refuse(place + "." + key, "this should be a list");
    for (const Json& value : *found) {
        if (!value.is_number_unsigned() || value.get<std::uint64_t>() >= count(list))
            refuse(place + "." + key,
                   fmt::format("these should be indices below {}, the number of {}", count(list), list));
        out.push_back(value.get<std::size_t>());
    }
    return out;
}

std::vector<double> GltfDocument::number_list(const Json& list, std::size_t length,
                                              const std::string& place) const {
    if (!list.is_array() || list.size() != length)
        refuse(place, fmt::format("this should be {} numbers", length));
    std::vector<double> out;
    for (const Json& value : list) {
        if (!value.is_number() || !std::isfinite(value.get<double>()))
            refuse(place, "these should be finite numbers");
        out.push_back(value.get<double>());
    }
    return out;
}

std::string GltfDocument::text(const Json& object, const char* key, const std::string& fallback) const {
    const auto found = object.find(key);
    return found != object.end() && found->is_string() ? found->get<std::string>() : fallback;
}

void GltfDocument::load_buffers(const std::filesystem::path* folder) {
    for (std::size_t i = 0; i < count("buffers"); ++i) {
        const Json& buffer = element("buffers", i);
        const std::string place = fmt::format("buffers[{}]", i);
        const std::uint64_t length = whole(buffer, "byteLength", 0, place);
        std::string bytes;
        if (const auto uri = buffer.find("uri"); uri != buffer.end()) {
            if (!uri->is_string()) refuse(place + ".uri", "this should be a text");
            bytes = load_uri(uri->get<std::string>(), folder, place + ".uri");
        } else if (i == 0) {
            bytes = std::move(binary_);
        }
        if (bytes.size() < length)
            refuse(place, fmt::format("it should have {} bytes, but {} are there", length, bytes.size()),
                   "is the file whole?");
        buffers_.push_back(std::move(bytes));
    }
}

std::string GltfDocument::load_uri(const std::string& uri, const std::filesystem::path* folder,
                                   const std::string& place) const {
    if (uri.starts_with("data:")) {
        const std::size_t comma = uri.find(";base64,");
        std::string bytes;
        if (comma == std::string::npos || !decode_base64(std::string_view(uri).substr(comma + 8), bytes))
            refuse(place, "this data URI is not base64");
        return bytes;
    }
    // A file of the same folder; a hostile file must not reach elsewhere.
    const std::filesystem::path file(uri);
    const bool inside =
        file.is_relative() && uri.find("..") == std::string::npos && uri.find(':') == std::string::npos;
    if (!folder || !inside)
        refuse(place, "the file " + in_quotes(uri) + " is not read",
               "keep buffers beside the file, or use .glb");
    if (!std::filesystem::exists(*folder / file))
        refuse(place, "there is no file " + in_quotes(uri) + " beside it", "copy it there, or use .glb");
    return read_file(*folder / file);
}

GltfDocument::View GltfDocument::view(std::size_t accessor, const std::string& place) const {
    const std::string here = fmt::format("accessors[{}] (of {})", accessor, place);
    const Json& a = element("accessors", accessor);
    if (a.contains("sparse")) refuse(here, "sparse accessors are not supported", "export it without them");
    const std::ptrdiff_t v = index(a, "bufferView", "bufferViews", here);
    if (v < 0) refuse(here, "it has no data");
    const Json& span = element("bufferViews", std::size_t(v));
    const std::string view_place = fmt::format("bufferViews[{}]", v);
    const std::ptrdiff_t b = index(span, "buffer", "buffers", view_place);
    if (b < 0) refuse(view_place, "it has no buffer");
    const std::string& bytes = buffers_[std::size_t(b)];

    View out{};
    out.component = whole(a, "componentType", 0, here);
    out.columns = columns_of(text(a, "type", ""));
    out.rows = whole(a, "count", 0, here);
    out.normalized = a.value("normalized", Json(false)) == Json(true);
    const std::uint64_t size = component_size(out.component) * out.columns;
    if (size == 0) refuse(here, "its type is unknown");
    const std::uint64_t begin = whole(span, "byteOffset", 0, view_place);
    const std::uint64_t length = whole(span, "byteLength", 0, view_place);
    const std::uint64_t offset = whole(a, "byteOffset", 0, here);
    out.stride = whole(span, "byteStride", size, view_place);
    if (begin > bytes.size() || length > bytes.size() - begin)
        refuse(view_place, "it reaches beyond the end of its buffer", "is the file whole?");
    if (out.stride < size || out.stride > 4096)
        refuse(view_place + ".byteStride",
               fmt::format("{} bytes from one element to the next cannot be", out.stride));
    if (out.rows == 0) refuse(here, "it is empty");
    if (offset > length || length - offset < size || (length - offset - size) / out.stride < out.rows - 1)
        refuse(here, fmt::format("{} elements do not fit into its view", out.rows), "is the file whole?");
    out.data = bytes.data() + begin + offset;
    return out;
}

GltfDocument::Table GltfDocument::read(std::size_t accessor, std::size_t columns,
                                       const std::string& place) const {
    const View v = view(accessor, place);
    if (v.columns != columns)
        refuse(place, fmt::format("its accessor has {} numbers an element, not {}", v.columns, columns));
    Table out{v.rows, v.columns, {}};
    out.values.reserve(v.rows * v.columns);
    const std::size_t size = component_size(v.component);
    for (std::uint64_t r = 0; r < v.rows; ++r)
        for (std::uint64_t c = 0; c < v.columns; ++c) {
            const double x = component(v.data + r * v.stride + c * size, v.component, v.normalized);
            if (!std::isfinite(x)) refuse(place, fmt::format("element {} is not a finite number", r));
            out.values.push_back(x);
        }
    return out;
}

std::vector<std::uint32_t> GltfDocument::read_indices(std::size_t accessor, std::size_t limit,
                                                      const std::string& place) const {
    const View v = view(accessor, place);
    if (v.columns != 1 || (v.component != 5121 && v.component != 5123 && v.component != 5125))
        refuse(place, "indices must be unsigned whole numbers");
    std::vector<std::uint32_t> out;
    out.reserve(v.rows);
    for (std::uint64_t r = 0; r < v.rows; ++r) {
        const double x = component(v.data + r * v.stride, v.component, false);
        if (!(x < double(limit)))
            refuse(place, fmt::format("index {} is {}, but there are {} vertices", r, x, limit));
        out.push_back(std::uint32_t(x));
    }
    return out;
}

}  // namespace rumple
