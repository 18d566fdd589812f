"""Chromium without a window, for tests of pages; they skip where there is none."""

import shutil
import subprocess

CHROME = next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None
)


def browse(address, profile, *options):
    """The document after the page has loaded, and what the browser logged."""
    return subprocess.run(
        [
            CHROME,
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-quic",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            f"--user-data-dir={profile}",
            *options,
            "--enable-logging=stderr",
            "--dump-dom",
            address,
        ],
        capture_output=True,
        text=True,
        timeout=600,
        check=True,
    )
