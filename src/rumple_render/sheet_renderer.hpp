// From sources to finished pictures: one camera, one light and one colour scale for everything that is shown
// together, so that differences between tiles are differences between cloths.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <rumple_render/moment.hpp>
#include <rumple_render/sheet.hpp>
#include <rumple_render/shot.hpp>
#include <string>
#include <vector>

namespace rumple {

struct PictureRequest {
    std::vector<Shot> shots;  // none: the sources' default
    LightKind light = LightKind::studio;
    RenderSettings settings;  // of one tile
    // The width follows from the height and from what is shown, but is at most this; 0: it is settings.width.
    int fit_width = 0;
    bool frame_cloth = false;  // only cloth counts for framing: obstacles may reach out of the picture
    // Each source's camera moves sideways until its own cloth is in the middle; direction, distance and light
    // stay the same.
    bool follow = false;
    bool has_ground = true;
    std::optional<double> ground;     // m; none: under the lowest point of everything shown
    std::string colour_by;            // empty: the cloth's own look
    bool minus_first = false;         // what the first source has there is subtracted
    std::optional<FieldRange> range;  // of the colours; none: found from the values
    std::vector<std::string> labels;  // one a source; empty: the sources' own where there are several tiles
    bool words = true;                // labels, legend, captions
    bool captions = false;            // phase and clock on each tile
    int columns = 0;                  // tiles in a row; 0: as fits; as many as inputs: a row for each view
    std::string title;
    std::vector<RenderObject> bodies;  // in every tile, never moving
};

class SheetRenderer {
  public:
    // Frames everything once, over all these moments (of many, some). InputError: no sources, labels
    // that do not match, a bad camera.
    SheetRenderer(const std::vector<RenderSource>& sources, PictureRequest request,
                  const std::vector<Moment>& moments, const Threads& threads);

    Picture take(const Moment& moment) const;  // tiles, labels, legend

    // All moments into an MP4 file; `progress` gets how many are done. InputError and SimulationError as
    // FilmWriter.
    using Progress = std::function<void(std::size_t done)>;
    void shoot(const std::vector<Moment>& moments, const std::filesystem::path& ffmpeg,
               const std::filesystem::path& out, double rate, const Progress& progress) const;

  private:
    void fit_width(const std::vector<Vec3d>& points);
    void place_cameras(std::vector<std::vector<Vec3d>> points);  // of each source
    std::vector<RenderObject> objects(std::size_t source, std::size_t frame) const;
    std::vector<std::vector<RenderObject>> everything(const Moment& moment) const;
    void paint(std::vector<std::vector<RenderObject>>& shown, const Moment& moment) const;
    std::vector<std::vector<std::vector<double>>> values(const std::vector<std::vector<RenderObject>>& shown,
                                                         const Moment& moment) const;
    Legend make_legend(const std::vector<double>& all_values) const;
    std::string caption(std::size_t source, const Moment& moment) const;
    Tile take_tile(std::size_t source, std::size_t view, const std::vector<std::vector<RenderObject>>& shown,
                   const Moment& moment) const;

    const std::vector<RenderSource>& sources_;
    PictureRequest request_;
    const Threads& threads_;
    std::vector<Camera> cameras_;  // one a shot
    std::vector<Vec3d> moved_;     // of the cameras, one a source [m]
    std::optional<double> ground_;
    std::optional<Legend> legend_;
    std::unique_ptr<Font> font_;  // null: no words
};

}  // namespace rumple
