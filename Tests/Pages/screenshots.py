"""The pictures of the documentation: script/screenshots has the description."""

import argparse

from PIL import Image

import browser
from mirror import ROOT, Mirror

FOLDER = ROOT / "docs" / "screenshots"
PAGES = ["01_counter", "03_todo", "05_components", "07_streams", "12_nested_lv", "15_todo_debug", "16_dashboard"]

CITY = (
    '{"s":["<Picker title=\\"City\\" selection=\\"a\\"><Text tag=\\"a\\">",'
    '"</Text><Text tag=\\"b\\">Rome</Text></Picker>"],"0":"Nice"}'
)


def views(mirror):
    """Feeds the recordings as the pages of one app. Returns their views by name."""
    found = {}
    for number, name in enumerate(PAGES):
        page = name.split("_", 1)[1].replace("_", "-")
        found[name] = mirror.feed(name, page, start=1_795_500_000_000 + number * 60_000)[0]
    return found


def pictures(mirror):
    """Name, address, width, height and colours."""
    found = views(mirror)
    todo, debug = found["03_todo"], found["15_todo_debug"]
    mirror.post("/views/city/rendered?dialect=native", CITY)
    for choice in ("Lyon", "Paris"):
        mirror.post("/views/city/diffs", '{"0":"' + choice + '"}')
    changed = mirror.get(f"/views/{todo}/log/9")["changes"][-1]["node"]
    return [
        ("index", "/", 1280, 800, "light"),
        ("story", f"/views/{todo}?version=10&show=both", 1440, 900, "light"),
        ("story-dark", f"/views/{todo}?version=10&show=both", 1440, 900, "dark"),
        ("newest", f"/views/{todo}", 1440, 900, "light"),
        ("past-version", f"/views/{debug}?version=9", 1440, 900, "light"),
        ("before-and-after", f"/views/{todo}?version=9&show=compare", 1440, 900, "light"),
        ("node", f"/views/{todo}?version=9&node={changed}", 1440, 900, "light"),
        ("subscribers", "/views/city?node=3", 1440, 900, "light"),
        ("steps", f"/views/{todo}?version=9&tab=steps&step=7", 1440, 900, "light"),
        ("cost", f"/views/{debug}?tab=cost", 1440, 900, "light"),
        ("narrow", f"/views/{todo}?version=9", 320, 900, "light"),
    ]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--only", default="", help="only the pictures whose names contain this text")
    options = parser.parse_args()
    FOLDER.mkdir(parents=True, exist_ok=True)
    with Mirror() as mirror, browser.chromium() as chromium:
        for name, path, width, height, scheme in pictures(mirror):
            if options.only not in name:
                continue
            context = chromium.new_context(
                viewport={"width": width, "height": height}, color_scheme=scheme, reduced_motion="reduce", timezone_id="UTC")
            page = context.new_page()
            page.goto(mirror.address + path)
            browser.settle(page)
            # The stream of events connects, and the header says so.
            page.wait_for_timeout(500)
            file = FOLDER / f"{name}.png"
            page.screenshot(path=file)
            context.close()
            # 256 colours are enough for a page of text.
            Image.open(file).convert("RGB").quantize(256, dither=Image.Dither.NONE).save(file, optimize=True)
            size = file.stat().st_size
            print(f"{file.relative_to(ROOT)}: {size:,} B")
            if size > 200_000:
                raise SystemExit(f"{name} has more than 200 kB")


if __name__ == "__main__":
    main()
