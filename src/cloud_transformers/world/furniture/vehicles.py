"""Airplanes, cars and boats, for the layouts of ModelNet and of PCN. Their noses point to -y."""

from __future__ import annotations

import numpy as np

from cloud_transformers.render.mesh import Array, Mesh, merge
from cloud_transformers.world import palette
from cloud_transformers.world.parts import box, cylinder, ellipse, lathe, loft, rod, rounded_box, sheet
from cloud_transformers.world.seeds import chance, pick


def _wing(span: float, root: float, tip: float, sweep: float, rise: float, thick: float, color: Array) -> Mesh:
    """Half a wing from the origin towards +x, its middle chord line swept back (+y) and raised at the tip."""
    rings = []
    for share, chord in ((0.0, root), (0.5, (root + tip) / 2), (1.0, tip)):
        section = ellipse(14, chord, thick * chord)
        ring = np.column_stack([np.full(14, share * span), section[:, 0] + share * sweep, section[:, 1] + share * rise])
        rings.append(ring)
    return loft(np.stack(rings), color)


def _pair(part: Mesh) -> list[Mesh]:
    return [part, part.scaled([-1, 1, 1])]


def _fuselage(length: float, radius: float, color: Array, blunt: float) -> Mesh:
    """A tube along y with a rounded nose at -length / 2 and a tail that tapers upwards."""
    s = np.array([0.0, 0.01, 0.04, 0.09, 0.16, 0.3, 0.5, 0.65, 0.78, 0.9, 1.0])
    r = np.interp(s, [0, 0.01, 0.04, 0.09, 0.16, 0.65, 0.9, 1.0], [0.02, 0.25 * blunt, 0.6, 0.85, 1, 1, 0.45, 0.12])
    lift = np.maximum(s - 0.6, 0) ** 1.5 * 1.6
    circle = ellipse(20)
    rings = [
        np.column_stack(
            [circle[:, 0] * k * radius, np.full(20, (p - 0.5) * length), circle[:, 1] * k * radius + up * radius]
        )
        for p, k, up in zip(s, r, lift, strict=True)
    ]
    return loft(np.stack(rings), color)


def airplane(rng: np.random.Generator) -> Mesh:
    """An airliner, a light propeller plane or a jet fighter."""
    kind = pick(rng, ["airliner", "propeller", "fighter"], [4, 2, 2])
    white = np.full(3, rng.uniform(0.8, 0.97)) if kind != "fighter" else palette.metal(rng)
    trim = palette.plastic(rng)
    if kind == "airliner":
        length, radius, span = rng.uniform(28, 45), rng.uniform(1.7, 2.4), rng.uniform(14, 20)
        sweep, chord = rng.uniform(5, 8), rng.uniform(6, 8)
    elif kind == "propeller":
        length, radius, span = rng.uniform(7, 9), rng.uniform(0.55, 0.7), rng.uniform(4.5, 6)
        sweep, chord = rng.uniform(0, 0.3), rng.uniform(1.3, 1.7)
    else:
        length, radius, span = rng.uniform(14, 18), rng.uniform(0.8, 1.0), rng.uniform(4, 5.5)
        sweep, chord = rng.uniform(3.5, 5), rng.uniform(6, 8)
    parts = [_fuselage(length, radius, white, 0.5 if kind == "fighter" else 1.4)]
    level = radius * (0.85 if kind == "propeller" and chance(rng, 0.6) else -0.5 if kind != "fighter" else -0.1)
    tip = chord * (0.28 if kind != "propeller" else 0.75)
    wing = _wing(span, chord, tip, sweep, rng.uniform(0.2, 0.9) * radius, 0.1, white)
    parts += _pair(wing.moved(0, -0.04 * length + (0.1 * length if kind == "fighter" else 0), level))
    tail_y, tail_z = 0.44 * length, radius * 0.4
    tail = _wing(span * 0.36, chord * 0.5, chord * 0.25, sweep * 0.4, 0.1, 0.1, white)
    fin = _wing(length * 0.14, chord * 0.6, chord * 0.3, length * 0.06, 0, 0.1, trim).turned("y", -np.pi / 2)
    high_tail = kind == "airliner" and chance(rng, 0.3)
    parts += _pair(
        tail.moved(0, tail_y + (length * 0.06 if high_tail else 0), tail_z + (length * 0.14 if high_tail else 0))
    )
    if kind == "fighter" and chance(rng, 0.5):
        parts += [f.moved(0, tail_y * 0.9, tail_z) for f in (fin.moved(radius * 0.9), fin.moved(-radius * 0.9))]
    else:
        parts.append(fin.moved(0, tail_y, tail_z))
    if kind == "airliner":
        size = radius * rng.uniform(0.42, 0.58)
        pod = lathe([(size * 0.85, 0), (size, size), (size, 3 * size), (size * 0.6, 4.5 * size)], trim, 16)
        pod = pod.turned("x", -np.pi / 2)  # its mouth towards -y
        if high_tail:
            parts += _pair(pod.moved(radius * 1.5, 0.25 * length, radius * 0.4))
        else:
            for share in (0.33,) if chance(rng, 0.6) else (0.28, 0.55):
                parts += _pair(pod.moved(share * span, share * sweep - 0.04 * length - chord * 0.6, level - size * 0.9))
    elif kind == "propeller":
        nose = -length / 2
        for k in range(int(rng.integers(2, 4))):
            blade = box(0.16, 0.05, 1.0, palette.dark(rng)).turned("y", k * 2 * np.pi / 3 + 0.4)
            parts.append(blade.moved(0, nose - 0.03, 0))
        parts += [rod((sx * 0.9, -0.1 * length, -1.15), (sx * 0.3, -0.1 * length, -0.2), 0.05, white) for sx in (-1, 1)]
        for x, y in ((-0.9, -0.1 * length), (0.9, -0.1 * length), (0.0, -0.36 * length)):
            wheel = cylinder(0.22, 0.12, palette.dark(rng)).turned("y", np.pi / 2)
            parts.append(wheel.moved(x - 0.06, y, -1.15))
        parts.append(rod((0, -0.36 * length, -1.15), (0, -0.36 * length, -0.2), 0.05, white))
    if kind != "airliner":
        canopy = rounded_box(radius * 1.1, length * 0.2, radius * 0.9, radius * 0.4, palette.dark(rng), 3)
        parts.append(canopy.moved(0, -0.22 * length, radius * 0.45))
    return merge(parts)


def _wheels(width: float, axles: list[float], radius: float, rng: np.random.Generator) -> list[Mesh]:
    dark, rim = palette.dark(rng), palette.metal(rng)
    parts = []
    for sx in (-1, 1):
        for y in axles:
            for r, w, color in ((radius, 0.22, dark), (radius * 0.6, 0.24, rim)):
                wheel = cylinder(r, w, color, segments=20).turned("y", np.pi / 2)
                parts.append(wheel.moved(sx * (width / 2 - 0.1) - w / 2, y, radius))
    return parts


def car(rng: np.random.Generator) -> Mesh:
    """A saloon, hatchback, off-roader, pick-up, van or sports car."""
    kind = pick(rng, ["saloon", "hatchback", "offroad", "pickup", "van", "sports"], [3, 3, 2, 1.5, 1.5, 1.5])
    color, glass = palette.plastic(rng), palette.dark(rng)
    length = {"saloon": 4.6, "hatchback": 3.9, "offroad": 4.6, "pickup": 5.1, "van": 4.9, "sports": 4.3}[kind]
    length *= rng.uniform(0.94, 1.06)
    width = rng.uniform(1.68, 1.9)
    wheel = {"offroad": 0.38, "pickup": 0.37, "sports": 0.32}.get(kind, 0.31)
    low = wheel * (0.85 if kind in ("offroad", "pickup") else 0.6)
    belt = low + {"sports": 0.5, "van": 0.75}.get(kind, 0.62) * rng.uniform(0.93, 1.07)
    roof = belt + {"sports": 0.42, "van": 0.85, "offroad": 0.65}.get(kind, 0.55) * rng.uniform(0.95, 1.05)
    body = rounded_box(width, length, belt - low, 0.14, color, 3)

    def slope(v: Array) -> Array:  # the bonnet falls a little towards the front
        front = np.clip(-v[:, 1] / (length / 2), 0, 1)
        v[:, 2] *= 1 - 0.16 * front**2 * (v[:, 2] > 0.2)
        return v

    parts = [body.mapped(slope).moved(z=low)]
    # Where the cabin begins and ends at the belt line and at the roof, as shares of the length from nose (-0.5).
    spans = {
        "saloon": (-0.2, 0.32, -0.06, 0.18),
        "hatchback": (-0.2, 0.47, -0.05, 0.36),
        "offroad": (-0.17, 0.48, -0.06, 0.43),
        "pickup": (-0.18, 0.12, -0.07, 0.08),
        "van": (-0.42, 0.49, -0.28, 0.47),
        "sports": (-0.16, 0.36, 0.0, 0.14),
    }
    a, b, c, d = (share * length for share in spans[kind])
    square = ellipse(28, 1, 1, 7.0)
    rings = [
        np.column_stack([square[:, 0] * width * w, square[:, 1] * (y1 - y0) + (y0 + y1) / 2, np.full(28, z)])
        for y0, y1, w, z in ((a, b, 0.96, belt - 0.05), (c, d, 0.8, roof - 0.04), (c + 0.05, d - 0.05, 0.74, roof))
    ]
    cabin = loft(np.stack(rings), color)
    shade = np.where(cabin.corners()[:, :, 2].max(axis=1)[:, None] < roof - 0.03, glass, color)
    parts.append(Mesh(cabin.vertices, cabin.faces, shade))
    if kind == "pickup":
        bed = box(width * 0.86, length * 0.33, 0.02, glass).moved(0, 0.31 * length, belt + 0.005)
        rails = [
            box(0.08, length * 0.36, 0.12, color).moved(sx * width * 0.45, 0.31 * length, belt - 0.03) for sx in (-1, 1)
        ]
        parts += [bed, *rails]
    parts += _wheels(width, [-0.31 * length, 0.3 * length], wheel, rng)
    for sx in (-1, 1):
        parts.append(
            rounded_box(0.32, 0.06, 0.13, 0.03, np.full(3, 0.93)).moved(sx * width * 0.34, -length / 2, belt - 0.33)
        )
        parts.append(
            rounded_box(0.3, 0.06, 0.13, 0.03, np.array([0.7, 0.1, 0.1])).moved(
                sx * width * 0.36, length / 2, belt - 0.25
            )
        )
        parts.append(rounded_box(0.2, 0.1, 0.13, 0.04, color).moved(sx * (width / 2 + 0.07), a + 0.25, belt))
    for y in (-1, 1):
        parts.append(
            rounded_box(width * 0.94, 0.16, 0.2, 0.06, palette.shade(color, 0.8)).moved(
                0, y * length * 0.49, low + 0.02
            )
        )
    return merge(parts)


def _hull(length: float, width: float, height: float, bow: float, color: Array, deck: Array) -> list[Mesh]:
    """A hull along y, its bow at -y: V-shaped sections that close towards the bow, and a deck."""
    s = np.linspace(0, 1, 13)
    half = width / 2 * np.clip(np.sin(np.pi * np.minimum(s * bow + 0.01, 0.5)), 0.03, 1) * (1 - 0.15 * s**4)
    sheer = height * (1 + 0.25 * (1 - s) ** 2)
    angle = np.linspace(0, np.pi, 11)
    rings = []
    for p, w, top in zip(s, half, sheer, strict=True):
        x, z = np.cos(angle) * w, top * (1 - np.sin(angle) ** 0.7)
        rings.append(np.column_stack([x, np.full(11, (p - 0.5) * length), z + height * 0.3 * (1 - p) ** 6]))
    sections = np.stack(rings)
    flat = sections[:, [0, -1]] * [0.97, 1, 1] - [0, 0, height * 0.08]
    return [loft(sections, color), sheet(flat, deck)]


def boat(rng: np.random.Generator) -> Mesh:
    """A sailing boat, a motor boat or a ship with a superstructure."""
    kind = pick(rng, ["sail", "motor", "ship"], [3, 2, 3])
    color, deck = palette.plastic(rng), palette.wood(rng)
    white = np.full(3, rng.uniform(0.85, 0.97))
    if kind == "sail":
        length, width, height = rng.uniform(7, 12), rng.uniform(2.3, 3.2), rng.uniform(0.8, 1.2)
        parts = _hull(length, width, height, rng.uniform(0.8, 1.1), white if chance(rng, 0.5) else color, deck)
        mast, foot = length * rng.uniform(1.1, 1.4), -0.08 * length
        parts.append(rod((0, foot, height * 0.5), (0, foot, mast), 0.07, palette.metal(rng)))
        parts.append(rod((0, foot, height * 1.5), (0, 0.38 * length, height * 1.5), 0.06, palette.metal(rng)))
        parts.append(rounded_box(width * 0.5, length * 0.28, 0.5, 0.15, white).moved(0, -0.02 * length, height * 0.85))
        u = np.linspace(0, 1, 7)
        rows, jib = [], []
        for t in np.linspace(0, 1, 7):
            reach, bulge = (1 - t) * 0.45 * length, 0.05 * length * np.sin(np.pi * u) * (1 - t)
            z = height * 1.55 + t * (mast - height * 1.6)
            rows.append(np.stack([bulge, foot + u * reach, np.full(7, z)], axis=1))
            jib.append(
                np.stack(
                    [bulge, foot - 0.02 - u * (1 - t) * 0.36 * length, height * 1.4 + t * mast * 0.75 - 0 * u], axis=1
                )
            )
        cloth = palette.linen(rng)
        parts.append(sheet(np.stack(rows), cloth))
        if chance(rng, 0.75):
            parts.append(sheet(np.stack(jib), palette.shade(cloth, 0.92)))
        keel = box(0.15, length * 0.18, height * 0.9, palette.dark(rng), taper=1.4).moved(0, 0, -height * 0.85)
        return merge([*parts, keel])
    if kind == "motor":
        length, width, height = rng.uniform(5, 9), rng.uniform(2.0, 2.8), rng.uniform(0.9, 1.3)
        parts = _hull(length, width, height, rng.uniform(0.6, 0.9), color, deck)
        cabin = rounded_box(width * 0.62, length * rng.uniform(0.25, 0.4), rng.uniform(0.7, 1.2), 0.2, white, 3)
        parts.append(cabin.moved(0, -0.05 * length, height * 0.9))
        screen = box(width * 0.6, 0.04, 0.5, palette.dark(rng)).turned("x", 0.6)
        parts.append(screen.moved(0, -0.22 * length, height * 1.3))
        parts.append(rounded_box(0.4, 0.5, 0.9, 0.12, palette.dark(rng)).moved(0, 0.51 * length, height * 0.45))
        rail = [
            (x, y, height * 1.55)
            for x, y in ((-0.34 * width, -0.25 * length), (0, -0.47 * length), (0.34 * width, -0.25 * length))
        ]
        return merge([*parts, rod(rail[0], rail[1], 0.04, white), rod(rail[1], rail[2], 0.04, white)])
    length, width, height = rng.uniform(60, 120), rng.uniform(11, 18), rng.uniform(6, 9)
    parts = _hull(length, width, height, rng.uniform(1.2, 2.4), color, palette.shade(color, 0.6))
    stern = pick(rng, [0.32, 0.05])
    z, w, size = height * 0.9, width * 0.8, length * rng.uniform(0.12, 0.3)
    for _ in range(int(rng.integers(2, 5))):
        parts.append(box(w, size, 2.8, white).moved(0, stern * length, z))
        z, w, size = z + 2.8, w * rng.uniform(0.75, 0.95), size * rng.uniform(0.7, 0.95)
    parts.append(
        cylinder(width * 0.1, 4.5, palette.plastic(rng), top_radius=width * 0.08).moved(0, stern * length + 1, z)
    )
    parts.append(rod((0, stern * length - size / 3, z), (0, stern * length - size / 3, z + 6), 0.3, white))
    if chance(rng, 0.6):  # containers or hatches on the open deck
        for y in np.linspace(-0.34, 0.16, 6) if stern > 0.2 else (-0.3, -0.22):
            stack = box(width * 0.66, length * 0.07, rng.uniform(1.5, 6), palette.plastic(rng))
            parts.append(stack.moved(0, y * length, height * 0.92))
    return merge(parts)
