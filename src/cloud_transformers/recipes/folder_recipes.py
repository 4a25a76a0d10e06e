"""Training on a folder of your own: one recipe per task, whose classes and categories are those of the files."""

from __future__ import annotations

from dataclasses import replace

from cloud_transformers.engine import TrainingOptions
from cloud_transformers.models.trunk import Size
from cloud_transformers.recipes.cpu import cpu_training
from cloud_transformers.recipes.folder_data import (
    OwnClassificationData,
    OwnCompletionData,
    OwnReconstructionData,
)
from cloud_transformers.recipes.folder_segmentation import OwnSegmentationData
from cloud_transformers.recipes.generation import SMALL_RECONSTRUCTION
from cloud_transformers.recipes.recipe import (
    ClassifierOptions,
    CompleterOptions,
    Recipe,
    ReconstructorOptions,
    SegmenterOptions,
)
from cloud_transformers.tasks import Classification, Completion, Reconstruction, Segmentation


def own_segmentation(size: Size = "full") -> Recipe:
    """Your own scans with a label per point, in columns from the ground up.

    command   cloudt train own-segmentation --data FOLDER --size small --out RUN
    settings  extent=20 for columns of 20 m instead of 1 m, up=y where y points up in the files, features=height to
              train without colours, features=color,intensity,normal,return_number or any other field of the files,
              missing_color=grey for files that have no colours, crops=50 columns of a file per epoch,
              class_weights=balanced for rare classes; rotate, scale, mirror, jitter, color_drop change columns
    cost      as s3dis-blocks; what score to expect depends on your data
    """
    training = {
        "full": TrainingOptions(steps=50_000, batch_size=16, checkpoint_every=1000, log_every=100, validate_every=5000),
        "small": cpu_training(steps=700, batch_size=8, validate_every=175),
        "tiny": cpu_training(steps=300, batch_size=8, validate_every=100),
    }[size]
    data = OwnSegmentationData(points={"full": 4096, "small": 2048, "tiny": 512}[size])
    model = SegmenterOptions(size=size)
    return Recipe(name="own-segmentation", data=data, task=Segmentation(), model=model, training=training)


def own_classification(size: Size = "full") -> Recipe:
    """Your own objects, one per file, in a folder per class.

    command   cloudt train own-classification --data FOLDER --size small --out RUN
    settings  up=y where y points up in the files, turn=0 for objects that always face one way, with_mask=true for files
              with a field `mask` that tells the object from its background, extent=1.2 where files are in metres and
              sizes help to tell classes apart: 1.2 m are then 1 in the model
    cost      as scanobjectnn; what score to expect depends on your data
    """
    training = {
        "full": TrainingOptions(steps=50_000, batch_size=16, checkpoint_every=1000, log_every=100, validate_every=5000),
        "small": cpu_training(steps=900, batch_size=32, validate_every=150),
        "tiny": cpu_training(steps=600, batch_size=32, validate_every=100),
    }[size]
    return Recipe(
        name="own-classification",
        data=OwnClassificationData(points={"full": 2048, "small": 1024, "tiny": 512}[size]),
        task=Classification(with_mask=False, label_smoothing=0.0 if size == "full" else 0.2),
        model=ClassifierOptions(size=size, dropout=0.5 if size == "full" else 0.3),
        training=training,
    )


def own_completion(size: Size = "full") -> Recipe:
    """Your own pairs of partial and complete clouds.

    command   cloudt train own-completion --data FOLDER --size small --out RUN
    settings  up=y where y points up in the files, turn=180 for shapes that may stand any way around
    cost      as completion; scores are in units of the diagonal of each partial cloud's box
    """
    task = {
        "full": Completion(emd_steps=37_500),
        "small": Completion(num_points=4096, predicted=1536, linear=0.1),
        "tiny": Completion(num_points=1024, emd_steps=100),
    }[size]
    return Recipe(
        name="own-completion",
        data={
            "full": OwnCompletionData(),
            "small": OwnCompletionData(drawn=512, truth=4096),
            "tiny": OwnCompletionData(points=512),
        }[size],
        task=task,
        model=CompleterOptions(size=size),
        training=_generative(size, batch_size=16),
    )


def own_reconstruction(size: Size = "full") -> Recipe:
    """Your own pictures, and clouds of what they show as the camera sees it (x right, y up, z towards the viewer).

    command   cloudt train own-reconstruction --data FOLDER --size small --out RUN
    settings  pixels=128 is the side to which pictures are scaled
    cost      as reconstruction; scores are in units of the diagonal of each cloud's box
    """
    task = {
        "full": Reconstruction(),
        "small": SMALL_RECONSTRUCTION,
        "tiny": Reconstruction(num_points=512, drawn=1024, thresholds=(0.05, 0.01)),
    }[size]
    return Recipe(
        name="own-reconstruction",
        data=OwnReconstructionData(pixels={"full": 128, "small": 128, "tiny": 32}[size]),
        task=task,
        model=ReconstructorOptions(size=size),
        training=_generative(size, batch_size=32),
    )


def _generative(size: Size, batch_size: int) -> TrainingOptions:
    if size == "full":
        return TrainingOptions(
            steps=50_000,
            batch_size=batch_size,
            learning_rate=1e-4,
            decay=0.5,
            decay_every=12_500,
            validate_every=5000,
            checkpoint_every=1000,
            log_every=100,
        )
    steps = {"small": 600, "tiny": 300}[size]
    return replace(cpu_training(steps=steps, batch_size=8, validate_every=steps // 4), ema=0.99)
