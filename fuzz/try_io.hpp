// What is done with a stranger's bytes, one function a format. They may be refused with one sentence, and
// nothing else may happen: any other exception, a crash, a report of the sanitizers, too much memory or too
// much time is a find. Used by the fuzz targets, and by the tests for every input that was ever found.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <rumple/core/error.hpp>
#include <rumple/io/gltf.hpp>
#include <rumple/io/obj.hpp>
#include <rumple/io/ply.hpp>
#include <rumple/io/point_cache.hpp>
#include <string>
#include <string_view>

namespace rumple::fuzz {

inline std::string text_of(const std::uint8_t* data, std::size_t size) {
    return {reinterpret_cast<const char*>(data), size};
}

// Refused, or not. A refusal is a sentence on one line, short enough to be read.
template <class Act>
bool accepts(Act&& act) {
    constexpr std::size_t kLongest = 2000;
    try {
        act();
        return true;
    } catch (const InputError& error) {
        const std::string_view said = error.what();
        if (said.empty() || said.size() > kLongest) std::abort();
        return false;
    }
}

// What was read must be fit to be written, and read back as it was.
inline void try_obj(const std::uint8_t* data, std::size_t size) {
    const std::string text = text_of(data, size);
    TriMesh mesh;
    std::vector<std::string> warnings;
    if (!accepts([&] { mesh = parse_obj(text, "mesh.obj", &warnings); })) return;
    const TriMesh again = parse_obj(format_obj(mesh), "again.obj");
    if (again.positions != mesh.positions || again.triangles != mesh.triangles) std::abort();
}

inline void try_ply(const std::uint8_t* data, std::size_t size) {
    const std::string text = text_of(data, size);
    TriMesh mesh;
    std::vector<std::string> warnings;
    if (!accepts([&] { mesh = parse_ply(text, "mesh.ply", &warnings); })) return;
    const TriMesh again = parse_ply(format_ply(mesh), "again.ply");
    if (again.positions != mesh.positions || again.triangles != mesh.triangles) std::abort();
}

// Every frame.
inline void try_point_cache(const std::uint8_t* data, std::size_t size) {
    // PC2 is known by its first bytes, MDD by its name: this name lets both be tried
    accepts([&] {
        const PointCacheReader reader(memory_source(text_of(data, size), "cache.mdd"));
        std::vector<Vec3d> positions;
        for (std::size_t i = 0; i < reader.frame_count(); ++i) reader.read_frame(i, positions);
        if (reader.sample_times().size() != reader.frame_count()) std::abort();
    });
}

// Text or GLB, and every clip of it at three moments.
inline void try_gltf(const std::uint8_t* data, std::size_t size) {
    accepts([&] {
        const GltfModel model = GltfModel::parse(text_of(data, size), "body.gltf");
        const std::size_t vertices = model.mesh().positions.size();
        for (const std::string& clip : model.clip_names()) {
            const double duration = model.clip_duration(clip);
            for (const double time : {0.0, 0.5 * duration, duration})
                if (model.positions(clip, time).size() != vertices) std::abort();
        }
    });
}

}  // namespace rumple::fuzz
