#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <rumple/core/error.hpp>
#include <rumple/io/ply_header.hpp>
#include <utility>

namespace rumple {
namespace {

struct TypeName {
    std::string_view name;
    PlyType type;
};

constexpr TypeName kTypeNames[] = {
    {"char", PlyType::kInt8},       {"int8", PlyType::kInt8},       {"uchar", PlyType::kUint8},
    {"uint8", PlyType::kUint8},     {"short", PlyType::kInt16},     {"int16", PlyType::kInt16},
    {"ushort", PlyType::kUint16},   {"uint16", PlyType::kUint16},   {"int", PlyType::kInt32},
    {"int32", PlyType::kInt32},     {"uint", PlyType::kUint32},     {"uint32", PlyType::kUint32},
    {"float", PlyType::kFloat32},   {"float32", PlyType::kFloat32}, {"double", PlyType::kFloat64},
    {"float64", PlyType::kFloat64},
};

PlyType read_type(const LineScanner& lines, std::string_view word) {
    for (const TypeName& known : kTypeNames)
        if (known.name == word) return known.type;
    throw InputError(lines.place(), in_quotes(word) + " is not a PLY type",
                     "e.g. 'float', 'double', 'int', 'uchar'");
}

PlyEncoding read_encoding(const LineScanner& lines, std::string_view rest) {
    const std::string_view word = take_word(rest);
    if (word == "ascii") return PlyEncoding::kAscii;
    if (word == "binary_little_endian") return PlyEncoding::kLittleEndian;
    if (word == "binary_big_endian") return PlyEncoding::kBigEndian;
    throw InputError(lines.place(), in_quotes(word) + " is not a PLY format",
                     "known are ascii, binary_little_endian and binary_big_endian");
}

PlyElement read_element(const LineScanner& lines, std::string_view rest) {
    PlyElement element;
    element.name = take_word(rest);
    const std::int64_t count = lines.integer(take_word(rest));
    if (count < 0)
        throw InputError(lines.place(),
                         fmt::format("element {} has a count of {}", in_quotes(element.name), count));
    element.count = static_cast<std::uint64_t>(count);
    return element;
}

PlyProperty read_property(const LineScanner& lines, std::string_view rest) {
    PlyProperty property{};
    std::string_view word = take_word(rest);
    property.is_list = word == "list";
    if (property.is_list) {
        property.length_type = read_type(lines, take_word(rest));
        if (!ply_is_integer(property.length_type))
            throw InputError(lines.place(), "the length of a list must be of an integer type");
        word = take_word(rest);
    }
    property.type = read_type(lines, word);
    property.name = take_word(rest);
    if (property.name.empty()) throw InputError(lines.place(), "a property without a name");
    return property;
}

}  // namespace

std::size_t ply_size(PlyType type) {
    switch (type) {
        case PlyType::kInt8:
        case PlyType::kUint8:
            return 1;
        case PlyType::kInt16:
        case PlyType::kUint16:
            return 2;
        case PlyType::kInt32:
        case PlyType::kUint32:
        case PlyType::kFloat32:
            return 4;
        case PlyType::kFloat64:
            break;
    }
    return 8;
}

bool ply_is_integer(PlyType type) { return type != PlyType::kFloat32 && type != PlyType::kFloat64; }

int PlyElement::find(std::initializer_list<std::string_view> names) const {
    for (std::size_t i = 0; i < properties.size(); ++i)
        if (std::find(names.begin(), names.end(), properties[i].name) != names.end())
            return static_cast<int>(i);
    return -1;
}

std::uint64_t PlyElement::least_row_bytes(PlyEncoding encoding) const {
    if (encoding == PlyEncoding::kAscii) return 2 * properties.size();  // a digit, and a blank or line end
    std::uint64_t bytes = 0;
    for (const PlyProperty& p : properties) bytes += ply_size(p.is_list ? p.length_type : p.type);
    return bytes;
}

void require_ply(std::string_view bytes, const std::string& name) {
    LineScanner lines(bytes, name);
    std::string_view line;
    if (!lines.next(line) || take_word(line) != "ply")
        throw InputError(name, "does not begin with 'ply'", "is it a PLY file?");
}

PlyHeader read_ply_header(LineScanner& lines) {
    require_ply(lines.rest(), lines.name());
    PlyHeader header;
    std::optional<PlyEncoding> encoding;
    std::string_view line;
    lines.next(line);
    while (lines.next(line)) {
        const std::string_view keyword = take_word(line);
        if (keyword == "end_header") {
            if (!encoding) throw InputError(lines.place(), "the header has no 'format' line");
            header.encoding = *encoding;
            return header;
        }
        if (keyword == "format") {
            encoding = read_encoding(lines, line);
        } else if (keyword == "element") {
            header.elements.push_back(read_element(lines, line));
        } else if (keyword == "property") {
            if (header.elements.empty())
                throw InputError(lines.place(), "a property before the first element");
            header.elements.back().properties.push_back(read_property(lines, line));
        } else if (!keyword.empty() && keyword != "comment" && keyword != "obj_info") {
            throw InputError(lines.place(), in_quotes(keyword) + " is not a PLY header line");
        }
    }
    throw InputError(lines.name(), "the header has no end", "a line 'end_header' is missing");
}

}  // namespace rumple
