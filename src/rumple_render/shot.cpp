#include <fmt/format.h>

#include <algorithm>
#include <rumple/core/error.hpp>
#include <rumple/core/suggest.hpp>
#include <rumple_render/shot.hpp>

namespace rumple {

namespace {

Shot shot_of(const SceneCamera& camera) {
    Shot shot{camera.name};
    if (camera.view)
        shot.view = static_cast<View>(*camera.view);
    else
        shot.camera = Camera{camera.eye, camera.target, camera.up, camera.fov};
    return shot;
}

}  // namespace

Shot shot_of(View view) { return {view_names()[static_cast<std::size_t>(view)], view}; }

Shot default_shot(const std::vector<RenderSource>& sources) {
    for (const RenderSource& source : sources)
        if (!source.cameras().empty()) return shot_of(source.cameras().front());
    return shot_of(View::three_quarter);
}

Shot shot_by_name(const std::string& name, const std::vector<RenderSource>& sources) {
    std::vector<std::string> known = view_names();
    for (const RenderSource& source : sources)
        for (const SceneCamera& camera : source.cameras()) {
            if (camera.name == name) return shot_of(camera);
            known.push_back(camera.name);
        }
    if (std::find(view_names().begin(), view_names().end(), name) != view_names().end())
        return shot_of(view_by_name(name));
    throw InputError("view", fmt::format("there is no view and no camera '{}'", name),
                     suggestion(name, known));
}

}  // namespace rumple
