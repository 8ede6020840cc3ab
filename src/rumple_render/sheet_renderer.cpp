#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <rumple/core/bounds.hpp>
#include <rumple/core/error.hpp>
#include <rumple_render/film.hpp>
#include <rumple_render/sheet_renderer.hpp>

namespace rumple {

namespace {

constexpr std::size_t kMomentsLookedAt = 40;  // of a film, to place its camera
// The object of the first source that has the same triangles.
std::size_t same_cloth(const RenderObject& object, const std::vector<RenderObject>& first) {
    for (std::size_t o = 0; o < first.size(); ++o)
        if (first[o].is_cloth && first[o].mesh.triangles == object.mesh.triangles) return o;
    throw InputError(object.name, "the first input has no mesh with the same triangles to compare with");
}

}  // namespace

SheetRenderer::SheetRenderer(const std::vector<RenderSource>& sources, PictureRequest request,
                             const std::vector<Moment>& moments, const Threads& threads)
    : sources_(sources), request_(std::move(request)), threads_(threads) {
    if (sources.empty())
        throw InputError("render", "there is nothing to show", "give a mesh, a cache or a run's folder");
    if (!request_.labels.empty() && request_.labels.size() != sources.size())
        throw InputError("labels",
                         fmt::format("{} labels for {} inputs", request_.labels.size(), sources.size()),
                         "give one for each, separated by commas");
    if (request_.minus_first && (sources.size() < 2 || request_.colour_by.empty()))
        throw InputError("minus-first", "there is nothing to subtract",
                         "give two inputs or more, and a measure to colour by");
    if (request_.minus_first && request_.colour_by == "displacement")
        throw InputError("minus-first", "a displacement is the distance to the first input already",
                         "colour by displacement alone");
    std::vector<std::vector<Vec3d>> points(sources.size());
    std::vector<double> all_values;
    double lowest = std::numeric_limits<double>::infinity();
    const FieldKind* kind = request_.colour_by.empty() ? nullptr : &field_by_name(request_.colour_by);
    for (std::size_t m = 0; m < moments.size(); m += moments.size() / kMomentsLookedAt + 1) {
        const std::vector<std::vector<RenderObject>> shown = everything(moments[m]);
        for (std::size_t s = 0; s < sources.size(); ++s)
            for (const RenderObject& object : shown[s]) {
                if (!object.framed) continue;
                for (const Vec3d& p : object.mesh.positions) lowest = std::min(lowest, p.z);
                if (request_.frame_cloth && !object.is_cloth) continue;
                const auto& more = object.mesh.positions;
                points[s].insert(points[s].end(), more.begin(), more.end());
            }
        if (kind && !request_.range)
            for (const auto& source : values(shown, moments[m]))
                for (const auto& object : source)
                    all_values.insert(all_values.end(), object.begin(), object.end());
    }
    if (kind) legend_ = make_legend(all_values);
    if (request_.shots.empty()) request_.shots = {default_shot(sources)};
    if (request_.has_ground) {
        ground_ = request_.ground;
        for (const RenderSource& source : sources)
            if (!request_.ground && source.ground())
                ground_ = ground_ ? std::min(*ground_, *source.ground()) : *source.ground();
        if (!ground_ && std::isfinite(lowest)) ground_ = lowest;
    }
    place_cameras(std::move(points));
    const bool wordy = legend_ || request_.captions || sources.size() * cameras_.size() > 1 ||
                       !request_.labels.empty() || !request_.title.empty();
    if (request_.words && wordy) font_ = std::make_unique<Font>();
}

// Between 3:5 and what is allowed; even, as films need it.
void SheetRenderer::fit_width(const std::vector<Vec3d>& points) {
    RenderSettings& settings = request_.settings;
    const Shot& shot = request_.shots.front();
    const double aspect =
        shot.camera ? 4.0 / 3 : natural_aspect(shot.from ? *shot.from : angles_of(shot.view), points);
    const double narrowest = std::min(0.6 * settings.height, double(request_.fit_width));
    settings.width =
        2 * static_cast<int>(std::clamp(aspect * settings.height, narrowest, double(request_.fit_width)) / 2);
}

void SheetRenderer::place_cameras(std::vector<std::vector<Vec3d>> points) {
    moved_.assign(sources_.size(), {});
    const Vec3d first = points[0].empty() ? Vec3d{} : bounds_of(points[0]).center();
    for (std::size_t s = 0; request_.follow && s < points.size(); ++s) {
        if (points[s].empty()) continue;
        moved_[s] = bounds_of(points[s]).center() - first;
        for (Vec3d& p : points[s]) p -= moved_[s];
    }
    std::vector<Vec3d> all;
    for (const auto& source : points) all.insert(all.end(), source.begin(), source.end());
    if (request_.fit_width > 0) fit_width(all);
    const double aspect = double(request_.settings.width) / std::max(1, request_.settings.height);
    for (const Shot& shot : request_.shots) {
        const ViewAngles from = shot.from ? *shot.from : angles_of(shot.view);
        cameras_.push_back(shot.camera ? *shot.camera : frame_view(from, all, aspect));
        require_valid(cameras_.back());
    }
}

Legend SheetRenderer::make_legend(const std::vector<double>& all_values) const {
    const FieldKind& kind = field_by_name(request_.colour_by);
    const ColourMap map = request_.minus_first ? ColourMap::diverging : kind.map;
    const FieldRange range = request_.range ? *request_.range : round_range(all_values, map);
    if (!(range.high > range.low)) throw InputError("range", "the upper end is not above the lower one");
    if (!request_.minus_first) return {kind.title, kind.unit, range, map};
    const std::string first = request_.labels.empty() ? sources_[0].label() : request_.labels[0];
    return {fmt::format("{}\nminus that of\n\"{}\"", kind.title, first), kind.unit, range, map};
}

std::vector<RenderObject> SheetRenderer::objects(std::size_t source, std::size_t frame) const {
    std::vector<RenderObject> all = sources_[source].objects_at(frame);
    all.insert(all.end(), request_.bodies.begin(), request_.bodies.end());
    return all;
}

std::vector<std::vector<RenderObject>> SheetRenderer::everything(const Moment& moment) const {
    std::vector<std::vector<RenderObject>> shown;
    for (std::size_t s = 0; s < sources_.size(); ++s) shown.push_back(objects(s, moment.frames[s]));
    return shown;
}

std::vector<std::vector<std::vector<double>>> SheetRenderer::values(
    const std::vector<std::vector<RenderObject>>& shown, const Moment& moment) const {
    const FieldKind& kind = field_by_name(request_.colour_by);
    std::vector<std::vector<std::vector<double>>> out;
    for (std::size_t s = 0; s < shown.size(); ++s)
        out.push_back(field_values(kind, sources_[s],
                                   std::min(moment.frames[s], sources_[s].frame_count() - 1), shown[s],
                                   shown[0], threads_));
    if (!request_.minus_first) return out;
    const auto first = out[0];
    for (std::size_t s = 0; s < shown.size(); ++s)
        for (std::size_t o = 0; o < shown[s].size(); ++o) {
            if (out[s][o].empty()) continue;
            const std::vector<double>& less = first[same_cloth(shown[s][o], shown[0])];
            for (std::size_t v = 0; v < less.size(); ++v) out[s][o][v] -= less[v];
        }
    return out;
}

void SheetRenderer::paint(std::vector<std::vector<RenderObject>>& shown, const Moment& moment) const {
    const auto fields = values(shown, moment);
    for (std::size_t s = 0; s < shown.size(); ++s)
        for (std::size_t o = 0; o < shown[s].size(); ++o) {
            if (fields[s][o].empty()) continue;
            RenderObject& object = shown[s][o];
            object.look = Look{};
            object.look.flatness = 0.35f;  // the colour counts more than the light, the shape stays visible
            for (const double v : fields[s][o])
                object.colours.push_back(map_colour(
                    legend_->map, (v - legend_->range.low) / (legend_->range.high - legend_->range.low)));
        }
}

std::string SheetRenderer::caption(std::size_t source, const Moment& moment) const {
    const auto& notes = sources_[source].notes();
    const std::size_t frame = moment.frames[source];
    if (notes.empty()) return fmt::format("frame {}", frame);
    const FrameNote& note = notes[std::min(frame, notes.size() - 1)];
    return fmt::format("{}{}   ·   material time {}", note.phase, moment.waiting(source) ? " (waits)" : "",
                       clock_text(note.material_time));
}

Tile SheetRenderer::take_tile(std::size_t s, std::size_t c,
                              const std::vector<std::vector<RenderObject>>& shown,
                              const Moment& moment) const {
    Camera camera = cameras_[c];
    camera.eye += moved_[s];
    camera.target += moved_[s];
    const Lighting light = make_lighting(request_.light, camera);
    Tile tile{tone_map(render({shown[s], ground_}, camera, light, request_.settings, threads_)), {}};
    if (!font_) return tile;
    if (!request_.labels.empty())
        tile.label = request_.labels[s];
    else if (sources_.size() > 1)
        tile.label = sources_[s].label();
    if (cameras_.size() > 1) tile.label += (tile.label.empty() ? "" : ", ") + request_.shots[c].name;
    if (request_.captions) draw_caption(tile.picture, caption(s, moment), *font_);
    return tile;
}

Picture SheetRenderer::take(const Moment& moment) const {
    std::vector<std::vector<RenderObject>> shown = everything(moment);
    if (legend_) paint(shown, moment);
    std::vector<Tile> tiles;
    const std::size_t views = cameras_.size(), count = sources_.size() * views;
    // As many columns as inputs: each input has its column, each view its row.
    const bool view_by_view = views > 1 && static_cast<std::size_t>(request_.columns) == sources_.size();
    for (std::size_t i = 0; i < count; ++i)
        tiles.push_back(view_by_view ? take_tile(i % sources_.size(), i / sources_.size(), shown, moment)
                                     : take_tile(i / views, i % views, shown, moment));
    // Views of one thing go in a row; with several things, each has a row of its own.
    const int columns = request_.columns > 0               ? request_.columns
                        : sources_.size() > 1 && views > 1 ? static_cast<int>(views)
                                                           : 0;
    Picture sheet = make_sheet(tiles, columns, font_.get(), request_.title);
    return legend_ && font_ ? with_legend(sheet, *legend_, *font_) : sheet;
}

void SheetRenderer::shoot(const std::vector<Moment>& moments, const std::filesystem::path& ffmpeg,
                          const std::filesystem::path& out, double rate, const Progress& progress) const {
    std::unique_ptr<FilmWriter> film;
    for (std::size_t m = 0; m < moments.size(); ++m) {
        const Picture picture = take(moments[m]);
        if (!film) film = std::make_unique<FilmWriter>(ffmpeg, out, picture.width, picture.height, rate);
        film->add(picture);
        if (progress) progress(m + 1);
    }
    if (film) film->finish();
}

}  // namespace rumple
