#include <io/sample_mesh.hpp>
#include <rumple/core/error.hpp>
#include <rumple/io/ply.hpp>
#include "scratch_folder.hpp"

namespace rumple {
namespace {

using Triangles = std::vector<std::array<int, 3>>;

std::string refusal(const std::string& bytes) {
    return error_of<InputError>([&] { parse_ply(bytes, "hat.ply"); });
}

// An ascii file of three vertices and one face, from its parts.
std::string ascii(const std::string& vertex_rows, const std::string& face_rows,
                  const std::string& faces = "1", const std::string& vertices = "3") {
    return "ply\nformat ascii 1.0\nelement vertex " + vertices +
           "\nproperty float x\nproperty float y\nproperty float z\nelement face " + faces +
           "\nproperty list uchar int vertex_indices\nend_header\n" + vertex_rows + face_rows;
}

constexpr const char* kRows = "0 0 0\n1 0 0\n0 1 0\n";  // on lines 10 to 12

TEST(Ply, RoundTripKeepsEveryBit) {
    for (const TriMesh& mesh : {awkward_mesh(), awkward_mesh_with_uvs()}) {
        TriMesh expected = mesh;
        if (mesh.has_uvs()) expected.uvs[3] = {0, 0};  // the UV of a vertex in no triangle belongs to nobody
        expect_same_mesh(parse_ply(format_ply(mesh), "mesh.ply"), expected);
    }
}

TEST(Ply, FileRoundTrip) {
    const ScratchFolder folder;
    write_ply(folder / "a.ply", awkward_mesh());
    expect_same_mesh(read_ply(folder / "a.ply"), awkward_mesh());
}

TEST(Ply, UvsThatAreOneAVertexSurviveAnyNumbering) {
    TriMesh mesh = mesh_with_seam();
    mesh.uvs = {{9, 9}, {1, 1}, {0, 1}, {1, 0}, {0, 0}, {1, 0}};  // vertex 1 has two that are equal
    mesh.uv_triangles = {{4, 3, 2}, {2, 5, 1}};
    const TriMesh back = parse_ply(format_ply(mesh), "mesh.ply");
    EXPECT_EQ(back.uvs, (std::vector<Vec2d>{{0, 0}, {1, 0}, {0, 1}, {1, 1}}));
    EXPECT_EQ(back.uv_triangles, back.triangles);
}

TEST(Ply, SeamsLoseTheirUvsWithAWarning) {
    std::vector<std::string> warnings;
    const TriMesh back = parse_ply(format_ply(mesh_with_seam(), "hat.ply", &warnings), "hat.ply");
    EXPECT_FALSE(back.has_uvs());
    EXPECT_EQ(back.triangles, mesh_with_seam().triangles);
    ASSERT_EQ(warnings.size(), 1u);
    expect_says(warnings[0], {"hat.ply", "without UVs", "seams"});
}

TEST(Ply, ReadsAsciiWithStrangersAndCrlf) {
    std::vector<std::string> warnings;
    const TriMesh mesh = parse_ply(
        "ply\r\nformat ascii 1.0\r\ncomment by hand\r\nobj_info none\r\nelement camera 1\r\nproperty float "
        "fov\r\n"
        "property list uchar float knots\r\nelement vertex 4\r\nproperty double z\r\nproperty float nx\r\n"
        "property double x\r\nproperty double y\r\nproperty uchar red\r\nproperty float u\r\nproperty float "
        "v\r\n"
        "element face 1\r\nproperty uchar flags\r\nproperty list uchar uint vertex_index\r\nend_header\r\n"
        "45 2 0.5 0.25\r\n\r\n3 nan 1 2 255 0.1 0.2\r\n6 0 4 5 0 0.3 0.4\r\n9 0 7 8 0 0.5 0.6\r\n12 0 10 11 "
        "0 0 0\r\n"
        "1 4 0 1 2 3",
        "a.ply", &warnings);
    EXPECT_EQ(mesh.positions, (std::vector<Vec3d>{{1, 2, 3}, {4, 5, 6}, {7, 8, 9}, {10, 11, 12}}));
    EXPECT_EQ(mesh.uvs[1], (Vec2d{0.3, 0.4}));
    EXPECT_EQ(mesh.triangles, (Triangles{{0, 1, 2}, {0, 2, 3}}));
    EXPECT_EQ(mesh.uv_triangles, mesh.triangles);
    ASSERT_EQ(warnings.size(), 1u);
    expect_says(warnings[0], {"a.ply", "1 faces"});
}

TEST(Ply, ReadsHandMadeBytesOfEitherOrder) {
    const std::string head =
        "\nelement vertex 3\nproperty float x\nproperty short y\nproperty char z\n"
        "element face 1\nproperty list ushort ushort vertex_indices\nend_header\n";
    const std::string little(
        "\x00\x00\xC0\x3F\xFE\xFF\xFD"  // 1.5, -2, -3
        "\x00\x00\x00\x00\x02\x01\x05"  // 0, 258, 5
        "\x00\x00\x00\x80\x00\x00\x00"  // -0
        "\x03\x00\x00\x00\x01\x00\x02\x00",
        29);
    const std::string big(
        "\x3F\xC0\x00\x00\xFF\xFE\xFD"
        "\x00\x00\x00\x00\x01\x02\x05"
        "\x80\x00\x00\x00\x00\x00\x00"
        "\x00\x03\x00\x00\x00\x01\x00\x02",
        29);
    for (const std::string& bytes : {"ply\nformat binary_little_endian 1.0" + head + little,
                                     "ply\nformat binary_big_endian 1.0" + head + big}) {
        const TriMesh mesh = parse_ply(bytes, "a.ply");
        EXPECT_EQ(mesh.positions, (std::vector<Vec3d>{{1.5, -2, -3}, {0, 258, 5}, {0, 0, 0}}));
        expect_same_bits(mesh.positions[2].x, -0.0);
        EXPECT_EQ(mesh.triangles, (Triangles{{0, 1, 2}}));
    }
}

TEST(Ply, BadRowsAreRefusedWithTheirLine) {
    expect_says(refusal(ascii("0 0 0\n1 nan 0\n0 1 0\n", "3 0 1 2\n")),
                {"hat.ply:11:", "not a finite number"});
    expect_says(refusal(ascii("0 0 0\n1 x 0\n0 1 0\n", "3 0 1 2\n")), {"hat.ply:11:", "'x'", "not a number"});
    expect_says(refusal(ascii("0 0 0\n1 0\n0 1 0 000\n", "3 0 1 2\n")), {"hat.ply:11:", "too few numbers"});
    expect_says(refusal(ascii("0 0 0\n1 0 0 7\n0 1 0\n", "3 0 1 2\n")), {"hat.ply:11:", "'7'", "vertex"});
    expect_says(refusal(ascii(kRows, "3 0 1 3\n")), {"hat.ply:13:", "vertex 3", "3 vertices"});
    expect_says(refusal(ascii(kRows, "3 0 -1 2\n")), {"hat.ply:13:", "vertex -1"});
    expect_says(refusal(ascii(kRows, "2 0 1\n")), {"hat.ply:13:", "2 corners", "three"});
    expect_says(refusal(ascii(kRows, "-3 0 1 2\n")), {"hat.ply:13:", "negative length"});
    expect_says(refusal(ascii(kRows, "3 0 1 2.5\n")), {"hat.ply:13:", "'2.5'", "not a whole number"});
    expect_says(refusal(ascii(kRows, "3 0 1 2 0 1 2 0 1 2\n", "2")), {"hat.ply:13:", "more than a row"});
    expect_says(refusal(ascii(kRows, "3 0 1 2\n             \n\n", "2")),
                {"hat.ply", "ends before face 1 of 2"});
}

TEST(Ply, BadHeadersAreRefused) {
    expect_says(refusal("solid hat\n"), {"hat.ply:", "does not begin with 'ply'"});
    expect_says(refusal("ply\nformat ascii 1.0\nelement vertex 1\n"), {"hat.ply:", "end_header"});
    expect_says(refusal("ply\nelement vertex 1\nend_header\n"), {"hat.ply:3:", "format"});
    expect_says(refusal("ply\nformat binary_middle_endian 1.0\n"), {"hat.ply:2:", "binary_middle_endian"});
    expect_says(refusal("ply\nformat ascii 1.0\nelement vertex many\n"), {"hat.ply:3:", "'many'"});
    expect_says(refusal("ply\nformat ascii 1.0\nelement vertex -3\n"), {"hat.ply:3:", "-3"});
    expect_says(refusal("ply\nformat ascii 1.0\nproperty float x\n"),
                {"hat.ply:3:", "before the first element"});
    expect_says(refusal("ply\nformat ascii 1.0\nelement vertex 3\nproperty half x\n"),
                {"hat.ply:4:", "'half'"});
    expect_says(refusal("ply\nformat ascii 1.0\nelement face 3\nproperty list float int a\n"),
                {"hat.ply:4:", "integer type"});
    expect_says(refusal("ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nproperty float y\n"
                        "end_header\n0 0\n"),
                {"hat.ply:", "'vertex'", "'z'"});
    expect_says(refusal("ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nelement vertex 1\n"
                        "property float x\nend_header\n0\n0\n"),
                {"hat.ply:", "'vertex'", "twice"});
    expect_says(refusal(ascii(kRows, "", "0")), {"hat.ply: no faces"});
    expect_says(refusal(ascii("", "", "0", "0")), {"hat.ply: no vertices"});
}

TEST(Ply, CountsThatLieAreRefusedBeforeMemoryIsTaken) {
    expect_says(refusal(ascii(kRows, "3 0 1 2\n", "1", "4000000000000000000")),
                {"hat.ply:", "4000000000000000000"});
    expect_says(refusal(ascii(kRows, "3 0 1 2\n", "2000000000")),
                {"hat.ply:", "2000000000", "'face'", "8 bytes"});
    std::string binary = format_ply(mesh_with_seam());
    const auto at = binary.find("vertex 4");
    expect_says(refusal(binary.substr(0, at) + "vertex 2147483647" + binary.substr(at + 8)), {"2147483647"});
    expect_says(refusal("ply\nformat ascii 1.0\nelement void 2000000000\nend_header\n"),
                {"hat.ply:", "'void'", "no properties"});
}

TEST(Ply, BinaryCutAnywhereIsRefused) {
    const std::string whole = format_ply(mesh_with_seam());
    for (std::size_t cut = 1; cut < whole.size(); ++cut)
        EXPECT_THROW(parse_ply(std::string_view(whole).substr(0, cut), "hat.ply"), InputError) << cut;
    std::string list = whole;
    list[list.size() - 13] = '\x7f';  // the last face claims 127 corners
    expect_says(refusal(list), {"hat.ply: face 1", "too early"});
}

TEST(Ply, BinaryNanIsRefusedWithItsRow) {
    std::string bytes = format_ply(mesh_with_seam());
    const std::size_t row2 = bytes.find("end_header\n") + 11 + 2 * 24;
    bytes[row2 + 6] = bytes[row2 + 7] = '\x7f';
    bytes[row2 + 6] = '\xf8';
    expect_says(refusal(bytes), {"hat.ply: vertex 2", "not a finite number"});
}

TEST(Ply, NothingThatIsNotFiniteIsWritten) {
    TriMesh mesh = awkward_mesh();
    mesh.positions[1].z = std::numeric_limits<double>::infinity();
    expect_says(error_of<SimulationError>([&] { format_ply(mesh, "hat.ply"); }), {"hat.ply", "vertex 1"});
}

}  // namespace
}  // namespace rumple
