"""The fields of a material that the panel shows, with the units of a person. Needs no Blender.

The scene has SI units; a fabric shop has grams per square metre. `scale` is SI for one unit of the panel."""
import collections

Field = collections.namedtuple("Field", "name key scale label unit description")

FIELDS = (
    Field("density", "density", 1e-3, "Weight", "g/m²", "Mass per area; larger: heavier, slower"),
    Field("stretch_warp", "membrane.k11", 1, "Stretch, warp", "N/m", "Stiffness along the warp; larger: stretches less"),
    Field("stretch_weft", "membrane.k22", 1, "Stretch, weft", "N/m", "Stiffness along the weft; larger: stretches less"),
    Field("shear", "membrane.k33", 1, "Shear", "N/m", "Shear stiffness; larger: drapes less"),
    Field("bending", "bending", 1e-6, "Bending", "µN m", "Bending stiffness; larger: wider, shallower folds"),
    Field("friction", "friction.k", 1e-6, "Friction", "µN m", "Internal friction of bending; larger: stronger wrinkles"),
    Field("stick_brief", "friction.eps_0", 1, "Stick, brief", "rad",
          "Fold that friction keeps when it is let go at once; larger: wrinkles even without a hold"),
    Field("stick_long", "friction.eps_inf", 1, "Stick, long", "rad",
          "Fold that friction keeps after a long hold; larger: more difference between brief and held"),
    Field("stick_time", "friction.tau", 1, "Stick time", "s", "Time in which friction grows; larger: slower ageing"),
    Field("hardening", "plasticity.K_h0", 1e-6, "Hardening", "µN m", "Larger: less of a sharp fold stays"),
    Field("yield_angle", "plasticity.eps_Y0", 1, "Yield", "rad", "Larger: only sharper folds stay for good"),
    Field("yield_time", "plasticity.tau", 1, "Yield time", "s", "Time in which sharp folds set; larger: slower"),
)


def value_at(material, key):
    """The number at "friction.tau"; None where there is none, or one by direction."""
    for part in key.split("."):
        material = material.get(part) if isinstance(material, dict) else None
    return material if isinstance(material, (int, float)) else None


def set_value(material, key, value):
    *parents, last = key.split(".")
    for part in parents:
        material = material.setdefault(part, {})
    material[last] = value


def description(preset, values, elastic=False):
    """The material of a scene: the preset and what differs from it. `values`: by name, in units of the panel."""
    material = {"preset": preset["name"]}
    for field in FIELDS:
        usual = value_at(preset, field.key)
        value = values.get(field.name)
        # The panel keeps single precision.
        if usual is not None and value is not None and abs(value * field.scale - usual) > 1e-5 * max(abs(usual), 1e-12):
            set_value(material, field.key, value * field.scale)
    if elastic:
        set_value(material, "friction.law", "none")
        set_value(material, "plasticity.law", "none")
        for law in ("relaxation", "tensile_relaxation"):
            if isinstance(preset.get(law), dict):
                set_value(material, f"{law}.share", 0)
        for law in ("tensile_friction", "tensile_plasticity"):
            if isinstance(preset.get(law), dict):
                material[law] = None
    return material
