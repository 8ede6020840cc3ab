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

class Studio {
  public:
    // Frames everything once, over the frames [first, last] of all sources. InputError: no sources, labels
    // that do not match, a bad camera.
    Studio(const std::vector<RenderSource>& sources, PictureRequest request, std::size_t first,
           std::size_t last, const Threads& threads);

    Picture take(std::size_t frame) const;  // tiles, labels, legend

  private:
    std::vector<RenderObject> objects(std::size_t source, std::size_t frame) const;
    void paint(std::vector<std::vector<RenderObject>>& shown, std::size_t frame) const;
    std::vector<std::vector<std::vector<double>>> values(const std::vector<std::vector<RenderObject>>& shown,
                                                         std::size_t frame) const;
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
