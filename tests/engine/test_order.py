"""Which samples a step sees."""

from hypothesis import given
from hypothesis import strategies as st

from cloud_transformers.engine import TrainingOptions
from cloud_transformers.engine.order import StepOrder, seed_of
from cloud_transformers.engine.schedule import learning_rate

small = st.integers(1, 4)


@given(num_samples=st.integers(1, 30), parts=small, processes=small, per_part=small, first=st.integers(0, 5))
def test_processes_and_parts_together_see_the_batch_of_one_process(num_samples, parts, processes, per_part, first):
    size = parts * processes * per_part
    shared = {"batch_size": size, "seed": 3, "first": first, "steps": first + 3}
    alone = StepOrder(num_samples, **shared)
    ranks = [
        list(StepOrder(num_samples, **shared, accumulate=parts, rank=rank, num_processes=processes))
        for rank in range(processes)
    ]
    for step in range(first, first + 3):
        rows = slice((step - first) * parts, (step - first + 1) * parts)
        seen = [key for rank in ranks for part in rank[rows] for key in part]
        assert seen == alone.batch(step)


@given(num_samples=st.integers(1, 30), batch_size=st.integers(1, 12))
def test_every_epoch_sees_every_sample_once(num_samples, batch_size):
    steps = -(-2 * num_samples // batch_size)
    order = StepOrder(num_samples, batch_size=batch_size, seed=0, first=0, steps=steps)
    keys = [key for step in range(steps) for key in order.batch(step)]
    assert sorted(keys[: 2 * num_samples]) == [(epoch, index) for epoch in range(2) for index in range(num_samples)]


def test_seeds_of_neighbours_differ():
    seeds = {seed_of(seed, step, rank) for seed in range(5) for step in range(50) for rank in range(4)}
    assert len(seeds) == 1000
    assert max(seeds) < 2**63


def test_schedules():
    paper = TrainingOptions(learning_rate=1e-3, decay=0.7, decay_every=25_000)
    assert [learning_rate(paper, step) for step in (0, 24_999, 25_000, 50_000)] == [
        1e-3,
        1e-3,
        1e-3 * 0.7,
        1e-3 * 0.7**2,
    ]
    cosine = TrainingOptions(steps=110, warmup=1 / 11, schedule="cosine", learning_rate=1.0)
    assert learning_rate(cosine, 0) == 0.1
    assert learning_rate(cosine, 9) == learning_rate(cosine, 10) == 1.0
    assert abs(learning_rate(cosine, 60) - 0.5) < 1e-12
    assert learning_rate(cosine, 109) < 1e-3
