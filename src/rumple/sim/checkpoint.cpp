#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <concepts>
#include <fstream>
#include <optional>
#include <rumple/core/error.hpp>
#include <rumple/io/atomic_file.hpp>
#include <rumple/io/byte_order.hpp>
#include <rumple/sim/checkpoint.hpp>
#include <type_traits>

namespace rumple {
namespace {

constexpr auto kLittle = std::endian::little;
constexpr std::string_view kMagic("RUMPLECP");
constexpr std::size_t kHeaderBytes = 8 + 4 + 8;
constexpr std::size_t kChecksumBytes = 8;

std::uint64_t fnv1a(std::string_view bytes) {
    std::uint64_t hash = 14695981039346656037u;
    for (const char c : bytes) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211u;
    return hash;
}

// The fields of a checkpoint are listed once, in visit() below; a ByteWriter and a ByteReader each go through
// that list. A count is an uint64 in front of its elements.
class ByteWriter {
  public:
    std::string bytes;

    template <class T>
    requires std::is_arithmetic_v<T>
    void operator()(const T& value) { append_number<kLittle>(bytes, value); }
    void operator()(const Vec3d& v) {
        for (int a = 0; a < 3; ++a) (*this)(v[a]);
    }
    void operator()(const Mat3d& m) {
        for (double e : m.m) (*this)(e);
    }
    void operator()(const std::string& text) {
        (*this)(static_cast<std::uint64_t>(text.size()));
        bytes += text;
    }
    void operator()(const std::optional<double>& value) {
        (*this)(static_cast<std::uint8_t>(value.has_value()));
        (*this)(value.value_or(0));
    }
    template <class T>
    void operator()(const std::vector<T>& list) {
        (*this)(static_cast<std::uint64_t>(list.size()));
        for (const T& item : list) {
            if constexpr (std::is_arithmetic_v<T> || std::same_as<T, Vec3d>)
                (*this)(item);
            else
                visit(*this, item);
        }
    }
};

class ByteReader {
  public:
    ByteReader(std::string_view bytes, const std::string& name) : rest_(bytes), name_(name) {}

    bool at_end() const { return rest_.empty(); }

    template <class T>
    requires std::is_arithmetic_v<T>
    void operator()(T& value) { value = load_number<kLittle, T>(take(sizeof(T)).data()); }
    void operator()(Vec3d& v) {
        for (int a = 0; a < 3; ++a) (*this)(v[a]);
    }
    void operator()(Mat3d& m) {
        for (double& e : m.m) (*this)(e);
    }
    void operator()(std::string& text) { text = std::string(take(count(1))); }
    void operator()(std::optional<double>& value) {
        std::uint8_t present = 0;
        double number = 0;
        (*this)(present);
        (*this)(number);
        value = present != 0 ? std::optional(number) : std::nullopt;
    }
    template <class T>
    void operator()(std::vector<T>& list) {
        list.resize(count(smallest_size<T>()));
        for (T& item : list) {
            if constexpr (std::is_arithmetic_v<T> || std::same_as<T, Vec3d>)
                (*this)(item);
            else
                visit(*this, item);
        }
    }

  private:
    // Bytes that one element takes at least: a count is held against what is left before memory is taken.
    template <class T>
    static constexpr std::size_t smallest_size() {
        if constexpr (std::is_arithmetic_v<T>) return sizeof(T);
        if constexpr (std::same_as<T, Vec3d>) return 3 * sizeof(double);
        return sizeof(std::uint64_t);
    }
    std::size_t count(std::size_t element_bytes) {
        std::uint64_t n = 0;
        (*this)(n);
        if (n > rest_.size() / element_bytes)
            throw InputError(name_,
                             fmt::format("the checkpoint is damaged: a list of {} elements does not fit", n),
                             kStartAnew);
        return static_cast<std::size_t>(n);
    }
    std::string_view take(std::size_t n) {
        if (n > rest_.size())
            throw InputError(name_, "the checkpoint is damaged: a field is missing", kStartAnew);
        const std::string_view taken = rest_.substr(0, n);
        rest_.remove_prefix(n);
        return taken;
    }

    std::string_view rest_;
    const std::string& name_;
};

// Value is the type named, const when writing.
template <class Visitor, class Value>
void visit(Visitor& io, Value& value) {
    using T = std::remove_const_t<Value>;
    const auto all = [&io](auto&... fields) { (io(fields), ...); };
    if constexpr (std::same_as<T, ClothMeasures>) {
        all(value.cloth);
        for_each_measure(value.measures, [&](const char*, const char*, auto& field) { io(field); });
    } else if constexpr (std::same_as<T, StepCounts>) {
        all(value.steps, value.solves, value.iterations, value.direct_fallbacks, value.newton_not_converged,
            value.retried, value.not_at_rest);
        visit(io, value.contact);
    } else if constexpr (std::same_as<T, ContactCounts>) {
        all(value.collisions, value.substeps, value.rolled_back, value.inside, value.max_pairs,
            value.max_touching, value.deepest, value.closest);
    } else if constexpr (std::same_as<T, ContactTrouble>) {
        all(value.frame, value.rolled_back, value.inside, value.substeps, value.deepest);
    } else if constexpr (std::same_as<T, StepRetry>) {
        all(value.frame, value.step, value.pieces, value.reason);
    } else if constexpr (std::same_as<T, ContactMemory>) {
        all(value.kind, value.a, value.b, value.tangential_displacement, value.inside);
    } else if constexpr (std::same_as<T, RigidBodyState>) {
        all(value.position, value.rotation, value.velocity, value.spin);
    } else if constexpr (std::same_as<T, RunRecord>) {
        all(value.frames, value.metrics_bytes);
        visit(io, value.counts);
        all(value.at_recovery, value.trouble, value.retries);
    } else if constexpr (std::same_as<T, HistoryArrays>) {
        for_each_history_column([&io](const HistoryVariable&, auto& column) { io(column); }, value);
    } else if constexpr (std::same_as<T, State>) {
        all(value.x, value.v);
        visit(io, value.bending);
        visit(io, value.membrane);
        visit(io, value.contact);
        all(value.rigid_bodies, value.step, value.time, value.material_time);
    } else if constexpr (std::same_as<T, SimState>) {
        visit(io, value.state);
        all(value.phase, value.step_in_phase, value.grab_positions);
    } else if constexpr (std::same_as<T, ClothIdentity>) {
        all(value.name, value.vertices, value.mesh, value.laws);
    } else if constexpr (std::same_as<T, std::vector<Vec3d>>) {
        io(value);
    } else {
        static_assert(std::same_as<T, Checkpoint>);
        all(value.program, value.scene_hash);
        visit(io, value.record);
        visit(io, value.sim);
        all(value.hinge_numbers, value.cloths);
    }
}

void require_magic(std::string_view head, const std::string& name) {
    if (head.substr(0, kMagic.size()) != kMagic)
        throw InputError(name, "is not a checkpoint: it does not begin with " + std::string(kMagic),
                         kStartAnew);
}

// No list, or each hinge once.
bool is_numbering(const std::vector<std::int32_t>& numbers, std::size_t hinges) {
    std::vector<bool> met(hinges);
    for (const std::int32_t number : numbers) {
        const auto i = static_cast<std::size_t>(number);
        if (number < 0 || i >= hinges || met[i]) return false;
        met[i] = true;
    }
    return numbers.empty() || numbers.size() == hinges;
}

bool consistent(const ContactMemory& memory) {
    const std::size_t n = memory.tangential_displacement.size();
    return memory.kind.size() == n && memory.a.size() == n && memory.b.size() == n;
}

bool consistent(const HistoryArrays& h) { return h.fits(h.size(), layout_of(h)); }

}  // namespace

std::string encode_checkpoint(const Checkpoint& checkpoint) {
    ByteWriter body;
    visit(body, checkpoint);
    return seal_checkpoint(body.bytes);
}

std::string seal_checkpoint(std::string_view body) {
    std::string bytes(kMagic);
    append_number<kLittle>(bytes, kCheckpointVersion);
    append_number<kLittle>(bytes, static_cast<std::uint64_t>(body.size()));
    bytes += body;
    append_number<kLittle>(bytes, fnv1a(bytes));
    return bytes;
}

Checkpoint decode_checkpoint(std::string_view bytes, const std::string& name) {
    const std::string remedy = kStartAnew;
    require_magic(bytes, name);
    if (bytes.size() < kHeaderBytes + kChecksumBytes)
        throw InputError(name, fmt::format("the checkpoint is damaged: it ends after {} bytes", bytes.size()),
                         remedy);
    const auto version = load_number<kLittle, std::uint32_t>(bytes.data() + 8);
    if (version != kCheckpointVersion)
        throw InputError(name, fmt::format("the checkpoint has version {}", version),
                         fmt::format("this program reads version {}; {}", kCheckpointVersion, remedy));
    const auto length = load_number<kLittle, std::uint64_t>(bytes.data() + 12);
    if (length != bytes.size() - kHeaderBytes - kChecksumBytes)
        throw InputError(name,
                         fmt::format("the checkpoint is damaged: it announces {} bytes and has {}", length,
                                     bytes.size() - kHeaderBytes - kChecksumBytes),
                         remedy);
    const std::string_view covered = bytes.substr(0, bytes.size() - kChecksumBytes);
    if (fnv1a(covered) != load_number<kLittle, std::uint64_t>(bytes.data() + covered.size()))
        throw InputError(name, "the checkpoint is damaged: its checksum is wrong", remedy);

    Checkpoint checkpoint;
    ByteReader body(covered.substr(kHeaderBytes), name);
    visit(body, checkpoint);
    const State& state = checkpoint.sim.state;
    if (!body.at_end() || state.x.size() != state.v.size() || !consistent(state.bending) ||
        !consistent(state.membrane) || !consistent(state.contact) ||
        !is_numbering(checkpoint.hinge_numbers, state.bending.size()) || checkpoint.record.frames < 0 ||
        checkpoint.record.metrics_bytes < 0)
        throw InputError(name, "the checkpoint is damaged: its parts do not fit together", remedy);
    return checkpoint;
}

void write_checkpoint(const std::filesystem::path& path, const Checkpoint& checkpoint) {
    write_atomically(path, encode_checkpoint(checkpoint));
}

Checkpoint read_checkpoint(const std::filesystem::path& path) {
    return decode_checkpoint(read_file(path, kMaxFileBytes, require_magic), path.string());
}

bool is_checkpoint(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    std::string magic(kMagic.size(), '\0');
    return file.read(magic.data(), static_cast<std::streamsize>(magic.size())) && magic == kMagic;
}

void require_same_program(const Checkpoint& checkpoint, const std::string& name) {
    if (checkpoint.program != program_version())
        throw InputError(name,
                         fmt::format("the checkpoint was written by rumple {}, and this is rumple {}",
                                     checkpoint.program, program_version()),
                         fmt::format("resume it with rumple {}, or {}", checkpoint.program, kStartAnew));
}

void require_same_scene(const Checkpoint& checkpoint, const Scene& scene, const std::string& hash,
                        const std::string& name) {
    if (checkpoint.scene_hash != hash)
        throw InputError(
            name,
            fmt::format("the checkpoint belongs to another scene: its hash is {}, that of '{}' is {}",
                        checkpoint.scene_hash, scene.name, hash),
            "choose another output folder, or delete this one");
}

}  // namespace rumple
