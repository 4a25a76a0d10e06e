"""What a scene costs, stage by stage, and what that means for scenes and clusters larger than this machine."""
