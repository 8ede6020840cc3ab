// The container of a glTF 2.0 file: its JSON, its binary buffers, and typed reads from them. Every index and
// every byte range is checked, so that a cut or hostile file ends in an InputError that names the place, e.g.
// "body.glb: accessors[3].count".
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace rumple {

class GltfDocument {
  public:
    // .glb by its first bytes, .gltf as JSON with buffers in data URIs or in files of the same folder.
    explicit GltfDocument(const std::filesystem::path& path);
    // The same from bytes; buffers in other files are refused.
    GltfDocument(std::string bytes, std::string name);

    const std::string& name() const { return name_; }

    const nlohmann::json& root() const { return json_; }
    // "nodes" and the like: the number of elements, and one of them (an object).
    std::size_t count(const char* list) const;
    const nlohmann::json& element(const char* list, std::size_t index) const;

    // A number of components a row; integers are turned into numbers, normalised ones into [0, 1] or [-1, 1].
    struct Table {
        std::size_t rows = 0, columns = 0;
        std::vector<double> values;
        double at(std::size_t row, std::size_t column) const { return values[row * columns + column]; }
    };
    // `columns`: what the accessor must have; `place` is who asks, for messages. Values are finite.
    Table read(std::size_t accessor, std::size_t columns, const std::string& place) const;
    // Whole numbers below `limit`.
    std::vector<std::uint32_t> read_indices(std::size_t accessor, std::size_t limit,
                                            const std::string& place) const;

    // A whole number, 0 or more; `fallback` when the key is missing.
    std::uint64_t whole(const nlohmann::json& object, const char* key, std::uint64_t fallback,
                        const std::string& place) const;
    // An index out of `object`, checked against the length of `list`; -1 when the key is missing.
    std::ptrdiff_t index(const nlohmann::json& object, const char* key, const char* list,
                         const std::string& place) const;
    // A list of such indices; empty when the key is missing.
    std::vector<std::size_t> index_list(const nlohmann::json& object, const char* key, const char* list,
                                        const std::string& place) const;
    // An array of numbers of the given length; `fallback` when the key is missing.
    template <std::size_t N>
    std::array<double, N> numbers(const nlohmann::json& object, const char* key,
                                  std::array<double, N> fallback, const std::string& place) const {
        if (!object.contains(key)) return fallback;
        const std::vector<double> found = number_list(object.at(key), N, place + "." + key);
        std::copy(found.begin(), found.end(), fallback.begin());
        return fallback;
    }
    std::string text(const nlohmann::json& object, const char* key, const std::string& fallback) const;

    [[noreturn]] void refuse(const std::string& place, const std::string& what,
                             const std::string& remedy = "") const;

  private:
    void parse(std::string bytes);
    void load_buffers(const std::filesystem::path* folder);
    std::string load_uri(const std::string& uri, const std::filesystem::path* folder,
                         const std::string& place) const;
    void check_extensions() const;
    std::vector<double> number_list(const nlohmann::json& list, std::size_t length,
                                    const std::string& place) const;

    struct View {
        const char* data;
        std::uint64_t stride, rows, columns, component;  // component: glTF's number of the type
        bool normalized;
    };
    View view(std::size_t accessor, const std::string& place) const;

    std::string name_;
    nlohmann::json json_;
    std::string binary_;  // the GLB's own chunk
    std::vector<std::string> buffers_;
};

}  // namespace rumple
