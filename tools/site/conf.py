"""How Sphinx makes the site; its sources are laid by `python -m tools.site`."""

from forgetproof import __version__
from tools.site.places import BUILD, ROOT
from verify.report.claim_body import SCRIPT, STYLE

TEMPLATES = ROOT / "verify" / "report" / "templates"

project, author, release = "forgetproof", "The forgetproof authors", __version__
copyright = "The forgetproof authors"
extensions = [
    "myst_nb",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "sphinx.ext.viewcode",
    "sphinx_design",
    "sphinx_copybutton",
    "tools.site.extension",
]
source_suffix = {".md": "myst-nb", ".ipynb": "myst-nb", ".rst": "restructuredtext"}
templates_path = ["templates"]
exclude_patterns = ["jupyter_execute"]

myst_enable_extensions = ["colon_fence", "attrs_inline", "dollarmath"]
myst_heading_anchors = 4
html_math_renderer = "fp_mathml"
nb_execution_mode = "cache"
nb_execution_timeout = 300
nb_execution_raise_on_error = True
nb_merge_streams = True

autodoc_typehints = "signature"
autodoc_member_order = "bysource"
autodoc_typehints_format = "short"
autodoc_preserve_defaults = True
napoleon_google_docstring = True
napoleon_numpy_docstring = False
napoleon_use_rtype = False
napoleon_use_ivar = False
napoleon_preprocess_types = False
copybutton_prompt_text = "$ "
copybutton_only_copy_prompt_lines = True
python_use_unqualified_type_names = True

nitpicky = True
# Types of other packages have no page here, and no page asks a network for theirs.
OTHERS = "numpy np scipy torch click pandas pyarrow sklearn hypothesis opacus pytest collections"
OTHERS += " pathlib typing fractions types enum datetime subprocess os random concurrent sympy"
nitpick_ignore_regex = [
    ("py:.*", rf"({'|'.join(OTHERS.split())})\..*"),
    ("py:.*", "ArrayLike|NDArray|SearchStrategy"),
    # Types that a module names for type checkers alone, and types with another name.
    ("py:.*", "Attained|AuditReport|Bounded|DeletionCost|HeldOutAccuracy|NearMinimiser|Step"),
    ("py:.*", "UnlearningTable"),
    # What Sphinx leaves of a type with brackets that it takes apart at commas.
    ("py:class", r"(tuple|list|dict)\[.*"),
]

html_theme = "pydata_sphinx_theme"
html_title = "forgetproof"
# Style and script of claim pages are those of the report.
html_static_path = ["static", *(str(TEMPLATES / name) for name in (STYLE, SCRIPT))]
# Pictures, which claim pages and the gallery share.
html_extra_path = [str(BUILD / "extra")]
html_css_files = [STYLE, "site.css"]
html_js_files = [
    (SCRIPT, {"defer": "defer"}),
    ("site.js", {"defer": "defer"}),
    ("search.js", {"defer": "defer"}),
]
html_show_sourcelink = False
html_copy_source = False
html_theme_options = {
    "show_toc_level": 2,
    "navigation_depth": 1,
    "show_nav_level": 1,
    "collapse_navigation": True,
    "show_prev_next": False,
    "search_bar_text": "Theorem 3.2, sglu.thm3.2, Rényi, σ",
    "navbar_align": "left",
    "footer_start": ["copyright"],
    "footer_end": [],
    "secondary_sidebar_items": {"**": ["page-toc"], "gallery/index": [], "search": []},
}
html_sidebars = {"**": ["sidebar-nav-bs"], "index": [], "gallery/index": [], "search": []}
