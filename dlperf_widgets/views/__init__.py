"""Renderers: shapes become a bqplot figure, roles become colours."""
