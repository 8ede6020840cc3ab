// A corpus of bad input: tests/bad_input/<kind>/<file>, each refused with the message that stands beside its
// name in tests/bad_input/expected.txt ("FILE" stands for its path). They were read aloud, and asked: would
// an animator know what to do?
//
// RUMPLE_WRITE_EXPECTED=1 writes the messages of today into expected.txt: read what changed before you keep
// it.
#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <rumple/core/error.hpp>
#include <rumple/io/gltf.hpp>
#include <rumple/io/point_cache.hpp>
#include <rumple/sim/checkpoint.hpp>
#include <rumple/sim/run.hpp>
#include <sstream>

#include "scratch_folder.hpp"

namespace rumple {
namespace {

namespace fs = std::filesystem;

const fs::path kCorpus = fs::path(RUMPLE_SOURCE_DIR) / "tests/bad_input";

// A scene around one thing that is bad.
void build(const nlohmann::json& mesh, const nlohmann::json& material) {
    const nlohmann::json document{{"rumple", 1},
                                  {"cloths", {{{"name", "cloth"}, {"mesh", mesh}, {"material", material}}}},
                                  {"phases", {{{"name", "rest"}, {"duration", 0.1}}}}};
    build_variants({document, "scene.json", kCorpus});
}

// Damaged checkpoints of the corpus stand for today's version; it was 5 when they were made. Those whose
// length is right get a header and a checksum of today.
void use_checkpoint(const fs::path& path) {
    constexpr std::size_t kVersion = 8, kHeader = 20, kChecksum = 8;  // bytes
    std::string bytes = slurp(path);
    if (bytes.size() <= kVersion || bytes[kVersion] != 5) {
        read_checkpoint(path);
        return;
    }
    bytes[kVersion] = static_cast<char>(kCheckpointVersion);
    if (bytes.size() >= kHeader + kChecksum) {
        const std::string body = bytes.substr(kHeader, bytes.size() - kHeader - kChecksum);
        const std::string sealed = seal_checkpoint(body);
        if (sealed.compare(0, kHeader, bytes, 0, kHeader) == 0) bytes = sealed;
    }
    decode_checkpoint(bytes, path.string());
}

// What is done with a file of this kind when it comes from a stranger.
void use(const std::string& kind, const fs::path& path) {
    const nlohmann::json grid{{"generator", "grid"}, {"nx", 3}, {"ny", 3}, {"width", 1}, {"height", 1}};
    if (kind == "mesh") build({{"file", path.string()}}, "cotton");
    if (kind == "material") build(grid, {{"file", path.string()}});
    if (kind == "scene") build_variants(load_scene_file(path));
    if (kind == "checkpoint") use_checkpoint(path);
    if (kind == "cache") {
        const PointCacheReader cache(path);
        for (std::size_t i = 0; i < cache.frame_count(); ++i) cache.read_frame(i);
    }
    if (kind == "gltf") {
        const GltfModel model = GltfModel::read(path);
        for (const std::string& clip : model.clip_names())
            model.positions(clip, 0.5 * model.clip_duration(clip));
    }
}

// The message, with the folder of the corpus left out of it.
std::string message_of(const std::string& kind, const fs::path& path) {
    std::string message = "(accepted)";
    try {
        use(kind, path);
    } catch (const InputError& error) {
        message = error.what();
    }
    const auto replace_all = [&](const std::string& what, const std::string& with) {
        for (std::size_t at = message.find(what); at != std::string::npos;
             at = message.find(what, at + with.size()))
            message.replace(at, what.size(), with);
    };
    replace_all(path.string(), "FILE");
    replace_all(path.parent_path().string(), "FOLDER");
    return message;
}

std::map<std::string, std::string> expected_messages() {
    std::map<std::string, std::string> all;
    std::istringstream lines(slurp(kCorpus / "expected.txt"));
    for (std::string name, message; std::getline(lines, name) && std::getline(lines, message);)
        all[name] = message.substr(message.find_first_not_of(' '));
    return all;
}

TEST(BadInput, EachFileIsRefusedWithItsMessage) {
    std::map<std::string, std::string> said;
    for (const auto& entry : fs::recursive_directory_iterator(kCorpus)) {
        if (!entry.is_regular_file() || entry.path().filename() == "expected.txt") continue;
        const std::string name = entry.path().lexically_relative(kCorpus).string();
        said[name] = message_of(name.substr(0, name.find('/')), entry.path());
    }
    if (std::getenv("RUMPLE_WRITE_EXPECTED") != nullptr) {
        std::string text;
        for (const auto& [name, message] : said) text += name + "\n    " + message + "\n";
        spill(kCorpus / "expected.txt", text);
    }
    const auto expected = expected_messages();
    EXPECT_GE(said.size(), 150u);
    EXPECT_EQ(said.size(), expected.size());
    for (const auto& [name, message] : said) {
        const auto found = expected.find(name);
        EXPECT_NE(message, "(accepted)") << name;
        EXPECT_EQ(message, found == expected.end() ? "" : found->second) << name;
        EXPECT_EQ(message.find('\n'), std::string::npos) << name;
        EXPECT_LT(message.size(), 300u) << name;
    }
}

}  // namespace
}  // namespace rumple
