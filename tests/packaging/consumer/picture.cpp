// A user of rumple::render: a picture becomes a PNG and is read back.
#include <cstdio>
#include <rumple_render/png.hpp>

int main() {
    const rumple::Picture picture(3, 2, {250, 128, 7});
    const bool same = rumple::decode_png(rumple::encode_png(picture), "picture") == picture;
    std::puts(same ? "rumple::render works" : "the picture changed on its way through a PNG");
    return same ? 0 : 1;
}
