// What a picture is taken from: a view that is framed automatically, a camera of the run's scene, or one
// given by hand.
#pragma once

#include <optional>
#include <rumple_render/camera.hpp>
#include <rumple_render/render_source.hpp>
#include <string>
#include <vector>

namespace rumple {

struct Shot {
    std::string name;                     // in labels, where there are several
    View view = View::three_quarter;      // framed automatically,
    std::optional<Camera> camera = {};    // unless this is there
    std::optional<ViewAngles> from = {};  // framed automatically as well, instead of the view
};

Shot shot_of(View view);
// The first camera of the first source that has one; the default view where none does.
Shot default_shot(const std::vector<RenderSource>& sources);
// By name: a camera of the sources' scenes (the first source's that has it), else a view. InputError with a
// suggestion.
Shot shot_by_name(const std::string& name, const std::vector<RenderSource>& sources);

}  // namespace rumple
