// Which simulation made a result: the version, and a hash of the sources it was built from.
#pragma once

#include <string>

namespace rumple {

std::string version();          // e.g. "0.2.0"
std::string source_hash();      // 16 hexadecimal digits over names and contents of src/rumple
std::string program_version();  // both: "0.2.0+0123456789abcdef"

}  // namespace rumple
