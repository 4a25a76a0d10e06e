"""The auction in plain PyTorch, for any device: in each round everybody without a place bids at once (Jacobi's form).

Letters: B batch, N points, U bidders without a place in the cloud that has most of them.
"""

import torch
from torch import Tensor

FIRST_INCREMENT = 0.1  # of the first phase; coordinates lie in a cube of side 1
INCREMENT_RATIO = 0.2  # of one phase to the one before
ENOUGH = 0.01  # of the mean distance: an increment that need not be lowered further
FINEST_INCREMENT = 2e-6  # below this, adding to a float32 price near 1 rounds to nothing
NOBODY = -1
FILLING_ROUNDS = 20
CURVE_BITS = 10  # per axis, of a place on the space-filling curve
DISTANCES_AT_ONCE = 1 << 24  # 64 MB: no more distances than this are held at a time


def assign(
    prediction: Tensor,  # [B, N, 3] float32, finite, in a cube of side 1
    target: Tensor,  # [B, N, 3]
    eps: float,
    rounds: int,
) -> Tensor:  # [B, N] int64, a permutation per cloud
    """Phases of falling increment, each at the prices of the one before, with equal shares of the rounds.

    After a phase in which everybody found a place, the mean distance is above the optimum by at most the increment;
    else the gaps are filled. A cloud is done when the increment is at most eps and 1 % of its mean distance. Its result
    is the best assignment that a phase gave it, and does not depend on the other clouds of the batch.
    """
    prices = torch.zeros_like(prediction[..., 0])
    best = _fill_along_curve(prediction, target, torch.full_like(prices, NOBODY, dtype=torch.int64))
    least = _mean_distance(prediction, target, best)  # [B]
    is_active = least > 0
    increments = _schedule(eps)
    for i, increment in enumerate(increments):
        if not bool(is_active.any()):
            break
        share = (i + 1) * rounds // len(increments) - i * rounds // len(increments)
        places = _fill_gaps(prediction, target, _phase(prediction, target, prices, is_active, increment, share))
        distance = _mean_distance(prediction, target, places)
        is_better = is_active & (distance < least)
        best = torch.where(is_better[:, None], places, best)
        least = torch.where(is_better, distance, least)
        is_active &= increment > torch.clamp(ENOUGH * least, max=eps)
    return best


def _schedule(eps: float) -> list[float]:
    """The increments: from coarse to eps, then two finer ones for clouds that lie so close that eps is much."""
    increments = [max(FIRST_INCREMENT, eps)]
    while increments[-1] > eps:
        increments.append(max(increments[-1] * INCREMENT_RATIO, eps))
    return [*increments, max(eps * INCREMENT_RATIO, FINEST_INCREMENT), max(eps * INCREMENT_RATIO**2, FINEST_INCREMENT)]


def _phase(
    prediction: Tensor,
    target: Tensor,
    prices: Tensor,  # [B, N], raised in place
    is_active: Tensor,  # [B], which clouds take part
    increment: float,
    max_rounds: int,
) -> Tensor:
    """Starts with nobody placed, and returns places [B, N], some perhaps NOBODY; of no meaning where not active."""
    B, N, _ = prediction.shape
    # One column more, so that what concerns nobody has somewhere to go.
    places = torch.where(is_active[:, None], NOBODY, 0).repeat(1, N + 1)
    owners = torch.full_like(places, NOBODY)
    objects = torch.arange(N + 1, device=prediction.device).expand(B, -1)
    for _ in range(max_rounds):
        bidders, is_real = _waiting(places[:, :N])
        if bidders.shape[1] == 0:
            break
        choice, offer = _bids(_rows(prediction, bidders), target, prices, increment)
        winners, highest = _settle(bidders, is_real, choice, offer, N)
        is_sold = winners < N
        places.scatter_(1, owners.where(is_sold & (owners != NOBODY), N), NOBODY)
        places.scatter_(1, winners, objects)
        owners = winners.where(is_sold, owners)
        prices.copy_(highest[:, :N].where(is_sold[:, :N], prices))
    return places[:, :N]


def _waiting(places: Tensor) -> tuple[Tensor, Tensor]:
    """Who has no place, in the order of index: [B, U], padded where a cloud has fewer; and which of them are real."""
    is_waiting = places == NOBODY
    most = int(is_waiting.sum(dim=1).max())
    bidders = is_waiting.byte().argsort(dim=1, descending=True, stable=True)[:, :most]
    return bidders, is_waiting.gather(1, bidders)


def _bids(bidders: Tensor, target: Tensor, prices: Tensor, increment: float) -> tuple[Tensor, Tensor]:
    """Each bidder's [B, U, 3] cheapest object, and the price at which it would be as good as the next, + increment."""
    choices, offers = [], []
    for some in _portions(bidders, target):
        least, index = (_distances(some, target) + prices[:, None]).topk(min(2, target.shape[1]), dim=2, largest=False)
        choices.append(index[..., 0])
        offers.append(prices.gather(1, index[..., 0]) + (least[..., -1] - least[..., 0]) + increment)
    return torch.cat(choices, dim=1), torch.cat(offers, dim=1)


def _settle(bidders: Tensor, is_real: Tensor, choice: Tensor, offer: Tensor, num_objects: int) -> tuple[Tensor, Tensor]:
    """Who wins each object, by the highest offer and then the lowest index (N: nobody), and that offer: [B, N + 1].

    Only minima and maxima are taken, so the order in which a device meets the offers does not matter.
    """
    shape = len(bidders), num_objects + 1
    offer = offer.masked_fill(~is_real, -torch.inf)
    highest = offer.new_full(shape, -torch.inf).scatter_reduce(1, choice, offer, "amax")
    wins = is_real & (offer == highest.gather(1, choice)) & (offer > -torch.inf)
    winners = bidders.new_full(shape, num_objects).scatter_reduce(1, choice, bidders.where(wins, num_objects), "amin")
    return winners, highest


def _fill_gaps(prediction: Tensor, target: Tensor, places: Tensor) -> Tensor:
    """Whoever has no place asks for the nearest free one, which takes the nearest who asks; the last go by a curve."""
    B, N = places.shape
    places = torch.cat([places, places.new_full((B, 1), N)], dim=1)
    objects = torch.arange(N + 1, device=places.device).expand(B, -1)
    for _ in range(FILLING_ROUNDS):
        bidders, is_real = _waiting(places[:, :N])
        if bidders.shape[1] == 0:
            break
        fee = torch.zeros_like(target[..., 0]).masked_fill(~_free(places[:, :N]), torch.inf)
        nearest = [
            (_distances(some, target) + fee[:, None]).min(dim=2)
            for some in _portions(_rows(prediction, bidders), target)
        ]
        distance = torch.cat([found.values for found in nearest], dim=1)
        choice = torch.cat([found.indices for found in nearest], dim=1)
        winners, _ = _settle(bidders, is_real, choice, -distance, N)
        places.scatter_(1, winners, objects)
    return _fill_along_curve(prediction, target, places[:, :N])


def _fill_along_curve(prediction: Tensor, target: Tensor, places: Tensor) -> Tensor:
    """Whoever has no place gets the free one of the same rank along a space-filling curve: near, if not nearest."""
    last = 1 << (3 * CURVE_BITS)
    waiting = _curve(prediction).masked_fill(places != NOBODY, last).argsort(dim=1, stable=True)
    free = _curve(target).masked_fill(~_free(places), last).argsort(dim=1, stable=True)
    filled = torch.empty_like(places).scatter(1, waiting, free)
    return torch.where(places == NOBODY, filled, places)


def _free(places: Tensor) -> Tensor:
    """[B, N]: which objects nobody holds."""
    B, N = places.shape
    held = places.new_zeros((B, N + 1), dtype=torch.bool)
    return ~held.scatter_(1, places.where(places != NOBODY, N), True)[:, :N]


def _curve(points: Tensor) -> Tensor:
    """[B, N] int64: each point's place on the Z-order curve: the bits of its three coordinates interleaved."""
    cells = (points * (1 << CURVE_BITS)).long().clamp(0, (1 << CURVE_BITS) - 1)
    code = torch.zeros_like(cells[..., 0])
    for bit in range(CURVE_BITS):
        for axis in range(3):
            code |= ((cells[..., axis] >> bit) & 1) << (3 * bit + axis)
    return code


def _mean_distance(prediction: Tensor, target: Tensor, places: Tensor) -> Tensor:
    return (prediction - _rows(target, places)).norm(dim=2).mean(dim=1)


def _portions(some: Tensor, others: Tensor) -> tuple[Tensor, ...]:
    B, N, _ = others.shape
    return some.split(max(1, DISTANCES_AT_ONCE // (B * N)), dim=1)


def _distances(some: Tensor, others: Tensor) -> Tensor:
    # Not by way of a matrix product, which loses the small distances to rounding.
    return torch.cdist(some, others, compute_mode="donot_use_mm_for_euclid_dist")


def _rows(points: Tensor, index: Tensor) -> Tensor:
    return points.gather(1, index[..., None].expand(-1, -1, 3))
