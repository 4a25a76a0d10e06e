"""Where points lie: cells, blocks, spheres, neighbours, floors and frames, for training and prediction alike.

    subsample.grid_subsample      one point per cube
    neighbours.nearest_points     the k nearest points of many queries, on the CPU
    spheres, blocks               the regions that scenes are cut into
    cells.Cells                   points sorted by square, so that regions are found quickly
    pictures                      where a cloud is in a picture of it
    floors, frames                where the floor is; what was done to coordinates, and how to undo it

numpy in, numpy out. Letters: N points, M queries or cubes, D axes.
"""
