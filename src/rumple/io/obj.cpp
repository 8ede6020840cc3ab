#include <fmt/compile.h>
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <rumple/core/error.hpp>
#include <rumple/io/atomic_file.hpp>
#include <rumple/io/obj.hpp>
#include <rumple/io/text_scan.hpp>
#include <rumple/io/writable_mesh.hpp>

namespace rumple {
namespace {

constexpr int kNoUv = -1;
constexpr const char* kWhole = "is the file whole?";

// The largest index seen and where: faces may come before their vertices, so the check waits for the end.
struct Reach {
    std::int64_t index = -1;
    std::size_t line = 0;
};

struct Corner {
    int vertex, uv;
};

class ObjParser {
  public:
    ObjParser(std::string_view text, const std::string& name) : lines_(text, name) {}

    void read_lines() {
        std::string_view line;
        while (lines_.next_joined(line)) {
            const std::string_view keyword = take_word(line);
            if (keyword == "v")
                read_vertex(line);
            else if (keyword == "vt")
                read_uv(line);
            else if (keyword == "f")
                read_face(line);
        }
    }

    TriMesh parse(std::vector<std::string>* warnings) {
        read_lines();
        check_whole();
        settle_uvs(warnings);
        if (warnings && polygons_ > 0)
            warnings->push_back(
                fmt::format("{}: {} faces with more than three corners were cut into triangles",
                            lines_.name(), polygons_));
        return std::move(mesh_);
    }

  private:
    // The numbers of a line up to its end or comment; returns how many there were.
    template <std::size_t N>
    std::size_t read_numbers(std::string_view rest, std::array<double, N>& into) const {
        std::size_t count = 0;
        for (std::string_view word = take_word(rest); !word.empty() && word[0] != '#';
             word = take_word(rest)) {
            const double value = lines_.number(word);
            if (count < N) into[count] = value;
            ++count;
        }
        return count;
    }

    void read_vertex(std::string_view rest) {
        std::array<double, 7> n{};
        const std::size_t count = read_numbers(rest, n);
        if (count < 3 || count == 5 || count > 7)
            throw InputError(lines_.place(), fmt::format("a vertex with {} numbers", count),
                             "'v x y z' is expected, with a weight or a colour after it at most");
        mesh_.positions.push_back({n[0], n[1], n[2]});
    }

    void read_uv(std::string_view rest) {
        std::array<double, 3> n{};
        const std::size_t count = read_numbers(rest, n);
        if (count < 1 || count > 3)
            throw InputError(lines_.place(), fmt::format("a texture coordinate with {} numbers", count),
                             "'vt u v' is expected");
        mesh_.uvs.push_back({n[0], n[1]});
    }

    // One index of a face as OBJ counts (from 1, or back from the newest at -1) to one from 0.
    int resolve(std::string_view digits, std::size_t so_far, const char* what, Reach& reach) const {
        const std::int64_t given = lines_.integer(digits);
        if (given == 0)
            throw InputError(lines_.place(), fmt::format("a face refers to {} 0", what), "OBJ counts from 1");
        const std::int64_t index = given > 0 ? given - 1 : static_cast<std::int64_t>(so_far) + given;
        if (index < 0)
            throw InputError(
                lines_.place(),
                fmt::format("a face refers to {} {}, but only {} stand before it", what, given, so_far),
                "a negative number counts back from here");
        if (index > std::numeric_limits<int>::max())
            throw InputError(lines_.place(),
                             fmt::format("a face refers to {} {}, which is not in the file", what, given),
                             kWhole);
        if (index > reach.index) reach = {index, lines_.line()};
        return static_cast<int>(index);
    }

    Corner read_corner(std::string_view word) {
        const std::size_t slash = word.find('/');
        Corner corner{resolve(word.substr(0, slash), mesh_.positions.size(), "vertex", vertex_reach_), kNoUv};
        if (slash == std::string_view::npos) return corner;
        std::string_view uv = word.substr(slash + 1);
        uv = uv.substr(0, uv.find('/'));  // the normal after a second slash is ignored
        if (!uv.empty()) corner.uv = resolve(uv, mesh_.uvs.size(), "texture coordinate", uv_reach_);
        return corner;
    }

    void read_face(std::string_view rest) {
        corners_.clear();
        for (std::string_view word = take_word(rest); !word.empty() && word[0] != '#'; word = take_word(rest))
            corners_.push_back(read_corner(word));
        if (corners_.size() < 3)
            throw InputError(lines_.place(), fmt::format("a face with {} corners", corners_.size()),
                             "it needs three or more");
        const bool has_uv = corners_[0].uv != kNoUv;
        for (const Corner& c : corners_)
            if ((c.uv != kNoUv) != has_uv)
                throw InputError(lines_.place(), "only some corners of this face have a texture coordinate",
                                 "give it to all or to none");
        std::size_t& first = has_uv ? first_with_uv_ : first_without_uv_;
        if (first == 0) first = lines_.line();
        if (corners_.size() > 3) ++polygons_;
        for (std::size_t i = 2; i < corners_.size(); ++i) {
            mesh_.triangles.push_back({corners_[0].vertex, corners_[i - 1].vertex, corners_[i].vertex});
            if (has_uv) mesh_.uv_triangles.push_back({corners_[0].uv, corners_[i - 1].uv, corners_[i].uv});
        }
    }

    void check_whole() const {
        const std::string& name = lines_.name();
        if (mesh_.positions.empty()) throw InputError(name, "no vertices in it", "is it an OBJ file?");
        if (mesh_.triangles.empty()) throw InputError(name, "no faces in it", "a triangle mesh is needed");
        check_reach(vertex_reach_, mesh_.positions.size(), "vertex", "vertices");
        check_reach(uv_reach_, mesh_.uvs.size(), "texture coordinate", "texture coordinates");
    }

    void check_reach(const Reach& reach, std::size_t count, const char* one, const char* many) const {
        if (reach.index >= static_cast<std::int64_t>(count))
            throw InputError(lines_.place(reach.line),
                             fmt::format("a face refers to {} {}, but the file has {} {}", one,
                                         reach.index + 1, count, many),
                             kWhole);
    }

    void settle_uvs(std::vector<std::string>* warnings) {
        if (first_with_uv_ != 0 && first_without_uv_ == 0) return;
        if (warnings && first_with_uv_ != 0)
            warnings->push_back(
                fmt::format("{}: a face without texture coordinates, though line {} has them; "
                            "the mesh is read without UVs",
                            lines_.place(first_without_uv_), first_with_uv_));
        mesh_.uvs.clear();
        mesh_.uv_triangles.clear();
    }

    LineScanner lines_;
    TriMesh mesh_;
    std::vector<Corner> corners_;
    Reach vertex_reach_, uv_reach_;
    std::size_t first_with_uv_ = 0, first_without_uv_ = 0;  // lines; 0: none
    std::size_t polygons_ = 0;
};

// Text, with at least one line that an OBJ file could have, and none that is wrong.
void require_obj(std::string_view head, const std::string& name) {
    require_text(head, name);
    constexpr std::string_view kKeywords[] = {"v", "vt", "vn", "vp", "f",      "l",
                                              "p", "o",  "g",  "s",  "mtllib", "usemtl"};
    const auto is_obj = [&](std::string_view line) {
        const std::string_view word = take_word(line);
        return word.starts_with('#') || std::ranges::find(kKeywords, word) != std::end(kKeywords);
    };
    bool found = false;
    LineScanner lines(head, name);
    for (std::string_view line; !found && lines.next(line);) found = is_obj(line);
    if (!found) throw InputError(name, "no line of it is one of an OBJ file", "is it an OBJ file?");
    if (head.size() < kHeadBytes) return;  // the whole file: it will be read anyway
    while (!head.empty() && (head.back() != '\n' || head.ends_with("\\\n") || head.ends_with("\\\r\n")))
        head.remove_suffix(1);
    ObjParser(head, name).read_lines();
}

}  // namespace

TriMesh parse_obj(std::string_view text, const std::string& name, std::vector<std::string>* warnings) {
    return ObjParser(text, name).parse(warnings);
}

TriMesh read_obj(const std::filesystem::path& path, std::vector<std::string>* warnings) {
    return parse_obj(read_file(path, kMaxFileBytes, require_obj), path.string(), warnings);
}

std::string format_obj(const TriMesh& mesh, const std::string& name) {
    require_writable(mesh, name);
    fmt::memory_buffer text;
    const auto out = fmt::appender(text);
    fmt::format_to(out, "# Rumple: metres, Z up\n");
    for (const Vec3d& p : mesh.positions) fmt::format_to(out, FMT_COMPILE("v {} {} {}\n"), p.x, p.y, p.z);
    if (!mesh.has_uvs()) {
        for (const auto& t : mesh.triangles)
            fmt::format_to(out, FMT_COMPILE("f {} {} {}\n"), t[0] + 1, t[1] + 1, t[2] + 1);
        return fmt::to_string(text);
    }
    for (const Vec2d& uv : mesh.uvs) fmt::format_to(out, FMT_COMPILE("vt {} {}\n"), uv.x, uv.y);
    for (std::size_t i = 0; i < mesh.triangles.size(); ++i) {
        const auto& t = mesh.triangles[i];
        const auto& u = mesh.uv_triangles[i];
        fmt::format_to(out, FMT_COMPILE("f {}/{} {}/{} {}/{}\n"), t[0] + 1, u[0] + 1, t[1] + 1, u[1] + 1,
                       t[2] + 1, u[2] + 1);
    }
    return fmt::to_string(text);
}

void write_obj(const std::filesystem::path& path, const TriMesh& mesh) {
    write_atomically(path, format_obj(mesh, path.string()));
}

}  // namespace rumple
