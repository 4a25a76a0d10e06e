"""Where points lie: cells, neighbours, frames and axes, for training and prediction alike. Letters are in each file."""
