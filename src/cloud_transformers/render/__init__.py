"""Pictures of meshes and clouds: one z-buffer, one painter."""
