"""The installed Chromium, controlled by Playwright."""

import contextlib
import os
import shutil

from playwright.sync_api import sync_playwright


def program():
    names = ["chromium", "chromium-browser", "google-chrome"]
    found = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, names)), None)
    if not found:
        raise SystemExit("no Chromium is installed; name it with the environment variable CHROMIUM")
    return found


@contextlib.contextmanager
def chromium(*arguments):
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program(), args=["--no-sandbox", *arguments])
        yield browser
        browser.close()


def settle(page):
    """Waits until the scripts of a page have started and its fonts and frames are loaded."""
    page.wait_for_load_state("load")
    page.evaluate("() => document.fonts.ready.then(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 60))))")
