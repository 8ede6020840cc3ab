// Pictures into an MP4 file (H.264), by way of the program ffmpeg. The file appears whole or not at all.
#pragma once

#include <filesystem>
#include <rumple_render/image.hpp>
#include <string>

namespace rumple {

// Where ffmpeg is, looked up in `search` (as PATH is written). InputError: not found.
std::filesystem::path find_ffmpeg(const std::string& search);
std::filesystem::path find_ffmpeg();  // in the folders of PATH

class FilmWriter {
  public:
    // All pictures must have this size; an odd edge is padded by one pixel. InputError: the place cannot be
    // written, or the rate makes no sense.
    FilmWriter(const std::filesystem::path& ffmpeg, std::filesystem::path out, int width, int height,
               double rate);
    ~FilmWriter();  // without finish(): nothing is left on the disk
    FilmWriter(const FilmWriter&) = delete;
    FilmWriter& operator=(const FilmWriter&) = delete;

    void add(const Picture& picture);  // SimulationError: ffmpeg stopped, with what it said
    void finish();

  private:
    [[noreturn]] void fail();
    int wait();

    std::filesystem::path out_, part_, said_;
    int width_, height_;
    int pipe_ = -1;
    int child_ = -1;
};

}  // namespace rumple
