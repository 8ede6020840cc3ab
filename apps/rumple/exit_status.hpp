// What the program's exit status means.
#pragma once

namespace rumple {

inline constexpr int kSuccess = 0;
inline constexpr int kBadInput = 2;  // nothing was run
inline constexpr int kFailed = 3;    // the simulation failed; everything up to the last good frame is on disk

}  // namespace rumple
