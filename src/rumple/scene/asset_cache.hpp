// Bodies and garments that are made by rule, each once: the variants of a scene share them.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <rumple/modeling/chair.hpp>
#include <rumple/modeling/garment.hpp>
#include <rumple/modeling/mannequin.hpp>
#include <string>

namespace rumple {

class AssetCache {
  public:
    std::shared_ptr<const Mannequin> mannequin(const MannequinOptions& options);
    std::shared_ptr<const TriMesh> chair(const ChairOptions& options);
    // The garment of that key; `make` makes it the first time.
    std::shared_ptr<const Garment> garment(const std::string& key, const std::function<Garment()>& make);

  private:
    std::map<std::pair<double, double>, std::shared_ptr<const Mannequin>> mannequins_;
    std::map<std::pair<double, double>, std::shared_ptr<const TriMesh>> chairs_;
    std::map<std::string, std::shared_ptr<const Garment>> garments_;
};

}  // namespace rumple
