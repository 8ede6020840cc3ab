// A small twist as a document, and short ways to build it, change it and see what is said about it.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <rumple/core/error.hpp>
#include <rumple/scene/scene_file.hpp>
#include <rumple/scene/scene_hash.hpp>
#include <string>

#include "scratch_folder.hpp"

namespace rumple {

inline nlohmann::json twist_document() {
    return nlohmann::json::parse(R"({
      "rumple": 1, "name": "twist", "description": "A tube, twisted and untwisted", "gravity": [0, 0, 0],
      "step": {"h": 0.01},
      "output": {"rate": 25},
      "recovery_from": "hold",
      "cloths": [{
        "name": "tube",
        "mesh": {"generator": "tube", "radius": 0.04, "height": 0.11, "around": 16, "up": 7},
        "rest": "uv",
        "imperfection": {"amplitude": 2e-5, "seed": 1, "direction": "radial"},
        "material": {"preset": "cotton", "H_ref": 0.004}}],
      "handles": [{"name": "top", "select": {"ring": "top"}}, {"name": "bottom", "select": {"ring": "bottom"}}],
      "phases": [
        {"name": "twist", "duration": 1, "motions":
          {"top": {"rotate": {"axis": [0, 0, 1], "degrees": -90}, "translate": [0, 0, -0.02]}, "bottom": "fixed"}},
        {"name": "rest", "duration": 0.4},
        {"name": "hold", "hold": 500, "steps": 50},
        {"name": "untwist", "duration": 1, "motions":
          {"top": {"rotate": {"axis": [0, 0, 1], "degrees": 90}, "translate": [0, 0, 0.02]}}},
        {"name": "settle", "duration": 0.5}],
      "variants": [
        {"name": "brief", "set": {"phases.hold.steps": 0}},
        {"name": "held"},
        {"name": "control", "set": {"phases.hold.hold": 0}}]
    })");
}

// Variant `name` of a document ("" where it has none), as if it stood in twist.json in `folder`.
inline Scene build(const nlohmann::json& document, const std::string& name = "",
                   const std::filesystem::path& folder = {}) {
    const SceneFile file{document, "twist.json", folder};
    for (const Variant& variant : expand_variants(file))
        if (variant.name == name) return build_scene(file, variant);
    throw std::runtime_error("no variant " + name);
}

// The twist without variants, one value changed.
inline nlohmann::json twist_with(const std::string& path, const nlohmann::json& value) {
    nlohmann::json document = twist_document();
    document.erase("variants");
    set_json(document, path, value);
    return document;
}

// What is said when the document is built; empty when nothing is wrong.
inline std::string complaint(const nlohmann::json& document, const std::filesystem::path& folder = {}) {
    try {
        const SceneFile file{document, "twist.json", folder};
        for (const Variant& variant : expand_variants(file)) build_scene(file, variant);
    } catch (const InputError& error) {
        return error.what();
    }
    return "";
}

inline std::string complaint_with(const std::string& path, const nlohmann::json& value) {
    return complaint(twist_with(path, value));
}

// A test with a folder for the scene and its files.
class SceneFolder : public testing::Test {
  protected:
    std::filesystem::path write(const std::string& name, const std::string& text) const {
        spill(folder / name, text);
        return folder / name;
    }

  private:
    ScratchFolder scratch_;

  protected:
    const std::filesystem::path folder = scratch_.path();
};

}  // namespace rumple
