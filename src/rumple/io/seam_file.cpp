#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <rumple/core/error.hpp>
#include <rumple/io/atomic_file.hpp>
#include <rumple/io/json_text.hpp>
#include <rumple/io/seam_file.hpp>

namespace rumple {

namespace {

using nlohmann::json;

std::string numbers(const std::vector<Vec3d>& points, int digits) {
    std::string text = "[";
    for (const Vec3d& p : points)
        text += fmt::format("{}[{:.{}f},{:.{}f},{:.{}f}]", text.size() > 1 ? "," : "", p.x, digits, p.y,
                            digits, p.z, digits);
    return text + "]";
}

std::vector<Vec3d> points_of(const json& line, const char* key) {
    std::vector<Vec3d> points;
    for (const json& p : line.at(key)) {
        points.push_back({p.at(0).get<double>(), p.at(1).get<double>(), p.at(2).get<double>()});
        const Vec3d q = points.back();
        if (!std::isfinite(q.x + q.y + q.z)) throw InputError(key, "a number is not finite");
    }
    return points;
}

}  // namespace

void write_seams(const std::filesystem::path& path, const std::vector<SeamLine>& seams) {
    std::string text = "{\"seams\": [";
    for (const SeamLine& line : seams)
        text += fmt::format("{}\n {{\"kind\": \"{}\", \"points\": {},\n  \"normals\": {}}}",
                            &line == &seams.front() ? "" : ",",
                            seam_kind_names()[static_cast<std::size_t>(line.kind)], numbers(line.points, 6),
                            numbers(line.normals, 4));
    write_atomically(path, text + "\n]}\n");
}

std::vector<SeamLine> read_seams(const std::filesystem::path& path) {
    const json file = parse_json(read_file(path), path.string());
    std::vector<SeamLine> seams;
    try {
        for (const json& line : file.at("seams")) {
            const auto& names = seam_kind_names();
            const auto name = std::find(names.begin(), names.end(), line.at("kind").get<std::string>());
            if (name == names.end()) throw InputError(path.string(), "there is no such kind of seam");
            SeamLine& seam = seams.emplace_back();
            seam.kind = static_cast<SeamKind>(name - names.begin());
            seam.points = points_of(line, "points");
            seam.normals = points_of(line, "normals");
            if (seam.points.empty() || seam.points.size() != seam.normals.size())
                throw InputError(path.string(), "a seam needs as many normals as points");
        }
    } catch (const json::exception& error) {
        throw InputError(path.string(), fmt::format("not a file of seams: {}", error.what()));
    }
    return seams;
}

}  // namespace rumple
