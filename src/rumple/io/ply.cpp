#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <rumple/core/error.hpp>
#include <rumple/io/atomic_file.hpp>
#include <rumple/io/byte_order.hpp>
#include <rumple/io/ply.hpp>
#include <rumple/io/ply_header.hpp>
#include <rumple/io/writable_mesh.hpp>
#include <utility>

namespace rumple {
namespace {

constexpr const char* kWhole = "is the file whole?";

template <std::endian order>
double load_as_double(const char* from, PlyType type) {
    switch (type) {
        case PlyType::kInt8:
            return load_number<order, std::int8_t>(from);
        case PlyType::kUint8:
            return load_number<order, std::uint8_t>(from);
        case PlyType::kInt16:
            return load_number<order, std::int16_t>(from);
        case PlyType::kUint16:
            return load_number<order, std::uint16_t>(from);
        case PlyType::kInt32:
            return load_number<order, std::int32_t>(from);
        case PlyType::kUint32:
            return load_number<order, std::uint32_t>(from);
        case PlyType::kFloat32:
            return static_cast<double>(load_number<order, float>(from));
        case PlyType::kFloat64:
            break;
    }
    return load_number<order, double>(from);
}

// The body of the file as a stream of rows and numbers: the one thing in which the encodings differ.
class PlyBody {
  public:
    PlyBody(LineScanner& lines, PlyEncoding encoding)
        : lines_(lines), encoding_(encoding), bytes_(lines.rest()) {}

    std::uint64_t bytes_left() const {
        return encoding_ == PlyEncoding::kAscii ? lines_.rest().size() : bytes_.size();
    }

    void begin_row(const PlyElement& element, std::uint64_t row) {
        element_ = &element;
        row_ = row;
        if (encoding_ != PlyEncoding::kAscii) return;
        std::string_view line;
        do {
            if (!lines_.next(line))
                throw InputError(
                    lines_.name(),
                    fmt::format("the file ends before {} {} of {}", element.name, row, element.count),
                    kWhole);
            words_ = line;
        } while (take_word(line).empty());
    }

    void end_row() {
        if (encoding_ != PlyEncoding::kAscii) return;
        const std::string_view word = take_word(words_);
        if (!word.empty())
            throw InputError(place(),
                             in_quotes(word) + " is more than a row of '" + element_->name + "' holds");
    }

    // NaN passes here: it may stand in a property that is not read, such as the normal of a loose vertex.
    double take(PlyType type) {
        if (encoding_ == PlyEncoding::kAscii) {
            const std::string_view word = take_word(words_);
            if (word.empty())
                throw InputError(place(), "too few numbers for a row of '" + element_->name + "'");
            return ply_is_integer(type) ? static_cast<double>(lines_.integer(word)) : lines_.any_number(word);
        }
        const std::size_t size = ply_size(type);
        if (bytes_.size() < size) throw InputError(place(), "the file ends here, too early", kWhole);
        const double value = encoding_ == PlyEncoding::kLittleEndian
                                 ? load_as_double<std::endian::little>(bytes_.data(), type)
                                 : load_as_double<std::endian::big>(bytes_.data(), type);
        bytes_.remove_prefix(size);
        return value;
    }

    std::string place() const {
        return encoding_ == PlyEncoding::kAscii
                   ? lines_.place()
                   : fmt::format("{}: {} {}", lines_.name(), element_->name, row_);
    }

  private:
    LineScanner& lines_;
    PlyEncoding encoding_;
    std::string_view bytes_;  // binary: what is left
    std::string_view words_;  // ascii: what is left of the row
    const PlyElement* element_ = nullptr;
    std::uint64_t row_ = 0;
};

class PlyParser {
  public:
    PlyParser(std::string_view bytes, const std::string& name)
        : lines_(bytes, name), header_(read_ply_header(lines_)), body_(lines_, header_.encoding) {}

    TriMesh parse(std::vector<std::string>* warnings) {
        for (const PlyElement& element : header_.elements) {
            check_count(element);
            check_once(element);
            if (element.name == "vertex")
                read_vertices(element);
            else if (element.name == "face")
                read_faces(element);
            else
                skip(element);
        }
        check_whole();
        if (!mesh_.uvs.empty()) mesh_.uv_triangles = mesh_.triangles;
        if (warnings && polygons_ > 0)
            warnings->push_back(
                fmt::format("{}: {} faces with more than three corners were cut into triangles",
                            lines_.name(), polygons_));
        return std::move(mesh_);
    }

  private:
    void check_count(const PlyElement& element) const {
        if (element.properties.empty() && element.count > 0)
            throw InputError(lines_.name(), "element '" + element.name + "' has no properties");
        if (element.count == 0) return;
        // One byte of grace: the last line of a text may lack its end.
        if (element.count > (body_.bytes_left() + 1) / element.least_row_bytes(header_.encoding))
            throw InputError(lines_.name(),
                             fmt::format("the header claims {} of '{}', more than the {} bytes left can hold",
                                         element.count, element.name, body_.bytes_left()),
                             kWhole);
        if (element.count > static_cast<std::uint64_t>(std::numeric_limits<int>::max()))
            throw InputError(lines_.name(),
                             fmt::format("{} of '{}' are too many", element.count, element.name));
    }

    void check_once(const PlyElement& element) const {
        for (const PlyElement& other : header_.elements)
            if (&other != &element && other.name == element.name)
                throw InputError(lines_.name(), "element '" + element.name + "' stands twice in the header");
    }

    // The numbers of one row into values_, one a property; the entries of lists go to on_entry(property,
    // value).
    template <class OnEntry>
    void read_row(const PlyElement& element, std::uint64_t row, OnEntry&& on_entry) {
        body_.begin_row(element, row);
        values_.resize(element.properties.size());
        for (std::size_t p = 0; p < element.properties.size(); ++p) {
            const PlyProperty& property = element.properties[p];
            if (!property.is_list) {
                values_[p] = body_.take(property.type);
                continue;
            }
            const double length = body_.take(property.length_type);
            values_[p] = length;
            if (length < 0) throw InputError(body_.place(), "a list of negative length");
            for (double i = 0; i < length; ++i) on_entry(static_cast<int>(p), body_.take(property.type));
        }
        body_.end_row();
    }

    void skip(const PlyElement& element) {
        for (std::uint64_t row = 0; row < element.count; ++row) read_row(element, row, [](int, double) {});
    }

    int required(const PlyElement& element, std::initializer_list<std::string_view> names,
                 bool is_list) const {
        const int p = element.find(names);
        if (p < 0 || element.properties[static_cast<std::size_t>(p)].is_list != is_list)
            throw InputError(lines_.name(), fmt::format("element '{}' has no {} '{}'", element.name,
                                                        is_list ? "list" : "number", *names.begin()));
        return p;
    }

    void read_vertices(const PlyElement& element) {
        const int x = required(element, {"x"}, false), y = required(element, {"y"}, false),
                  z = required(element, {"z"}, false);
        const int u = element.find({"s", "u", "texture_u"}), v = element.find({"t", "v", "texture_v"});
        const bool has_uvs = u >= 0 && v >= 0 && !element.properties[static_cast<std::size_t>(u)].is_list &&
                             !element.properties[static_cast<std::size_t>(v)].is_list;
        mesh_.positions.reserve(mesh_.positions.size() + element.count);
        if (has_uvs) mesh_.uvs.reserve(element.count);
        const auto value = [this](int p) { return finite(values_[static_cast<std::size_t>(p)]); };
        for (std::uint64_t row = 0; row < element.count; ++row) {
            read_row(element, row, [](int, double) {});
            mesh_.positions.push_back({value(x), value(y), value(z)});
            if (has_uvs) mesh_.uvs.push_back({value(u), value(v)});
        }
    }

    double finite(double value) const {
        if (!std::isfinite(value)) throw InputError(body_.place(), "a coordinate is not a finite number");
        return value;
    }

    void read_faces(const PlyElement& element) {
        const int list = required(element, {"vertex_indices", "vertex_index"}, true);
        if (!ply_is_integer(element.properties[static_cast<std::size_t>(list)].type))
            throw InputError(lines_.name(), "the vertex indices of faces must be of an integer type");
        if (element.count > 0 && mesh_.positions.empty())
            throw InputError(lines_.name(),
                             "element 'face' stands before 'vertex', or there are no vertices");
        mesh_.triangles.reserve(mesh_.triangles.size() + element.count);
        const auto count = static_cast<double>(mesh_.positions.size());
        for (std::uint64_t row = 0; row < element.count; ++row) {
            corners_.clear();
            read_row(element, row, [&](int p, double index) {
                if (p != list) return;
                if (index < 0 || index >= count)
                    throw InputError(body_.place(),
                                     fmt::format("a face refers to vertex {}, but the file has {} "
                                                 "vertices, counted from 0",
                                                 index, count));
                corners_.push_back(static_cast<int>(index));
            });
            add_face();
        }
    }

    void add_face() {
        if (corners_.size() < 3)
            throw InputError(body_.place(), fmt::format("a face with {} corners", corners_.size()),
                             "it needs three or more");
        if (corners_.size() > 3) ++polygons_;
        for (std::size_t i = 2; i < corners_.size(); ++i)
            mesh_.triangles.push_back({corners_[0], corners_[i - 1], corners_[i]});
    }

    void check_whole() const {
        if (mesh_.positions.empty())
            throw InputError(lines_.name(), "no vertices in it", "a triangle mesh is needed");
        if (mesh_.triangles.empty())
            throw InputError(lines_.name(), "no faces in it", "a triangle mesh is needed");
    }

    LineScanner lines_;
    PlyHeader header_;
    PlyBody body_;
    TriMesh mesh_;
    std::vector<double> values_;
    std::vector<int> corners_;
    std::size_t polygons_ = 0;
};

// One UV a vertex, (0, 0) where no triangle has one; false if some vertex has two that differ.
bool uvs_by_vertex(const TriMesh& mesh, std::vector<Vec2d>& uvs) {
    constexpr int kUnset = -1;
    std::vector<int> chosen(mesh.positions.size(), kUnset);
    uvs.assign(mesh.positions.size(), {});
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t)
        for (std::size_t c = 0; c < 3; ++c) {
            const auto vertex = static_cast<std::size_t>(mesh.triangles[t][c]);
            const int uv = mesh.uv_triangles[t][c];
            const Vec2d value = mesh.uvs[static_cast<std::size_t>(uv)];
            if (chosen[vertex] != kUnset && !(uvs[vertex] == value)) return false;
            chosen[vertex] = uv;
            uvs[vertex] = value;
        }
    return true;
}

}  // namespace

TriMesh parse_ply(std::string_view bytes, const std::string& name, std::vector<std::string>* warnings) {
    return PlyParser(bytes, name).parse(warnings);
}

TriMesh read_ply(const std::filesystem::path& path, std::vector<std::string>* warnings) {
    return parse_ply(read_file(path, kMaxFileBytes, require_ply), path.string(), warnings);
}

std::string format_ply(const TriMesh& mesh, const std::string& name, std::vector<std::string>* warnings) {
    require_writable(mesh, name);
    std::vector<Vec2d> uvs;
    const bool with_uvs = mesh.has_uvs() && uvs_by_vertex(mesh, uvs);
    if (mesh.has_uvs() && !with_uvs && warnings)
        warnings->push_back(name + ": written without UVs, for the mesh has seams; OBJ can keep them");

    std::string bytes = fmt::format(
        "ply\nformat binary_little_endian 1.0\ncomment Rumple: metres, Z up\nelement vertex {}\n"
        "property double x\nproperty double y\nproperty double z\n{}"
        "element face {}\nproperty list uchar int vertex_indices\nend_header\n",
        mesh.positions.size(), with_uvs ? "property double s\nproperty double t\n" : "",
        mesh.triangles.size());
    bytes.reserve(bytes.size() + mesh.positions.size() * (with_uvs ? 40 : 24) + mesh.triangles.size() * 13);
    constexpr auto kLittle = std::endian::little;
    for (std::size_t i = 0; i < mesh.positions.size(); ++i) {
        for (int a = 0; a < 3; ++a) append_number<kLittle>(bytes, mesh.positions[i][a]);
        if (!with_uvs) continue;
        append_number<kLittle>(bytes, uvs[i].x);
        append_number<kLittle>(bytes, uvs[i].y);
    }
    for (const auto& triangle : mesh.triangles) {
        bytes += '\3';
        for (int corner : triangle) append_number<kLittle>(bytes, static_cast<std::int32_t>(corner));
    }
    return bytes;
}

void write_ply(const std::filesystem::path& path, const TriMesh& mesh, std::vector<std::string>* warnings) {
    write_atomically(path, format_ply(mesh, path.string(), warnings));
}

}  // namespace rumple
