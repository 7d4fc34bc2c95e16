"""A request as the line of options that docs/cd_values.md describes."""
import os

BOUNDS = ("abs", "rel", "noa", "prel")


def _value(value):
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return repr(value)
    return str(value)


def options_line(preset=None, *, toml=None, options=None, mask=True, fill=True, **settings):
    """'preset=fsz, abs=0.001'. `settings`: one of abs, rel, noa, prel with the bound, and stage parameters (dots as in
    **{'quant.quant_radius': 512}). Errors: TypeError where the preset is given twice or more than one bound is."""
    if options is not None:
        if preset is not None or toml is not None or settings:
            raise TypeError("options stands alone: a whole line such as 'preset=fsz, abs=1e-3'")
        return options
    if (preset is None) == (toml is None):
        raise TypeError("one of preset and toml is needed")
    bounds = [name for name in BOUNDS if settings.get(name) is not None]
    if len(bounds) > 1:
        raise TypeError("more than one bound: " + " and ".join(bounds))
    items = ["preset=" + preset if toml is None else f'toml="{os.fspath(toml)}"']
    items += [f"{name}={_value(float(settings[name]))}" for name in bounds]
    items += [f"{name}={_value(value)}" for name, value in settings.items() if name not in BOUNDS]
    items += [] if mask else ["mask=no"]
    items += [] if fill else ["fill=no"]
    return ", ".join(items)
