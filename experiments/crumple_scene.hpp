// A sheet crumpled in a pot: the scene of `crumple` and `versus-dahl`.
//
//     push          drop        weight       hold         lift
//   ---.v.---                    =====                    |   |
//   |  | |  |     | |   | |     | === |     | === |       |\_/|
//   |  \_/  |     |/\_/\_/|     |~~~~~|     |~~~~~|     __/   \__
//
// The sheet lies over a round pot, is pushed into it by its middle, let go, pressed by a weight that slides
// in the pot, or not, held or not. Then pot and weight are taken away and the sheet is lifted by two of its
// corners and hangs.
#pragma once

#include <nlohmann/json.hpp>
#include <rumple_render/camera.hpp>
#include <string>

namespace rumple {

struct CrumpleScene {
    std::string name = "crumple";
    int across = 41;    // vertices along each side: 1.7K; 141: 20K
    double side = 0.2;  // m, of the sheet; the pot is as wide as half of it
    double mass = 1;    // kg, of the weight
    double hold = 500;  // s of material time
    int seed = 1;       // of the imperfection
    std::string material = "cotton";
    // m. At paper size that of the specimen table, 2.5 mm. Coarser meshes could not fold sharply enough to
    // yield with it: they have that of the twist.
    double h_ref = 0.004;
};

// Where the lifted sheet's wrinkles show best with light from the side.
inline constexpr ViewAngles kLiftedFrom{70, 14};
// A sheet of pictures seen from there, each run in the middle of its own.
struct SheetOptions;
SheetOptions lifted_sheet();

// Variants: brief and held without the weight, weight-brief and weight-held with it (the paper's a, b, c, d);
// Brief ones take the steps of the hold without material time. elastic, without friction and plasticity, as
// brief: what the lifted cloth would look like if it remembered nothing.
nlohmann::json crumple_scene(const CrumpleScene& options = {});

}  // namespace rumple
