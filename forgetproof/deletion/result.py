"""A deletion as it is handed over: the document, and the files of a folder."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from forgetproof.deletion.facts import DeletionFacts
from forgetproof.deletion.page import html_page, markdown_page
from forgetproof.deletion.statement import MODEL, deletion_statement, model_text

DOCUMENT = "unlearning.json"
PAGES = ("deletion.md", "deletion.html")
SCRIPT = "forget.py"


@dataclass(frozen=True, eq=False)
class DeletionResult(DeletionFacts):
    """A model without some of its rows that may be released, with what there is to say of it."""

    def document(self) -> dict[str, Any]:
        """The certificate, `unlearning.json`: `forgetproof check` computes its number anew.

        Nothing of the rows is in it but their number; its subject is the text of `model.json`.
        """
        return deletion_statement(self).document

    def save(self, folder: str | Path, script: str | None = None) -> tuple[Path, ...]:
        """Write page, document and released model into a folder, which is made; return the paths.

        script: code that does the same, as `forget.py`.  Raises OSError where it cannot be written;
        then no file has changed.
        """
        place = Path(folder)
        place.mkdir(parents=True, exist_ok=True)
        for name in (*PAGES, DOCUMENT, MODEL, SCRIPT):
            if (place / name).is_dir():
                raise IsADirectoryError(f"{place / name} must be a file or nothing")
        texts = {
            PAGES[0]: markdown_page(self),
            PAGES[1]: html_page(self),
            DOCUMENT: deletion_statement(self).text().decode("ascii"),
            MODEL: model_text(self),
        }
        if script is not None:
            texts[SCRIPT] = script
        parts = {name: place / f"{name}.part" for name in texts}
        try:
            for name, text in texts.items():
                # One spelling of line breaks: the digest of the model is that of its bytes.
                parts[name].write_bytes(text.encode("utf-8"))
            # All are complete before the first has its name.
            for name, part in parts.items():
                part.replace(place / name)
        finally:
            for part in parts.values():
                part.unlink(missing_ok=True)
        return tuple(place / name for name in texts)
