#include <rumple/scene/cloth_reader.hpp>
#include <rumple/scene/fields.hpp>
#include <rumple/scene/obstacle_reader.hpp>

namespace rumple {

namespace {

template <class Shape>
ObstacleShape read_one(const JsonPlace& place, std::string_view table) {
    place.require_keys(table);
    Shape shape;
    read_fields(place, shape);
    return shape;
}

ObstacleShape read_shape(const JsonPlace& place) {
    switch (place.at("kind").choice({"plane", "sphere", "box", "cylinder", "capsule", "container"})) {
        case 0:
            return read_one<PlaneShape>(place, "plane");
        case 1:
            return read_one<SphereShape>(place, "sphere");
        case 2:
            return read_one<BoxShape>(place, "block");
        case 3:
            return read_one<CylinderShape>(place, "cylinder");
        case 4:
            return read_one<CapsuleShape>(place, "capsule");
        default:
            return read_one<ContainerShape>(place, "container");
    }
}

MeshFile read_obstacle_mesh(const JsonPlace& place, const std::filesystem::path& folder) {
    place.require_keys("obstacle_mesh");
    const FileAxes axes = read_axes(place);
    return {.file = resolve_file(place.at("file"), folder), .scale = axes.scale, .y_up = axes.y_up};
}

void read_rigid_body(const JsonPlace& place, ObstacleOptions& options) {
    place.require_keys("rigid_body");
    options.mass = place.at("mass").number(kMass);
    const auto slider = place.find("slider");
    if (slider && !slider->value().is_null()) options.slider = slider->direction();
}

}  // namespace

FileAxes read_axes(const JsonPlace& place) {
    return {place.number_or("scale", 1, kScale), place.choice_or("up", 0, {"z", "y"}) == 1};
}

ObstacleDescription read_obstacle(const JsonPlace& place, const std::filesystem::path& folder,
                                  AssetCache& asset_cache) {
    place.require_keys("obstacle");
    ObstacleDescription obstacle;
    obstacle.place = place;
    obstacle.name = place.at("name").name();
    const std::string source = place.one_of({"shape", "mesh", "cache", "body"});
    const JsonPlace inner = place.at(source);
    if (source == "shape") obstacle.source = read_shape(inner);
    if (source == "mesh") obstacle.source = read_obstacle_mesh(inner, folder);
    if (source == "cache") obstacle.source = read_clip(inner, folder);
    if (source == "body") obstacle.source = read_body(inner, folder, asset_cache);
    obstacle.options.place = read_placement(place);
    read_fields(place, obstacle.options);
    if (const auto body = place.find("rigid_body")) read_rigid_body(*body, obstacle.options);
    return obstacle;
}

ContactSettings read_contact(const JsonPlace& place) {
    place.require_keys("contact");
    ContactSettings settings;
    read_fields(place, settings);
    return settings;
}

}  // namespace rumple
