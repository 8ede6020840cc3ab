#include <rumple/core/error.hpp>
#include <rumple/io/atomic_file.hpp>
#include "scratch_folder.hpp"

namespace rumple {
namespace {

TEST(AtomicFile, WritesAndReplacesAndLeavesNothingElse) {
    const ScratchFolder folder;
    write_atomically(folder / "a.json", "first");
    write_atomically(folder / "a.json", std::string("second\0half", 11));
    EXPECT_EQ(slurp(folder / "a.json"), std::string("second\0half", 11));
    EXPECT_EQ(folder.file_count(), 1);
}

TEST(AtomicFile, FullDiskKeepsTheOldFileAndRemovesTheTemporary) {
    const ScratchFolder folder;
    write_atomically(folder / "a.json", "old");
    std::string message;
    {
        const FileSizeLimit limit(1000);
        message =
            error_of<SimulationError>([&] { write_atomically(folder / "a.json", std::string(5000, 'x')); });
    }
    expect_says(message, {"a.json", "File too large"});
    EXPECT_EQ(slurp(folder / "a.json"), "old");
    EXPECT_EQ(folder.file_count(), 1);
}

TEST(AtomicFile, WithoutCommitNothingChanges) {
    const ScratchFolder folder;
    write_atomically(folder / "a.json", "old");
    {
        AtomicFile file(folder / "a.json");
        file.write("new");
        EXPECT_EQ(slurp(folder / "a.json"), "old");
    }
    EXPECT_EQ(slurp(folder / "a.json"), "old");
    EXPECT_EQ(folder.file_count(), 1);
}

TEST(AtomicFile, PiecesAreWrittenOneAfterTheOther) {
    const ScratchFolder folder;
    AtomicFile file(folder / "a.txt");
    file.write("one ");
    file.write("two");
    file.commit();
    EXPECT_EQ(slurp(folder / "a.txt"), "one two");
}

TEST(AtomicFile, UnwritablePlaceIsAnInputErrorThatNamesIt) {
    const ScratchFolder folder;
    spill(folder / "file", "x");
    expect_says(error_of<InputError>([&] { write_atomically(folder / "file" / "a.json", "x"); }),
                {"file/a.json", "cannot be written", "Not a directory"});
    expect_says(error_of<InputError>([&] { write_atomically(folder / "none" / "a.json", "x"); }),
                {"none/a.json", "No such file or directory"});
    expect_says(error_of<InputError>([&] { write_atomically(folder.path(), "x"); }), {"is a folder"});
}

TEST(AtomicFile, NeverReplacesADevice) {
    expect_says(error_of<InputError>([] { write_atomically("/dev/null", "x"); }),
                {"/dev/null", "not a regular file"});
    EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));
}

TEST(AtomicFile, KeepsPermissionsAndFollowsLinks) {
    const ScratchFolder folder;
    spill(folder / "real", "old");
    std::filesystem::permissions(folder / "real", std::filesystem::perms(0640));
    std::filesystem::create_symlink("real", folder / "link");
    write_atomically(folder / "link", "new");
    EXPECT_TRUE(std::filesystem::is_symlink(folder / "link"));
    EXPECT_EQ(slurp(folder / "real"), "new");
    EXPECT_EQ(std::filesystem::status(folder / "real").permissions(), std::filesystem::perms(0640));
}

TEST(ReadFile, GivesTheWholeFile) {
    const ScratchFolder folder;
    spill(folder / "a", std::string("a\0b\r\n", 5));
    EXPECT_EQ(read_file(folder / "a", 5), std::string("a\0b\r\n", 5));
}

TEST(ReadFile, SaysWhatIsWrongWithTheFile) {
    const ScratchFolder folder;
    spill(folder / "empty.obj", "");
    spill(folder / "large.obj", "123456");
    expect_says(error_of<InputError>([&] { read_file(folder / "none.obj", 9); }),
                {"none.obj", "no such file"});
    expect_says(error_of<InputError>([&] { read_file(folder / "empty.obj", 9); }), {"empty.obj", "is empty"});
    expect_says(error_of<InputError>([&] { read_file(folder / "large.obj", 5); }),
                {"large.obj", "6 bytes", "5"});
    expect_says(error_of<InputError>([&] { read_file(folder.path(), 9); }), {"is a folder"});
    expect_says(error_of<InputError>([&] { read_file("/dev/zero", 9); }),
                {"/dev/zero", "not a regular file"});
}

}  // namespace
}  // namespace rumple
