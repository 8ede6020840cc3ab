// "garment": a cloth that is cut to a body of the scene.
#include <fmt/format.h>

#include <algorithm>
#include <rumple/core/digest.hpp>
#include <rumple/core/error.hpp>
#include <rumple/core/suggest.hpp>
#include <rumple/modeling/trousers.hpp>
#include <rumple/modeling/tshirt.hpp>
#include <rumple/scene/asset_cache.hpp>
#include <rumple/scene/garment_reader.hpp>

namespace rumple {

namespace {

using Field = std::pair<const char*, double*>;

// What the scene says of these, and a text of all of them to find the garment by.
nlohmann::json read_fields(const JsonPlace& place, const std::vector<Field>& fields) {
    nlohmann::json text = nlohmann::json::object();
    for (const auto& [key, value] : fields) {
        *value = place.number_or(key, *value, {-1, 2, false, "m (rise and sleeve: a share)"});
        text[key] = *value;
    }
    return text;
}

std::size_t body_of(const JsonPlace& place, const Fitting& fitting) {
    std::vector<std::string> names;
    std::vector<std::size_t> bodies;
    for (std::size_t i = 0; i < fitting.obstacles.size(); ++i) {
        names.push_back(fitting.obstacles[i].name);
        if (fitting.obstacles[i].kind == "body") bodies.push_back(i);
    }
    if (const auto given = place.find("body")) {
        const auto found = std::find(names.begin(), names.end(), given->text());
        if (found == names.end())
            given->fail(fmt::format("there is no obstacle \"{}\"", given->text()),
                        names.empty() ? "a garment is cut to an obstacle" : suggestion(given->text(), names));
        return static_cast<std::size_t>(found - names.begin());
    }
    if (bodies.empty())
        place.fail("a garment is cut to a body, and the scene has none",
                   "add an obstacle, {\"name\": \"person\", \"body\": {\"mannequin\": {}}}");
    if (bodies.size() > 1)
        place.fail("it does not say which body it is cut to",
                   fmt::format("name it: \"body\": \"{}\"", names[bodies.front()]));
    return bodies.front();
}

// As it stands when its clip begins.
TriMesh first_pose(const SceneObstacle& obstacle) {
    TriMesh mesh = obstacle.mesh;
    if (!obstacle.clip) return mesh;
    const auto& times = obstacle.clip->times;
    const auto at = std::lower_bound(times.begin(), times.end(), obstacle.clip->start - 1e-9);
    mesh.positions =
        obstacle.clip->sample(std::min(static_cast<std::size_t>(at - times.begin()), times.size() - 1));
    return mesh;
}

}  // namespace

ReadMesh read_garment(const JsonPlace& place, const Fitting& fitting) {
    const bool is_trousers = place.at("garment").choice({"trousers", "tshirt"}) == 0;
    place.require_keys(is_trousers ? "trousers" : "tshirt");
    TrousersOptions trousers;
    TshirtOptions tshirt;
    const nlohmann::json options = is_trousers ? read_fields(place, {{"edge", &trousers.edge_length},
                                                                     {"rise", &trousers.rise},
                                                                     {"cuff_height", &trousers.cuff_height},
                                                                     {"waist_ease", &trousers.waist_ease},
                                                                     {"hip_ease", &trousers.hip_ease},
                                                                     {"knee_ease", &trousers.knee_ease},
                                                                     {"cuff_ease", &trousers.cuff_ease},
                                                                     {"crotch_drop", &trousers.crotch_drop},
                                                                     {"waistband", &trousers.waistband}})
                                               : read_fields(place, {{"edge", &tshirt.edge_length},
                                                                     {"sleeve", &tshirt.sleeve},
                                                                     {"hem", &tshirt.hem},
                                                                     {"chest_ease", &tshirt.chest_ease},
                                                                     {"sleeve_ease", &tshirt.sleeve_ease},
                                                                     {"neck_ease", &tshirt.neck_ease},
                                                                     {"hem_band", &tshirt.hem_band}});
    const std::size_t body = body_of(place, fitting);
    const SceneObstacle& obstacle = fitting.obstacles[body];

    ReadMesh read;
    read.name = place.where();
    const TriMesh mesh = first_pose(obstacle);
    Digest key;
    key.add(is_trousers);
    key.add(options.dump());
    key.add(mesh.positions);
    key.add(mesh.triangles);
    try {
        const auto garment = fitting.asset_cache.garment(key.hex32(), [&] {
            return is_trousers ? make_trousers(mesh, trousers, obstacle.name)
                               : make_tshirt(mesh, tshirt, obstacle.name);
        });
        read.mesh = garment->mesh;
        for (const VertexSet& set : garment->sets) read.sets[set.name] = set.vertices;
    } catch (const InputError& error) {
        throw InputError(place.where(), error.what());
    }
    return read;
}

}  // namespace rumple
