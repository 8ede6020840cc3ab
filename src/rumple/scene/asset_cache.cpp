#include <rumple/scene/asset_cache.hpp>

namespace rumple {

std::shared_ptr<const Mannequin> AssetCache::mannequin(const MannequinOptions& options) {
    auto& body = mannequins_[{options.height, options.edge_length}];
    if (!body) body = std::make_shared<const Mannequin>(make_mannequin(options));
    return body;
}

std::shared_ptr<const TriMesh> AssetCache::chair(const ChairOptions& options) {
    auto& chair = chairs_[{options.height, options.edge_length}];
    if (!chair) chair = std::make_shared<const TriMesh>(make_chair(options));
    return chair;
}

std::shared_ptr<const Garment> AssetCache::garment(const std::string& key,
                                                   const std::function<Garment()>& make) {
    auto& garment = garments_[key];
    if (!garment) garment = std::make_shared<const Garment>(make());
    return garment;
}

}  // namespace rumple
