"""Pictures with words above and numbers below in one SVG text, for pages that take nothing but images."""

import re
from base64 import b64encode
from collections.abc import Sequence
from html import escape, unescape
from textwrap import wrap

from .looks import hatching
from .svg import PATTERN, plain

_LINE, _MARGIN = 19, 8  # pixels
_LETTERS, _BOLD = 104, 92  # of 13 pixels in a line of 760
_PICTURE = re.compile(r"<svg\b[^>]*>.*?</svg>", re.DOTALL)
_SIZE = re.compile(r'viewBox="0 0 ([\d.]+) ([\d.]+)"')
_NAME = re.compile(r'aria-label="([^"]*)"')


def poster(above: Sequence[str], pictures: Sequence[str], below: Sequence[str], width: int = 760) -> str:
    """Return one picture of some, bold lines above them and plain ones below, on white ground."""
    parts, y = [], float(_MARGIN)
    for line in (each for words in above for each in _lines(words, _BOLD)):
        y += _LINE
        parts.append(_text(line, y - 5, bold=True))
    for picture in pictures:
        y += _MARGIN
        height = _height(picture, width)
        parts.append(
            _alone(picture).replace("<svg", f'<svg y="{y:.0f}" width="{width}" height="{height:.0f}"', 1)
        )
        y += height
    for line in (each for words in below for each in _lines(words, _LETTERS)):
        y += _LINE
        parts.append(_text(line, y - 5))
    high = round(y + _MARGIN)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {high}" width="{width}" '
        f'height="{high}" font-family="sans-serif" font-size="13" color="#222">'
        f'<rect width="{width}" height="{high}" fill="white"/>{"".join(parts)}</svg>'
    )


def pictures(html: str) -> list[str]:
    """Return the SVG pictures in an HTML text that have a size of their own to stand alone."""
    return [found for found in _PICTURE.findall(html) if _SIZE.search(found)]


def name(picture: str) -> str:
    """Return what a picture says to who cannot see it."""
    found = _NAME.search(picture)
    return unescape(found[1]) if found else ""


def as_images(html: str) -> str:
    """Return an HTML text whose pictures are images: many a page takes no SVG, and leaves its words behind.

    An image knows nothing of its page's colours: it has the light theme's, on white ground.
    """
    return _PICTURE.sub(lambda found: _image(found[0]), html)


def _image(picture: str) -> str:
    if not _SIZE.search(picture):
        return ""  # definitions for others
    address = b64encode(plain(_alone(picture)).encode()).decode()
    return (
        f'<img src="data:image/svg+xml;base64,{address}" alt="{escape(name(picture))}" '
        'style="display:block;width:100%;max-width:760px;background:white"/>'
    )


def _alone(picture: str) -> str:
    """Return a picture with the hatching that others of its page define for it."""
    if f"url(#{PATTERN})" in picture and f'id="{PATTERN}"' not in picture:
        return picture.replace(">", f"><defs>{hatching(PATTERN)}</defs>", 1)
    return picture


def _height(picture: str, width: int) -> float:
    size = _SIZE.search(picture)
    return float(size[2]) * width / float(size[1]) if size else 0.0


def _lines(words: str, letters: int) -> list[str]:
    wide = sum(ord(letter) > 0x2E7F for letter in words) > len(words) / 3
    return wrap(words, letters // 2 if wide else letters)


def _text(line: str, y: float, bold: bool = False) -> str:
    weight = ' font-weight="bold"' if bold else ""
    return f'<text x="{_MARGIN}" y="{y:.0f}" fill="currentColor"{weight}>{escape(line)}</text>'
