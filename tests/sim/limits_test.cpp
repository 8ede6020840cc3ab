// Files that are large or claim to be: refused at once, with little memory, before anything is read or made.
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <chrono>
#include <rumple/io/atomic_file.hpp>
#include <rumple/io/gltf.hpp>
#include <rumple/io/json_text.hpp>
#include <rumple/io/mesh_file.hpp>
#include <rumple/io/point_cache.hpp>
#include <rumple/sim/checkpoint.hpp>

#include <rumple/core/split_mix.hpp>

#include "scene/sample_scenes.hpp"

namespace rumple {
namespace {

constexpr std::uintmax_t kGigabyte = 1u << 30;
constexpr double kQuick = 2;         // s, also under a sanitizer on a loaded machine
constexpr long kLittle = 64 * 1024;  // kB more than before

long most_memory_so_far() {  // kB
    rusage usage{};
    ::getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss;
}

class Limits : public SceneFolder {
  protected:
    // The message, after a short time and with little memory.
    template <class Act>
    std::string refused(Act&& act) {
        const long before = most_memory_so_far();
        const auto start = std::chrono::steady_clock::now();
        const std::string message = error_of<InputError>(act);
        EXPECT_LT(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(), kQuick);
        EXPECT_LT(most_memory_so_far() - before, kLittle) << message;
        EXPECT_LT(message.size(), 400u) << message;
        return message;
    }
    // Garbage at the front and a gigabyte in all: the rest is a hole, which a reader cannot tell from bytes.
    std::filesystem::path gigabyte(const std::string& name, const std::string& front = "") {
        std::string bytes = front;
        SplitMix64 random(1);
        while (bytes.size() < 2 * kHeadBytes) bytes += static_cast<char>(random.next());
        write(name, bytes);
        std::filesystem::resize_file(folder / name, kGigabyte);
        return folder / name;
    }
    // Garbage made of letters and line ends.
    std::filesystem::path gigabyte_of_text(const std::string& name) {
        std::string bytes;
        SplitMix64 random(1);
        while (bytes.size() < 2 * kHeadBytes) bytes += "abcdefgh qrstuvw\n"[random.next() % 17];
        write(name, bytes);
        std::filesystem::resize_file(folder / name, kGigabyte);
        return folder / name;
    }
};

TEST_F(Limits, GigabyteOfGarbageIsRefusedByEveryReader) {
    for (const char* name : {"a.obj", "a.ply"}) {
        const auto path = gigabyte(name);
        expect_says(refused([&] { read_mesh(path); }), {name});
    }
    for (const char* name : {"b.obj", "b.ply"}) {
        const auto path = gigabyte_of_text(name);
        expect_says(refused([&] { read_mesh(path); }), {name});
    }
    for (const char* name : {"a.glb", "a.gltf"}) {
        const auto path = gigabyte(name);
        expect_says(refused([&] { GltfModel::read(path); }), {name, "glTF"});
    }
    const auto cache = gigabyte("a.pc2"), mdd = gigabyte("a.mdd");
    expect_says(refused([&] { PointCacheReader reader(cache); }), {"a.pc2", "is not a point cache"});
    expect_says(refused([&] { PointCacheReader reader(mdd); }), {"a.mdd", "the header claims"});
    const auto checkpoint = gigabyte("latest");
    expect_says(refused([&] { read_checkpoint(checkpoint); }), {"latest", "is not a checkpoint"});
    const auto scene = gigabyte("a.json");
    expect_says(refused([&] { load_scene_file(scene); }), {"a.json", "1073741824 bytes", "at most"});
}

TEST_F(Limits, HeaderThatClaimsTwoBillionPointsIsRefused) {
    const std::string most("\xff\xff\xff\x7f", 4), one("\1\0\0\0", 4), zero(4, '\0');
    const std::string rate("\0\0\x80\x3f", 4);
    const auto pc2 = gigabyte("a.pc2", std::string("POINTCACHE2\0", 12) + one + most + zero + rate + most);
    expect_says(refused([&] { PointCacheReader reader(pc2); }), {"the header claims 2147483647 frames"});
    const auto huge = gigabyte("b.pc2", std::string("POINTCACHE2\0", 12) + one + most + zero + rate + one);
    expect_says(refused([&] { PointCacheReader reader(huge); }), {"the file holds 0 whole frames"});
    const auto mdd = gigabyte("a.mdd", std::string("\x7f\xff\xff\xff\x7f\xff\xff\xff", 8));
    expect_says(refused([&] { PointCacheReader reader(mdd); }), {"2147483647 frames of 2147483647 points"});
    const auto ply = write("a.ply",
                           "ply\nformat binary_little_endian 1.0\nelement vertex 2147483648\n"
                           "property float x\nproperty float y\nproperty float z\nend_header\n");
    expect_says(refused([&] { read_mesh(ply); }), {"the header claims 2147483648 of 'vertex'"});
}

TEST_F(Limits, DeeplyNestedJsonIsRefused) {
    const std::string arrays(1'000'000, '[');
    std::string objects = "{\"asset\": {}, \"nodes\": ";
    for (int i = 0; i < 200'000; ++i) objects += "{\"a\":";
    expect_says(refused([&] { parse_json(arrays, "deep.json"); }), {"deep.json", "nested more than 64 deep"});
    expect_says(refused([&] { parse_json(objects, "deep.json"); }),
                {"deep.json", "nested more than 64 deep"});
    expect_says(refused([&] { GltfModel::parse(objects, "deep.gltf"); }), {"deep.gltf", "nested"});
    nlohmann::json document = twist_document();
    expect_says(
        refused([&] { set_value(document, "gravity", std::string(50'000, '[') + std::string(50'000, ']')); }),
        {"nested"});
    EXPECT_NO_THROW(parse_json(std::string(60, '[') + std::string(60, ']'), "shallow.json"));
}

TEST_F(Limits, SmallSceneThatAsksForMoreThanMemoryHoldsIsRefused) {
    const auto says = [&](const std::string& path, const nlohmann::json& value) {
        const nlohmann::json document = twist_with(path, value);
        return refused([&] { build(document); });
    };
    expect_says(says("cloths.tube.mesh",
                     {{"generator", "grid"}, {"nx", 100000}, {"ny", 100000}, {"width", 1}, {"height", 1}}),
                {"1e+10 vertices are too many"});
    expect_says(says("cloths.tube.mesh", {{"generator", "disc"}, {"radius", 1000}, {"edge", 1e-9}}),
                {"vertices are too many"});
    const auto obstacle = [](const nlohmann::json& shape) {
        return nlohmann::json::array({{{"name", "o"}, {"shape", shape}}});
    };
    for (const char* kind : {"cylinder", "capsule", "container"})
        expect_says(
            says("obstacles", obstacle({{"kind", kind},
                                        {"radius", 1e-9},
                                        {std::string(kind) == "capsule" ? "length" : "height", 1000}})),
            {"obstacles[0].shape", "out of range", "10000 times the radius"});
    expect_says(says("obstacles", obstacle({{"kind", "sphere"}, {"radius", 1}, {"edge", 1e-7}})),
                {"obstacles[0].shape.edge", "out of range"});
}

TEST_F(Limits, PathOutsideTheScenesFolderIsRefused) {
    for (const char* path : {"../mesh.obj", "a/../../mesh.obj", "./../mesh.obj", ".."})
        for (const char* place : {"cloths.tube.mesh", "obstacles"}) {
            const nlohmann::json file{{"file", path}};
            const nlohmann::json value =
                place[0] == 'c' ? file : nlohmann::json::array({{{"name", "o"}, {"mesh", file}}});
            const nlohmann::json document = twist_with(place, value);
            expect_says(refused([&] { build(document, "", folder); }),
                        {path, "is outside the scene's folder", "beside the scene"});
        }
    const auto gltf = write("body.gltf", R"({"asset": {"version": "2.0"}, "buffers": [
        {"byteLength": 4, "uri": "../secret.bin"}]})");
    expect_says(refused([&] { GltfModel::read(gltf); }), {"../secret.bin", "is not read"});
}

}  // namespace
}  // namespace rumple
