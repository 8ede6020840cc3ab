// A disk that fills up under a run: status 3, one sentence, and the run goes on once there is room.
#include <gtest/gtest.h>
#include <sys/mount.h>

#include "cli/program.hpp"
#include "sim/small_twist.hpp"

namespace rumple {
namespace {

namespace fs = std::filesystem;

// A file system of its own with little room; only root may make one.
class SmallDisk {
  public:
    SmallDisk(const fs::path& place, const std::string& size) : place_(place) {
        fs::create_directories(place);
        mounted_ = ::mount("tmpfs", place.c_str(), "tmpfs", 0, ("size=" + size).c_str()) == 0;
    }
    ~SmallDisk() {
        if (mounted_) ::umount(place_.c_str());
    }
    bool mounted() const { return mounted_; }
    void resize(const std::string& size) const {
        ::mount("tmpfs", place_.c_str(), "tmpfs", MS_REMOUNT, ("size=" + size).c_str());
    }

  private:
    fs::path place_;
    bool mounted_ = false;
};

class FullDisk : public testing::Test {
  protected:
    void SetUp() override {
        spill(folder / "twist.json", small_twist_document().dump());
        ASSERT_EQ(run("straight").status, 0);
    }
    Ended run(const std::string& out) {
        return run_program(
            {"run", "twist.json", "--out", out, "--resume", "--checkpoint-every", "0", "--quiet"},
            folder.path());
    }
    void expect_stopped(const Ended& ended, const char* why) {
        EXPECT_EQ(ended.status, 3) << ended.err;
        EXPECT_EQ(std::count(ended.err.begin(), ended.err.end(), '\n'), 1) << ended.err;
        for (const char* part : {why, "continue with --resume --out disk/out"})
            EXPECT_NE(ended.err.find(part), std::string::npos) << ended.err;
    }
    ScratchFolder folder;
};

TEST_F(FullDisk, StopsTheRunAndItGoesOnWhenThereIsRoom) {
    const SmallDisk disk(folder / "disk", "48k");
    if (!disk.mounted()) GTEST_SKIP() << "only root can make a small disk";
    int stops = 0;
    for (const char* size : {"48k", "68k", "92k", "112k"}) {
        disk.resize(size);
        const Ended ended = run("disk/out");
        if (ended.status == 0) break;
        expect_stopped(ended, "No space left on device");
        ++stops;
    }
    EXPECT_GE(stops, 2);
    disk.resize("8m");
    EXPECT_EQ(run("disk/out").status, 0);
    expect_same_files(folder / "straight", folder / "disk/out");
}

TEST_F(FullDisk, FileThatMayNotGrowStopsTheRunLikewise) {
    for (const rlim_t most : {3000u, 9000u, 20000u}) {
        Ended ended;
        {
            const FileSizeLimit limit(most);
            ended = run("disk/out");
        }
        expect_stopped(ended, "File too large");
    }
    EXPECT_EQ(run("disk/out").status, 0);
    expect_same_files(folder / "straight", folder / "disk/out");
}

}  // namespace
}  // namespace rumple
