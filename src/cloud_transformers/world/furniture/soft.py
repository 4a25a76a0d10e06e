"""Soft furniture: sofas, beds and pillows."""

from __future__ import annotations

import numpy as np

from cloud_transformers.render.mesh import Array, Mesh, merge
from cloud_transformers.world import palette
from cloud_transformers.world.furniture.legs import four_legs
from cloud_transformers.world.parts import bar, box, cushion, cylinder, ellipsoid, rod, rounded_box, sheet
from cloud_transformers.world.seeds import chance, pick


def pillow(rng: np.random.Generator) -> Mesh:
    """A bed pillow, sofa cushion, bolster or round cushion, plump or dented, lying, standing or leaning."""
    kind = pick(rng, ["bed", "square", "bolster", "round"], [3, 4, 0.8, 0.7])
    color = palette.fabric(rng) if kind != "bed" or chance(rng, 0.3) else palette.linen(rng)
    if kind == "bed":
        mesh = cushion(rng.uniform(0.55, 0.8), rng.uniform(0.38, 0.5), rng.uniform(0.12, 0.2), color, grid=13)
    elif kind == "square":
        side = rng.uniform(0.36, 0.52)
        mesh = cushion(
            side, side * rng.uniform(0.7, 1.0), rng.uniform(0.15, 0.24), color, pinch=rng.uniform(0.04, 0.12), grid=13
        )
    elif kind == "bolster":
        length, radius = rng.uniform(0.45, 0.8), rng.uniform(0.07, 0.11)
        mesh = ellipsoid(2 * radius, 2 * radius, length, color, exponent=5.0, rings=13).turned("y", np.pi / 2)
    else:
        width = rng.uniform(0.35, 0.5)
        mesh = ellipsoid(width, width, rng.uniform(0.1, 0.16), color, exponent=2.3, rings=11)
    low, high = mesh.bounds()
    size = high - low
    dents = rng.uniform(-0.3, 0.3, (3, 2)) * size[:2]
    depths = rng.uniform(0.0, 0.3, 3) * size[2]
    ripple = rng.uniform(10, 25)

    def dent(v: Array) -> Array:
        for (x, y), amount in zip(dents, depths, strict=True):
            away = ((v[:, 0] - x) / size[0]) ** 2 + ((v[:, 1] - y) / size[1]) ** 2
            v[:, 2] -= amount * np.exp(-20 * away) * (v[:, 2] > (low + high)[2] / 2)
        v[:, 2] += 0.006 * np.sin(ripple * v[:, 0]) * np.sin(ripple * v[:, 1] + 1)
        bend = 0.08 * (v[:, 0] / size[0]) ** 2
        v[:, 2] += bend * size[2]
        return v

    mesh = mesh.mapped(dent)
    pose = pick(rng, ["lying", "leaning", "standing"], [5, 3, 0.5])
    if pose != "lying":
        mesh = mesh.turned("x", 1.5 if pose == "standing" else rng.uniform(0.6, 1.25))
    return mesh.grounded()


def _throw_pillow(rng: np.random.Generator) -> Mesh:
    side = rng.uniform(0.34, 0.46)
    return cushion(side, side, 0.15, palette.fabric(rng)).turned("x", rng.uniform(1.0, 1.3)).grounded()


def sofa(rng: np.random.Generator) -> Mesh:
    """One to four seats: box, rounded, rolled or no arms; loose or fixed cushions; legs or skirt; maybe a chaise."""
    seats = int(pick(rng, [1, 2, 3, 4], [1.5, 4, 4, 1]))
    seat_width, depth = rng.uniform(0.55, 0.72), rng.uniform(0.75, 0.98)
    arm = pick(rng, ["box", "round", "rolled", "none"], [4, 3, 2, 1])
    arm_width = 0.0 if arm == "none" else rng.uniform(0.12, 0.26)
    inner = seats * seat_width
    width = inner + 2 * arm_width
    color = palette.fabric(rng)
    lift = rng.uniform(0.04, 0.17)
    seat, back = rng.uniform(0.38, 0.46), rng.uniform(0.72, 0.95)
    thickness = rng.uniform(0.14, 0.2)
    back_depth = rng.uniform(0.16, 0.26)
    parts = [four_legs(width * 0.95, depth * 0.92, lift, 0.05, palette.wood(rng), rng)]
    parts.append(rounded_box(width, depth, seat - thickness - lift, 0.03, color).moved(z=lift))
    rest = rounded_box(width, back_depth, back - lift - 0.06, 0.06, color, 3)
    parts.append(rest.turned("x", -rng.uniform(0.0, 0.12)).moved(0, depth / 2 - back_depth / 2, lift + 0.02))
    arm_height = rng.uniform(0.52, 0.68)
    for sx in (-1, 1) if arm != "none" else ():
        x = sx * (width / 2 - arm_width / 2)
        if arm == "rolled":
            parts.append(rounded_box(arm_width * 0.7, depth, arm_height - lift - 0.05, 0.03, color).moved(x, 0, lift))
            roll = cylinder(arm_width * 0.58, depth, color, segments=18).turned("x", np.pi / 2)
            parts.append(roll.moved(x, depth / 2, arm_height - 0.06))
        else:
            radius = 0.02 if arm == "box" else 0.09
            parts.append(rounded_box(arm_width, depth, arm_height - lift, radius, color, 3).moved(x, 0, lift))
    soft = palette.shade(color, rng.uniform(1.0, 1.12))
    chaise = pick(rng, [-1, 1]) if seats >= 2 and chance(rng, 0.3) else 0
    cushion_depth = depth - back_depth * 0.9
    for k in range(seats):
        x = -inner / 2 + (k + 0.5) * seat_width
        pad = rounded_box(seat_width * 0.985, cushion_depth, thickness + 0.03, 0.05, soft, 3)
        parts.append(pad.moved(x, -depth / 2 + cushion_depth / 2 - 0.01, seat - thickness))
        high = back - seat + rng.uniform(-0.04, 0.08)
        loose = rounded_box(seat_width * 0.96, 0.16, high, 0.07, soft, 3).turned("x", -0.22)
        parts.append(loose.moved(x, depth / 2 - back_depth - 0.02, seat + 0.03))
    if chaise:
        length = rng.uniform(0.55, 0.8)
        x, w = chaise * (inner / 2 - seat_width / 2), seat_width
        parts.append(
            rounded_box(w, length, seat - thickness - lift, 0.03, color).moved(x, -depth / 2 - length / 2 + 0.02, lift)
        )
        parts.append(
            rounded_box(w * 0.985, length, thickness + 0.03, 0.05, soft, 3).moved(
                x, -depth / 2 - length / 2 + 0.02, seat - thickness
            )
        )
        for sx in (-1, 1):
            parts.append(
                rod(
                    (x + sx * w * 0.4, -depth / 2 - length + 0.08, 0),
                    (x + sx * w * 0.4, -depth / 2 - length + 0.08, lift + 0.02),
                    0.022,
                    palette.wood(rng),
                )
            )
    if chance(rng, 0.45):
        for _ in range(int(rng.integers(1, 3))):
            x = rng.uniform(-0.4, 0.4) * inner
            parts.append(
                _throw_pillow(rng)
                .turned("z", rng.uniform(-0.4, 0.4))
                .moved(x, depth / 2 - back_depth - 0.22, seat + 0.03)
            )
    return merge(parts)


def corner_sofa(rng: np.random.Generator) -> Mesh:
    """Two sofas of one make at right angles, which share their corner; the second may be shorter."""
    along = sofa(rng)
    while along.bounds()[1][0] - along.bounds()[0][0] < 1.4:  # a seat for one
        along = sofa(rng)
    side = int(pick(rng, [0, 1]))  # left or right
    across = along.scaled([rng.uniform(0.7, 1.0), 1, 1]).turned("z", (0.5 - side) * np.pi)
    x = along.bounds()[side][0] - across.bounds()[side][0]
    return merge([along, across.moved(x, along.bounds()[1][1] - across.bounds()[1][1])])


def _blanket(width: float, length: float, top: float, drop: float, color: Array, rng: np.random.Generator) -> Mesh:
    """A sheet over the foot end of a mattress, hanging over its two sides and the foot, with folds."""
    cover = rng.uniform(0.5, 0.75) * length
    across = np.concatenate([np.linspace(-1.0, -0.5, 5)[:-1], np.linspace(-0.5, 0.5, 13), np.linspace(0.5, 1.0, 5)[1:]])
    along = np.linspace(0, 1, 15)
    u, v = np.meshgrid(across, along, indexing="ij")
    hang = np.maximum(np.abs(u) - 0.5, 0) * 2
    wave = rng.uniform(8, 14)
    x = np.sign(u) * np.minimum(np.abs(u), 0.5) * (width + 0.03) + np.sign(u) * hang * 0.02 * np.sin(wave * v * 3)
    y = -length / 2 - 0.02 + v * cover
    z = top + 0.03 - hang * drop + (1 - hang) * 0.012 * np.sin(wave * v + 3 * u) * np.sin(wave * u)
    return sheet(np.stack([x, y, z], axis=-1), color)


def bed(rng: np.random.Generator) -> Mesh:
    """Single to king size, with head board (panel, slats, padded, bars), pillows and a blanket; or a bunk bed."""
    width, length = pick(rng, [0.9, 1.0, 1.4, 1.6, 1.8]), rng.uniform(1.9, 2.15)
    if width <= 1.0 and chance(rng, 0.2):
        return _bunk_bed(rng, width, length)
    wood, soft = palette.wood(rng), palette.fabric(rng)
    frame, mattress = rng.uniform(0.22, 0.38), rng.uniform(0.16, 0.26)
    legs = rng.uniform(0.06, 0.16)
    parts = [four_legs(width, length, legs, 0.07, wood, rng)]
    parts.append(box(width + 0.06, length + 0.06, frame - legs, wood).moved(z=legs))
    parts += _bedding(width, length, frame, mattress, rng)
    style = pick(rng, ["panel", "slats", "padded", "bars", "none"], [3, 2, 3, 1.5, 1])
    high = rng.uniform(0.75, 1.25)
    y = length / 2 + 0.05
    if style == "panel":
        parts.append(rounded_box(width + 0.08, 0.05, high, 0.015, wood).moved(y=y))
    elif style == "padded":
        parts.append(rounded_box(width + 0.1, 0.12, high, 0.05, soft, 3).moved(y=y))
        for x in np.linspace(-0.5, 0.5, int(rng.integers(2, 6)) + 1)[1:-1]:
            parts.append(box(0.012, 0.13, high * 0.6, palette.shade(soft, 0.7)).moved(x * width, y, high * 0.38))
    elif style != "none":
        foot = high * rng.uniform(0.45, 0.7) if chance(rng, 0.6) else 0.0
        for end, tall in ((1, high), (-1, foot)):
            if tall:
                parts += _rails(width, tall, end * y, style, wood, rng)
    if style == "bars" and chance(rng, 0.3):  # a four-poster
        tall = rng.uniform(1.8, 2.1)
        posts = [(sx * width / 2, sy * y) for sx, sy in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
        parts += [bar((a, b, 0), (a, b, tall), 0.05, wood) for a, b in posts]
        parts += [bar((*a, tall), (*b, tall), 0.04, wood) for a, b in zip(posts, posts[1:] + posts[:1], strict=True)]
    return merge(parts)


def _rails(width: float, height: float, y: float, style: str, color: Array, rng: np.random.Generator) -> list[Mesh]:
    half = width / 2 + 0.02
    parts = [bar((sx * half, y, 0), (sx * half, y, height), 0.05, color) for sx in (-1, 1)]
    parts.append(bar((-half, y, height), (half, y, height), 0.05, color))
    if style == "slats":
        for level in np.linspace(0.45, 0.9, 3) * height:
            parts.append(box(width, 0.02, height * 0.1, color).moved(0, y, level))
    else:
        parts.append(bar((-half, y, height * 0.4), (half, y, height * 0.4), 0.035, color))
        for x in np.linspace(-half, half, int(rng.integers(7, 13)))[1:-1]:
            parts.append(rod((x, y, height * 0.4), (x, y, height), 0.012, color, segments=6))
    return parts


def _bedding(width: float, length: float, frame: float, mattress: float, rng: np.random.Generator) -> list[Mesh]:
    top = frame + mattress - 0.04
    parts = [rounded_box(width, length, mattress, 0.05, palette.linen(rng), 3).moved(z=frame - 0.04)]
    count = 1 if width < 1.2 else 2
    if chance(rng, 0.9):
        linen = palette.linen(rng)
        for k in range(count):
            w = min(0.72, width / count * 0.88)
            head = cushion(w, 0.45, rng.uniform(0.13, 0.19), linen).turned("x", rng.uniform(0.0, 0.5))
            x = (k - (count - 1) / 2) * width / count
            parts.append(head.turned("z", rng.uniform(-0.1, 0.1)).grounded().moved(x, length / 2 - 0.32, top - 0.01))
    if chance(rng, 0.75):
        parts.append(_blanket(width, length, top, rng.uniform(0.1, 0.3), palette.fabric(rng), rng))
    return parts


def _bunk_bed(rng: np.random.Generator, width: float, length: float) -> Mesh:
    wood = palette.wood(rng)
    tall, x, y = rng.uniform(1.55, 1.8), width / 2 + 0.03, length / 2 + 0.03
    parts = [bar((sx * x, sy * y, 0), (sx * x, sy * y, tall), 0.07, wood) for sx in (-1, 1) for sy in (-1, 1)]
    for level in (0.3, tall - 0.45):
        parts.append(box(width + 0.06, length + 0.06, 0.1, wood).moved(z=level))
        parts += [part.moved(z=level) for part in _bedding(width, length, 0.1, 0.14, rng)]
    for sx in (-1, 1):
        parts.append(bar((sx * x, -y, tall - 0.08), (sx * x, y, tall - 0.08), 0.05, wood, 0.03))
    for sy in (-1, 1):
        parts += [bar((-x, sy * y, z), (x, sy * y, z), 0.06, wood, 0.03) for z in (0.65, tall - 0.06)]
    ladder = [(-x - 0.05, -y + a) for a in (0.15, 0.5)]
    parts += [bar((a, b, 0), (a, b, tall - 0.1), 0.035, wood) for a, b in ladder]
    parts += [rod((*ladder[0], z), (*ladder[1], z), 0.015, wood) for z in np.linspace(0.25, tall - 0.3, 5)]
    return merge(parts)
