// From sources to finished pictures: one camera, one light and one colour scale for everything that is shown
// together, so that differences between tiles are differences between cloths.
#pragma once

#include <functional>
#include <optional>
#include <rumple/render/render_source.hpp>
#include <rumple/render/sheet.hpp>
#include <string>
#include <vector>

namespace rumple {

struct PictureRequest {
    std::vector<View> views{View::three_quarter};
    std::optional<Camera> camera;  // instead of the views
    LightKind light = LightKind::studio;
    RenderSettings settings;  // of one tile
    bool has_ground = true;
    std::optional<double> ground;     // m; none: under the lowest point of everything shown
    std::string colour_by;            // empty: the cloth's own look
    std::optional<FieldRange> range;  // of the colours; none: found from the values
    std::vector<std::string> labels;  // one a source; empty: the sources' own where there are several tiles
    bool words = true;                // labels, legend, captions
    bool captions = false;            // phase and clock on each tile
    int columns = 0;
    std::string title;
    std::vector<RenderObject> bodies;  // in every tile, never moving
};

// A moment of everything that is shown: one frame number for each source. A source that ends earlier stays at
// its last frame.
using Moment = std::vector<std::size_t>;

// The same frame everywhere.
Moment at_frame(const std::vector<RenderSource>& sources, std::size_t frame);
// The end of a phase in each source. Where a source skips the phase, the end of the phase that comes before
// it in another source that has it. InputError: no source has the phase.
Moment at_end_of(const std::vector<RenderSource>& sources, const std::string& phase);

class Studio {
  public:
    // Frames everything once, over all these moments (of many, some). InputError: no sources, labels
    // that do not match, a bad camera.
    Studio(const std::vector<RenderSource>& sources, PictureRequest request,
           const std::vector<Moment>& moments, const Threads& threads);

    Picture take(const Moment& moment) const;  // tiles, labels, legend

  private:
    std::vector<RenderObject> objects(std::size_t source, std::size_t frame) const;
    std::vector<std::vector<RenderObject>> everything(const Moment& moment) const;
    void paint(std::vector<std::vector<RenderObject>>& shown, const Moment& moment) const;
    std::vector<std::vector<std::vector<double>>> values(const std::vector<std::vector<RenderObject>>& shown,
                                                         const Moment& moment) const;
    std::string caption(const RenderSource& source, std::size_t frame) const;

    const std::vector<RenderSource>& sources_;
    PictureRequest request_;
    const Threads& threads_;
    std::vector<Camera> cameras_;
    std::optional<double> ground_;
    std::optional<Legend> legend_;
    std::unique_ptr<Font> font_;  // null: no words
};

}  // namespace rumple
