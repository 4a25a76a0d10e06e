"""What training minimises: PREDICTION, TARGET -> one number per cloud."""
