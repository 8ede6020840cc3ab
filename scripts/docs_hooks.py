"""Hooks of mkdocs for the documentation site (mkdocs.yml).

Pages link to sources outside docs/ as GitHub shows them. The site has no sources, so each linked file is copied into it
as text, below source/. KaTeX comes from Debian's package, so that the site needs no network. The build fails if a link
of the site leads nowhere."""
import os
import pathlib
import re
import shutil
import urllib.parse

ROOT = pathlib.Path(__file__).resolve().parent.parent
KATEX = pathlib.Path("/usr/share/javascript/katex")
LINK = re.compile(r"(\]\()([^)#\s]+)((?:#[^)\s]*)?\))")

linked_sources = set()


def existing(nav):
    """The entries of `nav` whose pages are there."""
    kept = []
    for entry in nav:
        title, target = next(iter(entry.items()))
        if isinstance(target, list):
            if pages := existing(target):
                kept.append({title: pages})
        elif (ROOT / "docs" / target).exists():
            kept.append(entry)
    return kept


def on_config(config):
    config["nav"] = existing(config["nav"])
    return config


def on_page_markdown(markdown, page, config, files):
    folder = (ROOT / "docs" / page.file.src_path).parent
    if page.file.src_path == "contributing.md":  # the site shows the page that GitHub knows
        markdown = (ROOT / "CONTRIBUTING.md").read_text()
        markdown = re.sub(r"\]\((?!https?:|#)", "](../", markdown).replace("](../docs/", "](")

    def redirect(match):
        target = match.group(2)
        if ":" in target:
            return match.group(0)
        path = (folder / target).resolve()
        if path.is_relative_to(ROOT / "docs") or not path.is_file() or not path.is_relative_to(ROOT):
            return match.group(0)
        linked_sources.add(path)
        copy = "source/" + str(path.relative_to(ROOT)) + ".txt"
        up = os.path.relpath(copy, pathlib.PurePosixPath(page.file.src_path).parent)
        return match.group(1) + up + ")"

    return LINK.sub(redirect, markdown)


def on_post_build(config):
    site = pathlib.Path(config["site_dir"])
    for path in linked_sources:
        copy = site / "source" / (str(path.relative_to(ROOT)) + ".txt")
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, copy)
    if KATEX.is_dir():
        folder = site / "assets" / "katex"
        shutil.copytree(KATEX / "fonts", folder / "fonts", dirs_exist_ok=True)
        for name in ("katex.min.js", "katex.min.css"):
            shutil.copyfile(KATEX / name, folder / name)
    if faults := list(broken_links(site)):
        raise SystemExit("\n".join(faults))


def broken_links(site):
    identifiers = {page.resolve(): set(re.findall(r'id="([^"]+)"', page.read_text())) for page in site.rglob("*.html")}
    for page in site.rglob("*.html"):
        if page.name == "404.html":
            continue
        for link in re.findall(r'(?:href|src)="([^"]+)"', page.read_text()):
            path, _, anchor = urllib.parse.unquote(link).partition("#")
            if ":" in path or anchor.startswith("__"):
                continue
            target = (page.parent / path).resolve() if path else page.resolve()
            target = target / "index.html" if target.is_dir() else target
            if not target.exists():
                yield f"{page.relative_to(site)}: link to {link}: there is no such file in the site"
            elif anchor and target in identifiers and anchor not in identifiers[target]:
                yield f"{page.relative_to(site)}: link to {link}: there is no such anchor"
