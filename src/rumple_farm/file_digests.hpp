// The files that the text of a scene names, by their contents: a job whose files change is another job.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <rumple/core/digest.hpp>
#include <string>
#include <unordered_map>
#include <vector>

namespace rumple::farm {

class FileDigests {
  public:
    explicit FileDigests(std::filesystem::path folder) : folder_(std::move(folder)) {}

    // The text, and the contents of what it names: files (with the mesh beside a cache and the buffers of a
    // .gltf), folders and patterns of meshes, and runs to continue. Each is read once.
    void add(Digest& digest, const nlohmann::json& value);

  private:
    void add_named(Digest& digest, const nlohmann::json& value, const std::string& key);
    const std::string& of(const std::string& text, bool can_be_a_folder);

    std::filesystem::path folder_;
    std::unordered_map<std::string, std::string> known_;  // by text; empty: it names no file
};

// Keys whose value is the path of a file or folder.
bool names_a_file(const std::string& key);

}  // namespace rumple::farm
