"""Names that would be markup if anybody forgot to escape them, and a reader that finds what they became."""

from base64 import b64decode
from html.parser import HTMLParser
from xml.etree import ElementTree

CORPUS = (
    "<pwn onpwn=1>", "</title><pwn>", "\"><pwn onpwn=1>", "'><pwn>", '" onpwn="1', "' onpwn='1",
    "x onpwn=1 y", "</style><pwn>", "</script><pwn>", "</svg><pwn>", "<svg/onpwn=1><pwn>",
    "<![CDATA[<pwn>]]>", "<!--><pwn>",
    "&lt;pwn&gt;<pwn>", "&#60;pwn&#62;", "<img src=x onpwn=1>",
    "<a href=javascript:pwn()>", "javascript:pwn()",
    "<math><pwn>", "<template><pwn>", "`onpwn=1`", "\u2028<pwn>", "{{<pwn>}}",
)  # fmt: skip
EVERYTHING = " ".join(CORPUS)


class Reader(HTMLParser):
    """Collects what no text of ours has: an element or an attribute of the corpus, or a script in a link."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag.startswith(("pwn", "script", "iframe", "object", "embed", "math", "template")):
            self.found.append(f"<{tag}>")
        if tag == "img":
            self.picture(dict(attrs).get("src") or "")
        for name, value in attrs:
            address = name in ("href", "src", "xlink:href", "action")
            if name.startswith("on") or (address and "javascript" in (value or "").lower()):
                self.found.append(f"{tag} {name}={value}")

    def picture(self, address: str) -> None:
        """Look into a picture that a text brings along; one from elsewhere would be loaded."""
        kind, _, content = address.partition("base64,")
        if kind == "data:image/svg+xml;":
            drawn = b64decode(content).decode()
            ElementTree.fromstring(drawn)  # a picture that is no XML is none
            self.found += executable(drawn)
        elif kind != "data:image/png;":
            self.found.append(f"<img src={address}>")


def executable(html: str) -> list[str]:
    """Return what a page would run or load of a text."""
    reader = Reader()
    reader.feed(html)
    reader.close()
    return reader.found
