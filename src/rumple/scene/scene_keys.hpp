// The keys a scene file may have, one table for each kind of object. The reader rejects everything else, and
// a test compares docs/scene.schema.json with these tables, so that the two cannot drift apart.
#pragma once

#include <string_view>
#include <vector>

namespace rumple {

struct KeyTable {
    std::string_view kind;  // "scene" is the whole file; the others are named as in the schema's $defs
    std::vector<std::string_view> keys;
};

const std::vector<KeyTable>& scene_key_tables();
const std::vector<std::string_view>& scene_keys(std::string_view kind);

}  // namespace rumple
