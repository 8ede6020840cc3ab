#include <fcntl.h>
#include <fmt/format.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <rumple/core/error.hpp>
#include <rumple/io/atomic_file.hpp>
#include <rumple_render/film.hpp>
#include <sstream>
#include <vector>

namespace rumple {

namespace fs = std::filesystem;

fs::path find_ffmpeg() {
    const char* search = std::getenv("PATH");  // NOLINT(concurrency-mt-unsafe): nothing here sets variables
    return find_ffmpeg(search ? search : "");
}

fs::path find_ffmpeg(const std::string& search) {
    std::istringstream folders(search);
    for (std::string folder; std::getline(folders, folder, ':');) {
        const fs::path program = fs::path(folder) / "ffmpeg";
        if (!folder.empty() && ::access(program.c_str(), X_OK) == 0 && !fs::is_directory(program))
            return program;
    }
    throw InputError("ffmpeg", "films need the program ffmpeg, and it was not found",
                     "install the package ffmpeg, or ask for a .png");
}

FilmWriter::FilmWriter(const fs::path& ffmpeg, fs::path out, int width, int height, double rate)
    : out_(std::move(out)), width_(width), height_(height) {
    if (!(rate > 0 && rate <= 1000))
        throw InputError("fps", fmt::format("{} frames a second make no film", rate));
    part_ = out_;
    part_ += ".part";
    said_ = out_;
    said_ += ".log";
    const int probe = ::open(part_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    if (probe < 0 || fs::is_directory(out_)) {
        if (probe >= 0) ::close(probe);
        std::error_code ignored;
        fs::remove(part_, ignored);
        throw InputError(out_.string(), "the film cannot be written there", "choose another place");
    }
    ::close(probe);

    std::vector<std::string> words{
        ffmpeg.string(), "-y", "-nostdin", "-loglevel", "error", "-f", "rawvideo", "-pix_fmt", "rgb24", "-s",
        fmt::format("{}x{}", width, height), "-r", fmt::format("{}", rate), "-i", "pipe:0",
        // H.264 wants even sides
        "-vf", "pad=ceil(iw/2)*2:ceil(ih/2)*2", "-c:v", "libx264", "-preset", "medium", "-crf", "17",
        "-pix_fmt", "yuv420p", "-movflags", "+faststart", "-fflags", "+bitexact", "-flags:v", "+bitexact",
        "-f", "mp4", part_.string()};
    std::vector<char*> argv;
    argv.reserve(words.size() + 1);
    for (std::string& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    // A socket, not a pipe: writing to an ffmpeg that has died is then an error, not a signal.
    int ends[2];
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        throw SimulationError("no pipe to ffmpeg can be made");
    const int log = ::open(said_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    child_ = ::fork();
    if (child_ == 0) {
        ::dup2(ends[1], STDIN_FILENO);
        ::dup2(log, STDERR_FILENO);
        ::dup2(log, STDOUT_FILENO);
        ::execv(argv[0], argv.data());
        ::_exit(127);
    }
    ::close(ends[1]);
    if (log >= 0) ::close(log);
    pipe_ = ends[0];
    if (child_ < 0) fail();
}

FilmWriter::~FilmWriter() {
    if (pipe_ >= 0) ::close(pipe_);
    wait();
    std::error_code ignored;
    fs::remove(part_, ignored);
    fs::remove(said_, ignored);
}

int FilmWriter::wait() {
    int status = 0;
    if (child_ > 0) ::waitpid(child_, &status, 0);
    child_ = -1;
    return status;
}

void FilmWriter::fail() {
    wait();
    std::ifstream log(said_);
    std::string said{std::istreambuf_iterator<char>(log), {}};
    if (said.size() > 300) said.resize(300);
    std::replace(said.begin(), said.end(), '\n', ' ');
    throw SimulationError(fmt::format("{}: ffmpeg stopped before the film was done: {}", out_.string(),
                                      said.empty() ? "it said nothing" : said));
}

void FilmWriter::add(const Picture& picture) {
    if (picture.width != width_ || picture.height != height_)
        throw std::logic_error("a film's pictures must all have the same size");
    const auto* bytes = reinterpret_cast<const char*>(picture.pixels.data());
    std::size_t left = 3 * picture.pixels.size();
    while (left > 0) {
        const ssize_t sent = ::send(pipe_, bytes, left, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR) continue;
        if (sent <= 0) fail();
        bytes += sent;
        left -= static_cast<std::size_t>(sent);
    }
}

void FilmWriter::finish() {
    ::close(pipe_);
    pipe_ = -1;
    if (wait() != 0) fail();
    take_name(part_, out_);
}

}  // namespace rumple
