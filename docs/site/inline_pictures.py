"""Sphinx: puts the charts of docs/pictures into the page, so that they follow its light and dark."""

from __future__ import annotations

from pathlib import Path

from docutils import nodes
from sphinx.transforms.post_transforms import SphinxPostTransform


class InlinePictures(SphinxPostTransform):
    default_priority = 5
    formats = ("html",)

    def run(self) -> None:
        for image in list(self.document.findall(nodes.image)):
            path = Path(self.env.srcdir) / image["uri"]
            if path.suffix == ".svg" and path.parent.name == "pictures":
                svg = path.read_text(encoding="utf-8")
                image.replace_self(
                    nodes.raw("", f'<span class="picture">{svg}</span>', format="html")
                )


def setup(app) -> dict[str, bool]:
    app.add_post_transform(InlinePictures)
    return {"parallel_read_safe": True}
