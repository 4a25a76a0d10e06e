"""Accuracy beside what a user would pick instead: the same data, augmentation, loss and time for all."""
