"""Builders of furniture and fixtures: each takes a generator and returns a Mesh.

Every object stands on z = 0 in metres, is as wide as x, as deep as y, and faces -y: its back is at +y.
"""
