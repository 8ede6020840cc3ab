// The header of a PLY file: which elements follow, how many, and of what their rows are made.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <rumple/io/text_scan.hpp>
#include <string>
#include <vector>

namespace rumple {

enum class PlyEncoding { kAscii, kLittleEndian, kBigEndian };
enum class PlyType { kInt8, kUint8, kInt16, kUint16, kInt32, kUint32, kFloat32, kFloat64 };

std::size_t ply_size(PlyType type);  // bytes
bool ply_is_integer(PlyType type);

struct PlyProperty {
    std::string name;
    PlyType type;  // of the value, or of each entry of a list
    bool is_list = false;
    PlyType length_type = PlyType::kUint8;  // of a list's length
};

struct PlyElement {
    std::string name;
    std::uint64_t count = 0;
    std::vector<PlyProperty> properties;

    // The place of the property with one of these names; -1: there is none.
    int find(std::initializer_list<std::string_view> names) const;
    // Bytes a row takes at least: exact in a binary file but for its lists, which count as empty.
    std::uint64_t least_row_bytes(PlyEncoding encoding) const;
};

struct PlyHeader {
    PlyEncoding encoding = PlyEncoding::kAscii;
    std::vector<PlyElement> elements;
};

// InputError unless these bytes begin as a PLY file does.
void require_ply(std::string_view bytes, const std::string& name);
// Leaves `lines` behind "end_header". InputError with file and line when something is amiss.
PlyHeader read_ply_header(LineScanner& lines);

}  // namespace rumple
