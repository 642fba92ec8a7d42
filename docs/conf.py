"""The documentation site; scripts/docs.sh builds it, in a copy of the project's tree."""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(Path(__file__).resolve().parent / "site"))

project = "shortfall"
author = "the authors of shortfall"
copyright = "the authors of shortfall, MIT license"
release = re.search(
    r"project\(shortfall VERSION (\S+)", (ROOT / "CMakeLists.txt").read_text()
).group(1)
version = release

extensions = [
    "myst_parser",
    "sphinx_copybutton",
    "blocks",
    "inline_pictures",
]
exclude_patterns = ["site", "_static", "Thumbs.db"]
nitpicky = True
smartquotes = False  # keys and values are to be copied

# GitHub's anchors of headings, so that links work in both places.
myst_heading_anchors = 4
myst_enable_extensions = ["colon_fence", "deflist"]
suppress_warnings = ["myst.header"]  # reproduction.md is written by a program

html_theme = "furo"
html_title = f"shortfall {release}"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_copy_source = False
html_show_sphinx = False
html_show_search_summary = False  # reads pages, which browsers refuse for files on disk
pygments_style = "friendly"
pygments_dark_style = "native"
# Copies commands without prompts and without what they print.
copybutton_prompt_text = r"\$ |> |>>> |\.\.\. "
copybutton_prompt_is_regexp = True
copybutton_only_copy_prompt_lines = True
