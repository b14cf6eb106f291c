"""Explorers. To add one: a widget in this package, and a line here."""

from .layer import LayerExplorer as LayerExplorer

APPS = (LayerExplorer,)
