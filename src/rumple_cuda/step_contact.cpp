#include <rumple/core/index.hpp>
#include <rumple/dynamics/contact_rules.hpp>
#include <rumple_cuda/step_contact.hpp>

namespace rumple::cuda {

StepContact::StepContact(const Model& model, const Hierarchy& hierarchy)
    : system(model.contact, cloth_of(model)),
      matrix(hierarchy),
      handles(model.mass.size()),
      vertex(model.mass.size()),
      x(model.mass.size()),
      trial(model.mass.size()) {
    for (std::size_t v = 0; v < vertex.size(); ++v) vertex[at(hierarchy.number[v])] = static_cast<int>(v);
    forces.resize(vertex.size());
}

bool StepContact::assemble(const Threads& threads, const Stream& stream, const std::vector<int>& number,
                           double h2) {
    const contact::ContactSet& set = system.contacts();
    builder.begin(static_cast<int>(vertex.size()));
    threads.for_each(vertex.size(), OffPatternBlocksBuilder::kRows, [&](std::size_t row) {
        const std::size_t v = at(vertex[row]);
        Vec3d force;
        if (!handles.constrained[v] && set.touches(v)) {
            force = h2 * set.gather_force(v);
            set.gather_row(v, [&](int column, const Mat3d& block) {
                const std::size_t j = at(column);
                if (handles.constrained[j])
                    force -= (h2 * block) * (handles.target[j] - x[j]);
                else
                    builder.items(row).push_back({number[j], h2 * block});
            });
        }
        builder.end_row(row);
        forces.host()[row] = force;
    });
    builder.end(threads, blocks);
    forces.upload(stream);
    return matrix.upload(threads, stream, blocks);
}

OffPatternBlocks StepContact::blocks_of_model(const std::vector<int>& number) const {
    OffPatternBlocks model;
    model.row_begin.push_back(0);
    for (std::size_t v = 0; v < number.size(); ++v) {
        const std::size_t row = at(number[v]);
        for (int k = blocks.row_begin[row]; k < blocks.row_begin[row + 1]; ++k) {
            model.column.push_back(vertex[at(blocks.column[at(k)])]);
            model.block.push_back(blocks.block[at(k)]);
        }
        model.row_begin.push_back(static_cast<int>(model.column.size()));
    }
    return model;
}

}  // namespace rumple::cuda
