// What a picture can show: a mesh file, a point cache with its mesh beside it, or the folder of a run with
// all its cloths and obstacles. A source knows how many frames it has and what its metrics.csv says
// about each.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <rumple/io/point_cache.hpp>
#include <rumple/sim/run_archive.hpp>
#include <rumple_render/renderer.hpp>
#include <string>
#include <vector>

namespace rumple {

class RenderSource {
  public:
    // A mesh (.obj, .ply), a cache (.pc2, .mdd; its .obj beside it) or a run's folder. InputError: neither,
    // or a cache without frames, or one that does not fit its mesh.
    explicit RenderSource(const std::filesystem::path& path);

    const std::string& label() const { return label_; }                    // the variant's or file's name
    const std::optional<RunArchive>& archive() const { return archive_; }  // nothing: not part of a run
    std::size_t frame_count() const;                                       // 1 for a mesh
    // Of a cache: frames a second of the run, from its summary; 30 where there is none.
    double frame_rate() const;
    // Everything at a frame; after the last one things stay as they are. Reads from the disk.
    std::vector<RenderObject> objects_at(std::size_t frame) const;
    // For captions; empty where there is no metrics.csv.
    const std::vector<FrameNote>& notes() const { return notes_; }

    // Where the hinges of this cloth begin in the run's checkpoint.
    std::size_t first_hinge(const std::string& cloth) const;

    // Of the run's scene.
    std::vector<SceneCamera> cameras() const;

    // Height of a level plane among the run's obstacles [m]: it is shown as the ground, not as a slab.
    std::optional<double> ground() const { return ground_; }

    // Changes the look of all cloths.
    void set_look(const Look& look);
    // Leaves out the cloth or obstacle of this name; says whether there was one. InputError: nothing is left.
    bool hide(const std::string& name);
    std::vector<std::string> part_names() const;

  private:
    struct Part {
        std::string name;
        TriMesh mesh;
        Look look;
        bool is_cloth = true;
        std::shared_ptr<const PointCacheReader> cache = nullptr;  // the mesh stands still
        bool framed = true;                                       // the camera shows all of it
        std::optional<std::vector<std::string>> present = {};     // phases in which it is there; none: in all
        std::vector<SeamLine> seams = {};
    };
    bool shows(const Part& part, std::size_t frame) const;
    void add_obstacle_facts(const RunSummary::Obstacle& obstacle);
    void add_mesh(const std::filesystem::path& path);
    void add_cache(const std::filesystem::path& path);
    void read_run_facts();

    std::string label_;
    std::optional<RunArchive> archive_;
    std::optional<double> ground_;
    std::vector<Part> parts_;
    std::vector<FrameNote> notes_;
};

// Leaves out cloths and obstacles of these names wherever they are. InputError: no source has one; see
// hide().
void hide_in(std::vector<RenderSource>& sources, const std::vector<std::string>& names);

// A folder that holds runs side by side (variants) stands for each of them, in the order of their names;
// everything else for itself.
std::vector<RenderSource> open_sources(const std::vector<std::string>& inputs);

}  // namespace rumple
