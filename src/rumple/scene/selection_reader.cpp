#include <rumple/scene/fields.hpp>
#include <rumple/scene/selection_reader.hpp>

namespace rumple {

namespace {

// A number, or null for no limit on this side.
double read_limit(const JsonPlace& place, double open) {
    return place.value().is_null() ? open : place.number(kCoordinate);
}

Vec3d read_corner(const JsonPlace& box, const std::string& key, double open) {
    const auto place = box.find(key);
    if (!place) return {open, open, open};
    const auto part = place->elements();
    if (part.size() != 3)
        place->fail("is not a corner of a box", "give [x, y, z], null where there is no limit");
    return {read_limit(part[0], open), read_limit(part[1], open), read_limit(part[2], open)};
}

std::pair<double, double> read_interval(const JsonPlace& uv, const std::string& key) {
    const auto place = uv.find(key);
    if (!place) return {-kNoLimit, kNoLimit};
    const auto part = place->elements();
    if (part.size() != 2) place->fail("is not a range", "give [from, to], null where there is no limit");
    return {read_limit(part[0], -kNoLimit), read_limit(part[1], kNoLimit)};
}

// {"ring": "top"} or {"ring": {"axis", "at", "tolerance"}}
RingSelector read_ring(const JsonPlace& place) {
    RingSelector ring;
    const bool brief = place.value().is_string();
    if (!brief) {
        place.require_keys("ring");
        ring.axis = place.direction_or("axis", ring.axis);
        if (const auto tolerance = place.find("tolerance"))
            ring.tolerance = tolerance->number({0, 1000, false, "m"});
    }
    const JsonPlace at = brief ? place : place.at("at");
    if (at.value().is_string())
        ring.at = RingSelector::End(at.choice({"top", "bottom"}));
    else
        ring.at = at.number(kCoordinate);
    return ring;
}

BorderSelector read_border(const JsonPlace& place) {
    if (place.value().is_string()) {
        place.choice({"all"});
        return {};
    }
    const bool whole = place.value().is_number_integer() && place.value() >= 0 && place.value() <= 1e9;
    return {whole ? place.value().get<int>() : -1};  // -1: no loop has this number
}

VertexSelector read_vertices(const JsonPlace& place) {
    VertexSelector list;
    for (const JsonPlace& element : place.elements()) {
        const auto& index = element.value();
        if (!index.is_number_integer() || index < -2147483648LL || index > 2147483647)
            element.fail("there is no vertex " + index.dump());
        list.vertices.push_back(index.get<int>());
    }
    return list;
}

}  // namespace

Selector read_selector(const JsonPlace& place) {
    place.require_keys("selection");
    const std::string kind = place.one_of({"box", "ring", "boundary", "uv", "vertices", "near", "set"});
    const JsonPlace inner = place.at(kind);
    if (kind == "ring") return read_ring(inner);
    if (kind == "boundary") return read_border(inner);
    if (kind == "vertices") return read_vertices(inner);
    if (kind == "set") return SetSelector{inner.text()};
    if (kind == "box") {
        inner.require_keys("box");
        return BoxSelector{read_corner(inner, "min", -kNoLimit), read_corner(inner, "max", kNoLimit)};
    }
    if (kind == "uv") {
        inner.require_keys("uv_range");
        return UvSelector{read_interval(inner, "u"), read_interval(inner, "v")};
    }
    inner.require_keys("near");
    return NearSelector{inner.at("point").vector(kCoordinate),
                        inner.has("count") ? inner.at("count").integer(1, 2147483647) : 1};
}

}  // namespace rumple
