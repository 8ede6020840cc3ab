// One hinge with Dahl's friction that is shaken: what it held before fades with each cycle, by a formula
// under a given strain and by another under a given load (paper, "Compare with Dahl's Model": such wrinkles
// need damping). The sheet of `versus-dahl` is then shaken in the same way.
//
// clang-format off
//   given strain, amplitude a:            exp(-4 a N/eps_c),               eps_c = sigma_c/k0
//   given load, elastic spring k beside:  exp(-4 a N/(eps_c (1 + k0/k)))   a small, set small
// clang-format on
#pragma once

#include <experiments/claim.hpp>
#include <experiments/plot.hpp>

namespace rumple {

Plot dahl_hinge_plot();
std::vector<Claim> dahl_hinge_claims();

}  // namespace rumple
