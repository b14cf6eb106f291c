"""Controls whose values are the project's own objects."""
