#include <algorithm>
#include <array>
#include <rumple/io/atomic_file.hpp>
#include <rumple/sim/run_layout.hpp>
#include <rumple_farm/file_digests.hpp>

namespace rumple::farm {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

constexpr std::size_t kMaxPath = 4096;

bool is_mesh(const fs::path& path) { return path.extension() == ".obj" || path.extension() == ".ply"; }

// Files of a folder, by name.
template <class Wanted>
std::vector<fs::path> files_in(const fs::path& folder, Wanted wanted) {
    std::vector<fs::path> files;
    std::error_code code;
    for (fs::directory_iterator entry(folder, code), end; !code && entry != end; entry.increment(code))
        if (wanted(entry->path())) files.push_back(entry->path());
    std::sort(files.begin(), files.end());
    return files;
}

std::vector<fs::path> of_folder(const fs::path& folder) {
    const RunLayout run(folder);
    std::error_code ignored;
    if (fs::exists(run.checkpoint(), ignored)) return {run.summary(), run.checkpoint()};
    return files_in(folder, is_mesh);
}

std::vector<fs::path> of_pattern(const fs::path& pattern) {
    const std::string name = pattern.filename().string();
    const std::size_t star = name.find('*');
    const std::string begin = name.substr(0, star), end = name.substr(star + 1);
    return files_in(pattern.parent_path(), [&](const fs::path& path) {
        const std::string file = path.filename().string();
        return file.size() + 1 >= name.size() && file.starts_with(begin) && file.ends_with(end);
    });
}

// Buffers of a .gltf that are files of their own.
std::vector<fs::path> buffers_of(const fs::path& file) {
    std::vector<fs::path> buffers;
    const json document = json::parse(read_file(file), nullptr, false);
    if (!document.is_object() || !document.contains("buffers")) return buffers;
    for (const json& buffer : document["buffers"]) {
        const auto uri = buffer.is_object() ? buffer.find("uri") : buffer.end();
        if (!buffer.is_object() || uri == buffer.end() || !uri->is_string()) continue;
        const auto name = uri->get<std::string>();
        if (!name.starts_with("data:")) buffers.push_back(file.parent_path() / name);
    }
    return buffers;
}

std::vector<fs::path> of_file(const fs::path& file) {
    std::vector<fs::path> files{file};
    if (!is_mesh(file))  // the triangles of a cache
        for (const char* extension : {".obj", ".ply"})
            files.push_back(fs::path(file).replace_extension(extension));
    if (file.extension() == ".gltf")
        for (fs::path& buffer : buffers_of(file)) files.push_back(std::move(buffer));
    return files;
}

}  // namespace

bool names_a_file(const std::string& key) {
    constexpr std::array kKeys{"file", "from", "run", "mesh", "material"};
    return std::find(kKeys.begin(), kKeys.end(), key) != kKeys.end();
}

const std::string& FileDigests::of(const std::string& text, bool can_be_a_folder) {
    const auto [found, is_new] = known_.try_emplace((can_be_a_folder ? "/" : " ") + text);
    if (!is_new || text.empty() || text.size() >= kMaxPath) return found->second;
    const fs::path path = folder_ / text;
    std::error_code ignored;
    std::vector<fs::path> files;
    if (text.find('.') != std::string::npos && fs::is_regular_file(path, ignored))
        files = of_file(path);
    else if (can_be_a_folder && text.find('*') != std::string::npos)
        files = of_pattern(path);
    else if (can_be_a_folder && fs::is_directory(path, ignored))
        files = of_folder(path);
    Digest digest;
    bool any = false;
    for (const fs::path& file : files) {
        if (!fs::is_regular_file(file, ignored)) continue;
        digest.add(read_file(file));
        any = true;
    }
    if (any) found->second = digest.hex32();
    return found->second;
}

void FileDigests::add_named(Digest& digest, const json& value, const std::string& key) {
    if (value.is_string()) {
        const bool can_be_a_folder = key == "file" || key == "from" || key == "run";
        const std::string& file = of(value.get_ref<const std::string&>(), can_be_a_folder);
        if (!file.empty()) digest.add(file);
    } else if (value.is_object()) {
        for (const auto& [name, part] : value.items()) add_named(digest, part, name);
    } else if (value.is_array()) {
        for (const json& part : value) add_named(digest, part, key);
    }
}

void FileDigests::add(Digest& digest, const json& value) {
    digest.add(value.dump());
    add_named(digest, value, "");
}

}  // namespace rumple::farm
