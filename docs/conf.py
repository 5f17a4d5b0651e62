# SPDX-License-Identifier: BSD-3-Clause
"""Settings of the guide."""

project = "Caucus"
author = "the Caucus authors"
copyright = author
version = release = "0.1.0"

extensions = ["myst_parser"]
source_suffix = {".md": "markdown"}
exclude_patterns = ["_build"]
myst_enable_extensions = ["colon_fence", "dollarmath"]
myst_heading_anchors = 3
# Links to files of the tree are for readers of the repository.
suppress_warnings = ["myst.xref_missing"]

html_theme = "alabaster"
html_theme_options = {"page_width": "1280px", "body_max_width": "1040px"}
html_static_path = ["_static"]
html_css_files = ["tables.css"]
html_js_files = ["tables.js"]
html_title = "Caucus"
