"""The documentation site: sources laid from the documents, the registry, the record and docstrings.

    python -m tools.site    # `make docs`: build/site/html

`places` says which document stands where; each other module lays one kind of page into a build
folder, which is never committed; Sphinx makes pages of it (`conf`, `extension`), `search` the index
and `links` looks at every link and anchor.  No page asks a network.
"""
