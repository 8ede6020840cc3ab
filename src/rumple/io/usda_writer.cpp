// USD as text. Every attribute that changes is a list of time samples; each list is one pass over the frames.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <iterator>
#include <rumple/core/error.hpp>
#include <rumple/core/version.hpp>
#include <rumple/io/animation.hpp>
#include <rumple/io/atomic_file.hpp>
#include <rumple/io/writable_mesh.hpp>
#include <set>

namespace rumple {
namespace {

constexpr std::size_t kBufferBytes = 1 << 20;

// Text that goes to the file in large pieces.
class UsdaText {
  public:
    explicit UsdaText(const std::filesystem::path& path) : file_(path) {}

    template <class... Arguments>
    void add(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
        fmt::format_to(std::back_inserter(buffer_), format, std::forward<Arguments>(arguments)...);
        if (buffer_.size() >= kBufferBytes) flush();
    }
    void commit() {
        flush();
        file_.commit();
    }

  private:
    void flush() {
        file_.write({buffer_.data(), buffer_.size()});
        buffer_.clear();
    }

    AtomicFile file_;
    fmt::memory_buffer buffer_;
};

// A prim's name is an identifier, and the only one of its parent.
std::string identifier(const std::string& name, std::set<std::string>& taken) {
    std::string result;
    for (const char c : name) result += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
    if (result.empty() || std::isdigit(static_cast<unsigned char>(result.front())) != 0)
        result.insert(result.begin(), '_');
    std::string unique = result;
    for (int n = 1; !taken.insert(unique).second; ++n) unique = fmt::format("{}_{}", result, n);
    return unique;
}

void add_vectors(UsdaText& out, const std::vector<Vec3d>& values) {
    out.add("[");
    const char* comma = "";
    for (const Vec3d& v : values) {
        out.add("{}({}, {}, {})", comma, static_cast<float>(v.x), static_cast<float>(v.y),
                static_cast<float>(v.z));
        comma = ", ";
    }
    out.add("]");
}

void add_indices(UsdaText& out, const char* name, const std::vector<std::array<int, 3>>& triangles) {
    out.add("        int[] {} = [", name);
    const char* comma = "";
    for (const auto& t : triangles) {
        out.add("{}{}, {}, {}", comma, t[0], t[1], t[2]);
        comma = ", ";
    }
    out.add("]\n");
}

std::vector<Vec3d> extent_of(const std::vector<Vec3d>& x) {
    Vec3d low{HUGE_VAL, HUGE_VAL, HUGE_VAL}, high = -low;
    for (const Vec3d& p : x) {
        low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
        high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
    }
    return {low, high};
}

// Writes the mesh of one part of the animation.
class UsdaMesh {
  public:
    UsdaMesh(UsdaText& out, const Animation& animation, const AnimatedMesh& part, const std::string& file)
        : out_(out), animation_(animation), part_(part), file_(file) {}

    void write(const std::string& name, const std::string& material_path) {
        out_.add("    def Mesh \"{}\" (\n        displayName = \"{}\"\n", name, part_.name);
        if (!material_path.empty()) out_.add("        prepend apiSchemas = [\"MaterialBindingAPI\"]\n");
        out_.add("    )\n    {{\n        uniform bool doubleSided = 1\n");
        write_topology();
        write_samples("float3[] extent", "",
                      [](const auto&, const std::vector<Vec3d>& x) { return extent_of(x); });
        write_samples("point3f[] points", "", [](const auto&, const std::vector<Vec3d>& x) { return x; });
        write_samples("normal3f[] normals", "interpolation = \"vertex\"",
                      [](const AnimatedMesh& part, const std::vector<Vec3d>& x) {
                          std::vector<Vec3d> normals;
                          compute_normals(part.mesh.triangles, x, normals);
                          return normals;
                      });
        write_uvs();
        if (!material_path.empty()) out_.add("        rel material:binding = <{}>\n", material_path);
        out_.add("        uniform token orientation = \"rightHanded\"\n");
        out_.add("        uniform token subdivisionScheme = \"none\"\n    }}\n\n");
    }

  private:
    void write_topology() {
        out_.add("        int[] faceVertexCounts = [");
        for (std::size_t t = 0; t < part_.mesh.triangles.size(); ++t) out_.add("{}3", t == 0 ? "" : ", ");
        out_.add("]\n");
        add_indices(out_, "faceVertexIndices", part_.mesh.triangles);
    }

    void write_uvs() {
        const TriMesh& mesh = part_.mesh;
        if (!mesh.has_uvs()) return;
        out_.add("        texCoord2f[] primvars:st = [");
        for (std::size_t i = 0; i < mesh.uvs.size(); ++i)
            out_.add("{}({}, {})", i == 0 ? "" : ", ", static_cast<float>(mesh.uvs[i].x),
                     static_cast<float>(mesh.uvs[i].y));
        out_.add("] (\n            interpolation = \"faceVarying\"\n        )\n");
        add_indices(out_, "primvars:st:indices", mesh.uv_triangles);
    }

    // One value where the mesh stands still, time samples where it moves.
    template <class Values>
    void write_samples(const char* attribute, const std::string& metadata, Values values) {
        const std::string about = metadata.empty() ? "" : " (\n            " + metadata + "\n        )";
        if (!animation_.moves(part_)) {
            out_.add("        {} = ", attribute);
            add_vectors(out_, values(part_, positions_at(0)));
            out_.add("{}\n", about);
            return;
        }
        if (!about.empty()) out_.add("        {}{}\n", attribute, about);
        out_.add("        {}.timeSamples = {{\n", attribute);
        for (std::size_t i = 0; i < animation_.frames(); ++i) {
            out_.add("            {}: ", animation_.time_codes[i]);
            add_vectors(out_, values(part_, positions_at(i)));
            out_.add(",\n");
        }
        out_.add("        }}\n");
    }

    const std::vector<Vec3d>& positions_at(std::size_t frame) {
        if (!part_.frame) return part_.mesh.positions;
        part_.frame(frame, positions_);
        if (positions_.size() != part_.mesh.positions.size())
            throw InputError(file_,
                             fmt::format("frame {} of '{}' has {} points, its mesh has {} vertices", frame,
                                         part_.name, positions_.size(), part_.mesh.positions.size()));
        for (const Vec3d& p : positions_)
            if (!finite(p))
                throw SimulationError(
                    fmt::format("{}: not written: a vertex of frame {} is not finite", file_, frame));
        return positions_;
    }

    UsdaText& out_;
    const Animation& animation_;
    const AnimatedMesh& part_;
    const std::string& file_;
    std::vector<Vec3d> positions_;
};

void write_header(UsdaText& out, const Animation& animation, const std::string& root) {
    out.add("#usda 1.0\n(\n    defaultPrim = \"{}\"\n    doc = \"Rumple {}\"\n", root, program_version());
    out.add("    endTimeCode = {}\n    framesPerSecond = {}\n    metersPerUnit = 1\n",
            animation.time_codes.back(), animation.rate);
    out.add("    startTimeCode = {}\n    timeCodesPerSecond = {}\n    upAxis = \"Z\"\n)\n\n",
            animation.time_codes.front(), animation.rate);
}

void write_material(UsdaText& out, const std::string& scope, const std::string& name) {
    out.add("        def Material \"{}\"\n        {{\n", name);
    out.add("            token outputs:surface.connect = <{}/{}/surface.outputs:surface>\n\n", scope, name);
    out.add("            def Shader \"surface\"\n            {{\n");
    out.add("                uniform token info:id = \"UsdPreviewSurface\"\n");
    out.add("                color3f inputs:diffuseColor = (0.8, 0.8, 0.8)\n");
    out.add("                float inputs:roughness = 0.9\n                token outputs:surface\n");
    out.add("            }}\n        }}\n");
}

}  // namespace

void write_usda(const std::filesystem::path& path, const Animation& animation) {
    const std::string file = path.string();
    for (const AnimatedMesh& part : animation.meshes) require_writable(part.mesh, file);
    std::set<std::string> roots, names, material_names;
    const std::string root = identifier(animation.name, roots), scope = "/" + root + "/materials";
    names.insert("materials");
    UsdaText out(path);
    write_header(out, animation, root);
    out.add("def Xform \"{}\" (\n    kind = \"component\"\n)\n{{\n", root);
    std::vector<std::pair<std::string, std::string>> materials;  // name, identifier
    for (const AnimatedMesh& part : animation.meshes) {
        std::string material_path;
        if (!part.material.empty()) {
            auto known = std::find_if(materials.begin(), materials.end(),
                                      [&](const auto& material) { return material.first == part.material; });
            if (known == materials.end())
                known = materials.insert(known, {part.material, identifier(part.material, material_names)});
            material_path = scope + "/" + known->second;
        }
        UsdaMesh(out, animation, part, file).write(identifier(part.name, names), material_path);
    }
    if (!materials.empty()) {
        out.add("    def Scope \"materials\"\n    {{\n");
        for (const auto& material : materials) write_material(out, scope, material.second);
        out.add("    }}\n");
    }
    out.add("}}\n");
    out.commit();
}

}  // namespace rumple
