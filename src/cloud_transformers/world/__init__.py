"""A world of our own: furniture, fixtures and furnished rooms, built from a seed, scanned and photographed.

    from cloud_transformers import world

    world.objects.build(seed, index)            a mesh of one of the 15 classes
    world.objects.sample(seed, index)           points on its surface, with label
    world.cutouts.cutout(seed, index)           the object cut out of a scanned scene, with background and mask
    world.rooms.room(seed, index)               a scanned room: PointCloud with color, label, instance
    world.scans.scan(seed, index)               a room as a depth camera in the hand sees it
    world.views.completion(seed, index, view)   a partial view and the complete cloud
    world.views.reconstruction(seed, index, view)   a picture and the cloud as its viewer sees it
    world.sources.scanobjectnn("train", size=1000)  the same as datasets for training; likewise modelnet40,
                                                completion, reconstruction, s3dis_blocks

Any integers serve as seed and index. A sample depends on its own seed and index alone: not on the order, the process
or the number of workers. Only numpy is needed; `layouts` writes the same samples in the benchmarks' files.
"""

from cloud_transformers.world import cutouts, objects, rooms, scans, sources, views
from cloud_transformers.world.seeds import SPLIT_START

__all__ = ["SPLIT_START", "cutouts", "objects", "rooms", "scans", "sources", "views"]
