#!/usr/bin/env python3
"""Opens a report in headless Chromium, as a desktop and as a phone see it, light, dark and printed.

Fails when an image does not load, when the console says something, when a script fails, or when the page is wider than
the window. Leaves screenshots and a PDF. First it breaks a copy of the page, to be sure that faults are noticed.
Usage: test_clients.py REPORT.html FOLDER
"""
import pathlib
import re
import shutil
import struct
import subprocess
import sys
import tempfile

FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
         "--disable-component-update", "--disable-sync", "--hide-scrollbars", "--enable-logging=stderr",
         "--virtual-time-budget=20000", "--allow-file-access-from-files"]
DARK = "--blink-settings=preferredColorScheme=0"
CLIENTS = [("desktop", 1280, []), ("phone", 390, []), ("desktop-dark", 1280, [DARK]), ("phone-dark", 390, [DARK])]
TALLEST = 16000  # pixels of a screenshot
NARROWEST = 500  # Chromium's windows are no narrower: a phone is a frame of its width inside of one
FRAME = """<!DOCTYPE html><html><body style="margin:0;background:#888"><iframe id="f" src="{uri}" style="border:0;display:block;
width:{width}px;height:{height}px"></iframe><script>addEventListener("load", function () {{
var from = document.getElementById("f").contentDocument.documentElement;
Array.prototype.forEach.call(from.attributes, function (a) {{ document.documentElement.setAttribute(a.name, a.value); }});
}});</script></body></html>"""


def chromium(page, *options):
    with tempfile.TemporaryDirectory() as profile:
        command = [shutil.which("chromium"), *FLAGS, f"--user-data-dir={profile}", *options, page.resolve().as_uri()]
        return subprocess.run(command, capture_output=True, text=True, timeout=240, check=False)


def visit(page, folder, width, height, *options):
    """Opens the page in a viewport of this size."""
    window = f"--window-size={max(width, NARROWEST)},{height}"
    if width >= NARROWEST:
        return chromium(page, window, *options)
    frame = folder / "frame.html"
    frame.write_text(FRAME.format(uri=page.resolve().as_uri(), width=width, height=height), encoding="utf-8")
    result = chromium(frame, window, *options)
    frame.unlink()
    return result


def look_at(page, folder, width, options):
    """What is wrong with the page in a viewport of this width, and how tall it is."""
    result = visit(page, folder, width, 900, "--dump-dom", *options)
    root = re.search(r"<html[^>]*>", result.stdout)
    facts = dict(re.findall(r'data-([a-z-]+)="([^"]*)"', root.group(0))) if root else {}
    faults = [f"console: {line}" for line in result.stderr.splitlines() if "CONSOLE" in line]
    if "images" not in facts:
        return faults + ["the page did not finish loading"], 0, facts
    if facts["images"] == "0":
        faults.append("there is no image")
    if facts["images"] != facts["images-loaded"]:
        faults.append(f"{facts['images-loaded']} of {facts['images']} images loaded")
    if facts["films"] != facts["films-loaded"]:
        faults.append(f"{facts['films-loaded']} of {facts['films']} films loaded")
    if facts["errors"] != "0":
        faults.append(f"{facts['errors']} errors, the last: {facts.get('last-error')}")
    if int(facts["width"]) != width:
        faults.append(f"the window is {facts['width']} pixels wide, not {width}")
    if facts["overflow"] != "0":
        faults.append(f"the page is {facts['overflow']} pixels wider than the window")
    return faults, int(facts["height"]), facts


def png_size(path):
    return struct.unpack(">II", path.read_bytes()[16:24])


def check_the_check(report, folder):
    """A page with a broken image, an error and something too wide must not pass."""
    broken = folder / "broken.html"
    text = report.read_text(encoding="utf-8")
    broken.write_text(text.replace("</main>", '<img alt="" src="data:image/png;base64,AAAA"><div style="width:3000px">wide'
                                   "</div><script>console.error('said'); undefined_function()</script></main>"),
                      encoding="utf-8")
    missed = set()
    for width in (1280, 390):
        faults = " ".join(look_at(broken, folder, width, [])[0])
        missed |= {word for word in ("console", "images loaded", "errors", "wider") if word not in faults}
    broken.unlink()
    return [f"a broken page was not noticed ({', '.join(sorted(missed))})"] if missed else []


def main():
    report, folder = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    faults = check_the_check(report, folder)
    for name, width, options in CLIENTS:
        found, height, facts = look_at(report, folder, width, options)
        picture = folder / f"{name}.png"
        picture.unlink(missing_ok=True)
        visit(report, folder, width, max(900, min(height, TALLEST)), f"--screenshot={picture.resolve()}", *options)
        if not picture.exists():
            found.append("no screenshot")
        elif png_size(picture)[0] != max(width, NARROWEST):
            found.append(f"the screenshot is {png_size(picture)[0]} pixels wide, not {width}")
        print(f"{name}: {width} x {height}, {facts.get('images')} images, {facts.get('films')} films, {'; '.join(found) or 'all well'}: {picture}")
        faults += [f"{name}: {fault}" for fault in found]
    pdf = folder / "print.pdf"
    pdf.unlink(missing_ok=True)
    chromium(report, f"--print-to-pdf={pdf.resolve()}", "--no-pdf-header-footer")
    if not pdf.exists() or pdf.stat().st_size < 10000:
        faults.append("printing gave nothing")
    else:
        print(f"print: {pdf}")
    for fault in faults:
        print(f"fault: {fault}", file=sys.stderr)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
