// Cloth that is inside an obstacle comes out: finds it, and makes contacts that bring it out.
#pragma once

#include <rumple/contact/contact_context.hpp>
#include <rumple/contact/contact_geometry.hpp>
#include <rumple/contact/penetration.hpp>

namespace rumple::contact {

class PenetrationRecovery {
  public:
    explicit PenetrationRecovery(const ContactGeometry& geometry)
        : geometry_(geometry), penetration_(geometry.surface) {}

    const Penetration& penetration() const { return penetration_; }

    // Sets which cloth penetrates as the step begins: what the memory knows of, or with `search` what is
    // found.
    void begin(const Threads& threads, bool search, ContactContext& context);
    // Makes the recovery contacts of the context.
    void make_contacts(const Threads& threads, ContactContext& context);

    struct Depth {
        std::vector<std::int32_t> vertices;  // that are inside at the end of the step, ascending
        double deepest = 0;                  // m
    };
    Depth measure(const Threads& threads, const ContactContext& context);

  private:
    void add_piercing_contacts(const Threads& threads, std::span<const std::uint8_t> behind,
                               ContactContext& context) const;
    Contact vertex_contact(int vertex, const NearestFace& face, const ContactContext& context) const;
    Contact piercing_contact(int triangle, const ContactContext& context) const;

    const ContactGeometry& geometry_;
    Penetration penetration_;
};

}  // namespace rumple::contact
