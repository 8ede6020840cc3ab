#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <rumple/core/error.hpp>
#include <rumple/core/index.hpp>
#include <rumple/io/byte_order.hpp>
#include <rumple/io/gltf.hpp>

#include "real_body.hpp"
#include "scratch_folder.hpp"

namespace rumple {
namespace {

// A strip of two quads standing along +Y (0 to 2 m), bent at y = 1 by joint 1; keys written by hand.
//   nodes: 0 holder (mesh, skin), 1 root joint, 2 upper joint at y = 1
class TinyGlb {
  public:
    TinyGlb() {
        json_ = R"({"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0,1]}],
"nodes":[{"mesh":0,"skin":0,"translation":[9,9,9]},{"children":[2]},{"translation":[0,1,0]}],
"meshes":[{"primitives":[{"attributes":{"POSITION":0,"JOINTS_0":1,"WEIGHTS_0":2},"indices":3}]}],
"skins":[{"joints":[1,2],"inverseBindMatrices":4}],
"animations":[{"name":"bend","channels":[{"sampler":0,"target":{"node":2,"path":"rotation"}}],
 "samplers":[{"input":5,"output":6,"interpolation":"LINEAR"}]},
 {"name":"jump","channels":[{"sampler":0,"target":{"node":1,"path":"translation"}}],
 "samplers":[{"input":5,"output":7,"interpolation":"STEP"}]},
 {"channels":[{"sampler":0,"target":{"node":1,"path":"translation"}}],
 "samplers":[{"input":5,"output":8,"interpolation":"CUBICSPLINE"}]}],)";
        const float s = std::sqrt(0.5f);
        floats({0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0, 0, 2, 0, 1, 2, 0}, "VEC3", 6);        // 0 positions
        bytes({0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0});  // 1 joints
        floats({1, 0, 0, 0, 1, 0, 0, 0, .5, .5, 0, 0, .5, .5, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0}, "VEC4",
               6);                                                // 2 weights
        shorts({0, 1, 3, 0, 3, 2, 2, 3, 5, 2, 5, 4});             // 3 indices
        floats({1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0,  0, 1,  // 4 inverse bind
                1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, -1, 0, 1},
               "MAT4", 2);
        floats({0, 2}, "SCALAR", 2);                  // 5 times
        floats({0, 0, 0, 1, s, 0, 0, s}, "VEC4", 2);  // 6 rotation: 90 degrees about x
        floats({0, 0, 0, 5, 0, 0}, "VEC3", 2);        // 7 translation
        floats({0, 0, 0, 0, 0, 0, 3, 0, 0, 3, 0, 0, 2, 0, 0, 0, 0, 0}, "VEC3", 6);  // 8 tangents and values
    }

    void replace(const std::string& from, const std::string& to) {
        const std::size_t at = text().find(from);
        ASSERT_NE(at, std::string::npos) << from;
        changed_ = text().replace(at, from.size(), to);
    }
    std::string text() const {
        if (!changed_.empty()) return changed_;
        return json_ + "\"bufferViews\":[" + views_ + "],\"accessors\":[" + accessors_ +
               "],\"buffers\":[{\"byteLength\":" + std::to_string(data_.size()) + "}]}";
    }
    std::string glb() const {
        std::string json = text(), out = "glTF";
        while (json.size() % 4) json += ' ';
        const auto word = [&](std::size_t value) {
            append_number<std::endian::little>(out, std::uint32_t(value));
        };
        word(2), word(12 + 8 + json.size() + 8 + data_.size());
        word(json.size()), word(0x4E4F534A), out += json;
        word(data_.size()), word(0x004E4942), out += data_;
        return out;
    }
    const std::string& data() const { return data_; }

  private:
    void accessor(const std::string& type, int component, std::size_t count, std::size_t begin) {
        while (data_.size() % 4) data_ += '\0';
        const std::string comma = views_.empty() ? "" : ",";
        accessors_ += comma + "{\"bufferView\":" + std::to_string(views_made_++) +
                      ",\"componentType\":" + std::to_string(component) +
                      ",\"count\":" + std::to_string(count) + ",\"type\":\"" + type + "\"}";
        views_ += comma + "{\"buffer\":0,\"byteOffset\":" + std::to_string(begin) +
                  ",\"byteLength\":" + std::to_string(data_.size() - begin) + "}";
    }
    void floats(std::initializer_list<float> values, const char* type, std::size_t count) {
        const std::size_t begin = data_.size();
        for (const float v : values) append_number<std::endian::little>(data_, v);
        accessor(type, 5126, count, begin);
    }
    void shorts(std::initializer_list<int> values) {
        const std::size_t begin = data_.size();
        for (const int v : values) append_number<std::endian::little>(data_, std::uint16_t(v));
        accessor("SCALAR", 5123, values.size(), begin);
    }
    void bytes(std::initializer_list<int> values) {
        const std::size_t begin = data_.size();
        for (const int v : values) data_ += static_cast<char>(v);
        accessor("VEC4", 5121, values.size() / 4, begin);
    }

    std::string json_, views_, accessors_, data_, changed_;
    int views_made_ = 0;
};

GltfModel tiny() { return GltfModel::parse(TinyGlb().glb(), "tiny.glb"); }

std::string error_of(const std::string& bytes) {
    try {
        GltfModel::parse(bytes, "tiny.glb");
    } catch (const InputError& e) {
        return e.what();
    }
    return "";
}

TEST(Gltf, ReadsAMeshAndTurnsItZUp) {
    const GltfModel model = tiny();
    EXPECT_EQ(model.mesh().triangles.size(), 4u);
    ASSERT_EQ(model.mesh().positions.size(), 6u);
    EXPECT_EQ(model.mesh().positions[4], (Vec3d{0, 0, 2}));  // a skinned mesh ignores its node's own place
    EXPECT_EQ(model.clip_names(), (std::vector<std::string>{"bend", "jump", "animation_2"}));
}

TEST(Gltf, BendsByLinearBlendSkinning) {
    const GltfModel model = tiny();
    EXPECT_EQ(model.clip_duration("bend"), 2);
    for (const double angle : {0.0, 30.0, 90.0}) {
        const auto x = model.positions("bend", 2 * angle / 90);
        const double a = angle * M_PI / 180;
        // The tip turns about (0, 1, 0) of the file; the middle stays on the joint.
        EXPECT_LT(norm(x[4] - Vec3d{0, -std::sin(a), 1 + std::cos(a)}), 1e-6);
        EXPECT_LT(norm(x[2] - Vec3d{0, 0, 1}), 1e-6);
    }
    EXPECT_EQ(model.positions("bend", 17), model.positions("bend", 2));
    EXPECT_EQ(model.positions("bend", -1), model.positions("bend", 0));
}

TEST(Gltf, StepsAndSplinesAsTheSpecificationSays) {
    const GltfModel model = tiny();
    EXPECT_EQ(model.positions("jump", 1.99)[0].x, 0);
    EXPECT_EQ(model.positions("jump", 2)[0].x, 5);
    // Hermite, 2 s: p0 = 0, out-tangent 3; p1 = 2, in-tangent 3; at the middle 1/2 (0 + 2) + 2 (1/8 - 1/8) 3.
    EXPECT_NEAR(model.positions("animation_2", 1)[0].x, 1, 1e-12);
    EXPECT_NEAR(model.positions("animation_2", 0.5)[0].x, 2 * 0.15625 + 2 * (0.140625 * 3 - 0.046875 * 3),
                1e-12);
}

TEST(Gltf, UnknownClipListsThoseThereAre) {
    try {
        tiny().positions("sit", 0);
        FAIL();
    } catch (const InputError& e) {
        EXPECT_STREQ(e.what(),
                     "tiny.glb: there is no clip 'sit'; its clips are 'bend', 'jump', 'animation_2'");
    }
}

TEST(Gltf, SplitVerticesBecomeOneAgain) {
    TinyGlb tiny;
    // The same quad twice: the second primitive repeats all vertices.
    const std::string primitive = R"({"attributes":{"POSITION":0,"JOINTS_0":1,"WEIGHTS_0":2},"indices":3})";
    tiny.replace(primitive, primitive + "," + primitive);
    EXPECT_EQ(GltfModel::parse(tiny.glb(), "tiny.glb").mesh().positions.size(), 6u);
}

TEST(Gltf, ReadsJsonWithABufferBesideItOrWithin) {
    ScratchFolder folder;
    TinyGlb file;
    const std::string length = "\"byteLength\":" + std::to_string(file.data().size()) + "}]}";
    file.replace(length, "\"uri\":\"tiny.bin\"," + length);
    std::ofstream(folder / "tiny.gltf") << file.text();
    EXPECT_THROW(GltfModel::read(folder / "tiny.gltf"), InputError);  // the buffer is missing
    std::ofstream(folder / "tiny.bin", std::ios::binary) << file.data();
    EXPECT_EQ(GltfModel::read(folder / "tiny.gltf").mesh().positions, tiny().mesh().positions);

    const std::string letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string base64;
    for (std::size_t i = 0; i < file.data().size(); i += 3) {
        std::uint32_t bits = 0;
        for (std::size_t k = 0; k < 3; ++k)
            bits = bits << 8 | (i + k < file.data().size() ? std::uint8_t(file.data()[i + k]) : 0u);
        for (int k = 3; k >= 0; --k) base64 += letters[bits >> 6 * k & 63];
    }
    file.replace("tiny.bin", "data:application/octet-stream;base64," + base64);
    EXPECT_EQ(GltfModel::parse(file.text(), "tiny.gltf").mesh().positions, tiny().mesh().positions);
}

TEST(Gltf, ReachesForNoFileElsewhere) {
    for (const char* uri : {"/etc/passwd", "../secret.bin", "http://example.org/a.bin"}) {
        ScratchFolder folder;
        TinyGlb tiny;
        const std::string length = "\"byteLength\":" + std::to_string(tiny.data().size()) + "}]}";
        tiny.replace(length, std::string("\"uri\":\"") + uri + "\"," + length);
        std::ofstream(folder / "tiny.gltf") << tiny.text();
        try {
            GltfModel::read(folder / "tiny.gltf");
            FAIL();
        } catch (const InputError& e) {
            EXPECT_NE(std::string(e.what()).find("is not read"), std::string::npos) << e.what();
        }
    }
}

TEST(Gltf, RefusesWhatCannotBe) {
    const std::pair<const char*, const char*> changes[] = {
        {"\"children\":[2]", "\"children\":[1]"},          // its own ancestor
        {"\"children\":[2]", "\"children\":[2,2]"},        // two parents
        {"\"children\":[2]", "\"children\":[77]"},         // no such node
        {"\"children\":[2]", "\"children\":[-1]"},         //
        {"\"nodes\":[0,1]", "\"nodes\":[0,0]"},            // a node twice
        {"\"joints\":[1,2]", "\"joints\":[1]"},            // a vertex follows joint 1
        {"\"joints\":[1,2]", "\"joints\":[]"},             //
        {"\"POSITION\":0", "\"POSITION\":5"},              // scalars
        {"\"POSITION\":0", "\"POSITION\":99"},             //
        {"\"POSITION\":0", "\"POSITION\":\"x\""},          //
        {",\"WEIGHTS_0\":2", ""},                          // joints without weights
        {"\"indices\":3", "\"indices\":0"},                // floats
        {"\"indices\":3", "\"mode\":0"},                   // points only: nothing left
        {"\"input\":5", "\"input\":6"},                    // times with four columns
        {"\"output\":6", "\"output\":5"},                  //
        {"\"sampler\":0", "\"sampler\":4"},                //
        {"LINEAR", "BOUNCE"},                              //
        {"\"path\":\"rotation\"", "\"path\":\"colour\""},  //
        {"\"count\":6", "\"count\":4000000000"},           // beyond its view
        {"\"count\":6", "\"count\":0"},                    //
        {"\"count\":6", "\"count\":6.5"},                  //
        {"\"count\":6", "\"sparse\":{},\"count\":6"},      //
        {"\"byteOffset\":0", "\"byteOffset\":18446744073709551615"},
        {"\"byteOffset\":0", "\"byteStride\":1,\"byteOffset\":0"},
        {"\"componentType\":5126", "\"componentType\":1"},
        {"\"asset\":{\"version\":\"2.0\"},", ""},
        {"\"asset\"", "\"extensionsRequired\":[\"KHR_draco_mesh_compression\"],\"asset\""},
        {"[9,9,9]", "[9,9]"},
        {"[9,9,9]", "[9,9,\"far\"]"},
        {"\"mesh\":0", "\"mesh\":[]"},
        {"[{\"primitives\"", "[7,{\"primitives\""},
    };
    for (const auto& [from, to] : changes) {
        TinyGlb tiny;
        tiny.replace(from, to);
        const std::string message = error_of(tiny.glb());
        EXPECT_EQ(message.find("tiny.glb: "), 0u) << from << " -> " << to << ": " << message;
    }
}

TEST(Gltf, CutOrChangedBytesNeverDoWorseThanAnError) {
    const std::string whole = TinyGlb().glb();
    for (std::size_t length = 0; length < whole.size(); ++length)
        EXPECT_NE(error_of(whole.substr(0, length)), "") << "cut to " << length;
    std::uint32_t random = 1;
    const auto next = [&] { return random = random * 1664525u + 1013904223u; };
    for (int i = 0; i < 4000; ++i) {
        std::string bytes = whole;
        for (std::uint32_t k = 0; k < 1 + i % 4u; ++k)
            bytes[(next() >> 8) % bytes.size()] = static_cast<char>(next() >> 24);
        try {
            const GltfModel model = GltfModel::parse(bytes, "tiny.glb");
            for (const std::string& clip : model.clip_names()) model.positions(clip, 0.7);
        } catch (const InputError&) {
        }
    }
}

// A real body, and caches of its clips that another program computed.
TEST(GltfBody, AgreesWithThePointCaches) {
    const GltfModel model = real_body();
    ASSERT_EQ(model.clip_names().size(), 3u);
    for (const std::string& clip : model.clip_names()) {
        const PointCacheReader cache(real_body_folder() / (clip + ".pc2"));
        double worst = 0;
        for (std::size_t i = 0; i < cache.frame_count(); ++i) {
            const auto ours = model.positions(clip, cache.sample_times()[i] / 30),
                       theirs = cache.read_frame(i);
            ASSERT_EQ(ours.size(), 17 * theirs.size());  // every 17th vertex
            for (std::size_t v = 0; v < theirs.size(); ++v)
                worst = std::max(worst, norm(ours[17 * v] - theirs[v]));
        }
        EXPECT_LT(worst, 1e-5) << clip;
    }
}

// Every vertex counts in the volume: the caches hold a part of them only.
TEST(GltfBody, HasTheVolumeThatItsAuthorsMeasured) {
    const GltfModel model = real_body();
    const auto litres = [&](const std::string& clip, double time) {
        const std::vector<Vec3d> x = model.positions(clip, time);
        double volume = 0;
        for (const auto& [a, b, c] : model.mesh().triangles)
            volume += dot(x[at(a)], cross(x[at(b)], x[at(c)])) / 6;
        return 1000 * volume;
    };
    const struct {
        const char* clip;
        double rest, extreme;
    } measured[] = {{"lift_leg", 63.355, 61.936}, {"sit", 63.355, 60.734}, {"bend_arms", 64.752, 64.445}};
    for (const auto& m : measured) {
        EXPECT_NEAR(litres(m.clip, 0), m.rest, 0.002) << m.clip;
        EXPECT_NEAR(litres(m.clip, 3), m.extreme, 0.002) << m.clip;
    }
}

}  // namespace
}  // namespace rumple
