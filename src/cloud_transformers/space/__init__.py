"""Where points lie: cells, blocks, spheres, neighbours, floors and frames, for training and prediction alike."""
