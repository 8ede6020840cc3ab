// The library in one include. A translation unit that needs one part only may include that part's header.
#pragma once

#include <rumple/core/error.hpp>
#include <rumple/core/version.hpp>
#include <rumple/dynamics/stepper.hpp>
#include <rumple/io/mesh_file.hpp>
#include <rumple/io/obj.hpp>
#include <rumple/io/point_cache.hpp>
#include <rumple/material/material.hpp>
#include <rumple/measure/measure.hpp>
#include <rumple/mesh/generators.hpp>
#include <rumple/modeling/chair.hpp>
#include <rumple/modeling/mannequin.hpp>
#include <rumple/modeling/trousers.hpp>
#include <rumple/modeling/tshirt.hpp>
#include <rumple/scene/scene.hpp>
#include <rumple/scene/scene_builder.hpp>
#include <rumple/scene/scene_file.hpp>
#include <rumple/sim/run.hpp>
#include <rumple/sim/run_scene.hpp>
#include <rumple/sim/simulator.hpp>
