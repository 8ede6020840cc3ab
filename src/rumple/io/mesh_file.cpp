#include <rumple/core/error.hpp>
#include <rumple/io/mesh_file.hpp>
#include <rumple/io/obj.hpp>
#include <rumple/io/ply.hpp>

namespace rumple {
namespace {

enum class MeshFormat { kObj, kPly, kUnknown };

MeshFormat mesh_format(const std::filesystem::path& path) {
    std::string extension = path.extension().string();
    for (char& c : extension)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    if (extension == ".obj") return MeshFormat::kObj;
    if (extension == ".ply") return MeshFormat::kPly;
    return MeshFormat::kUnknown;
}

[[noreturn]] void refuse(const std::filesystem::path& path) {
    const std::string extension = path.extension().string();
    throw InputError(path.string(),
                     extension.empty() ? "a mesh file without an extension"
                                       : "'" + extension + "' is not a mesh format Rumple knows",
                     "known are .obj and .ply");
}

}  // namespace

TriMesh read_mesh(const std::filesystem::path& path, std::vector<std::string>* warnings) {
    switch (mesh_format(path)) {
        case MeshFormat::kObj:
            return read_obj(path, warnings);
        case MeshFormat::kPly:
            return read_ply(path, warnings);
        case MeshFormat::kUnknown:
            break;
    }
    refuse(path);
}

void write_mesh(const std::filesystem::path& path, const TriMesh& mesh, std::vector<std::string>* warnings) {
    switch (mesh_format(path)) {
        case MeshFormat::kObj:
            return write_obj(path, mesh);
        case MeshFormat::kPly:
            return write_ply(path, mesh, warnings);
        case MeshFormat::kUnknown:
            break;
    }
    refuse(path);
}

bool is_mesh_file(const std::filesystem::path& path) { return mesh_format(path) != MeshFormat::kUnknown; }

std::optional<std::filesystem::path> mesh_beside(const std::filesystem::path& cache) {
    for (const char* extension : {".obj", ".ply"}) {
        std::filesystem::path beside = cache;
        beside.replace_extension(extension);
        if (std::filesystem::exists(beside)) return beside;
    }
    return std::nullopt;
}

}  // namespace rumple
