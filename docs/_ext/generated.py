"""Two directives: ``generated`` puts in what a function writes, ``members`` documents names."""

from typing import Any

import api
import sections
import tables
from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective


class Generated(SphinxDirective):
    """Markdown that is written from the package's own records: ``{generated} gpus``."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """Parse what the named function returns, as if it stood in the page."""
        for module in (tables, sections):
            self.env.note_dependency(module.__file__)
        write = (tables.PAGES | sections.PAGES)[self.arguments[0]]
        return self.parse_text_to_nodes(write(), allow_section_headings=True)


class Members(SphinxDirective):
    """The public names of a module, or those of them that are listed: ``{members} dlperf_widgets.layers``."""

    required_arguments = 1
    has_content = True
    option_spec = {"without": directives.unchanged}

    def run(self) -> list[nodes.Node]:
        """Document each by its docstring."""
        self.env.note_dependency(api.__file__)
        chosen = [line.strip() for line in self.content if line.strip()]
        without = self.options.get("without", "").split()
        names = [name for name in chosen or api.public(self.arguments[0]) if name not in without]
        text = "\n".join(api.directive(self.arguments[0], name) for name in names)
        return self.parse_text_to_nodes(f"```{{eval-rst}}\n{text}\n```")


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the directives."""
    app.add_directive("generated", Generated)
    app.add_directive("members", Members)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
