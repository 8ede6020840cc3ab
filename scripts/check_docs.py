#!/usr/bin/env python3
"""Checks README, CONTRIBUTING and docs/: links, anchors, commands of README, and how pages are written.

Exit status 1 and one line for each fault. `--only links` (or `commands`, `examples`, `style`) runs one part."""
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
MAX_LINE = 120
MAX_PAGE = 250
MAX_README = 120
MAX_PARAGRAPH = 6
# Turns of an older English, and words that leave the reader guessing. Each with what to write instead.
ARCHAIC = {
    r"came out otherwise": "differed",
    r"(is|are|was|were) told": "is reported",
    r"tells? (how|what|which|of|every|front)": "says, shows, reports",
    r"goes on|go on|went on|going on": "continues",
    r"anew|afresh": "again",
    r"thereof|therein|whence|hence|thus|whilst|upon|hitherto|thereby|wherein|ere|lest|albeit|amongst|unto|forthwith":
        "plain English",
    r"wished for": "target",
    r"strangers?": "third-party, users",
    r"to speak of|worth mention|by right|one might wish|for ever|as ever|at pains": "plain English",
    r"cried wolf": "false positives",
    r"is nowhere": "is not finite",
    r"rotten": "damaged",
    r"nothing but": "only",
    r"(takes?|took|taken) (it|them|what \w+) for": "treats as",
    r"shall|ought": "must, should",
    r"in turns": "alternately",
    r"who skips": "which skips",
    r"stands? in (`|the file)": "is in",
    r"a (step|frame|vertex|second|hinge|solve|seed|claim|variant) (?=[,.;|)]|\()": "per step",
}
# Notes keep the words of their time; generated pages those of the results and of --help.
EXEMPT_STYLE = ("docs/notes/", "docs/reference/")
PROSE_RULES = [(re.compile(rf"\b(?:{words})\b", re.IGNORECASE), instead) for words, instead in ARCHAIC.items()]


def pages():
    listed = subprocess.run(["git", "ls-files", "-co", "--exclude-standard", "*.md"], cwd=ROOT, capture_output=True,
                            text=True)
    names = listed.stdout.splitlines() if listed.returncode == 0 else [
        str(path.relative_to(ROOT)) for path in [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")]]
    return sorted(name for name in set(names) if ("/" not in name or name.startswith("docs/")) and (ROOT / name).exists())


def without_code(text):
    """The text with the contents of fenced blocks and inline code blanked, line numbers kept."""
    lines, fenced = [], False
    for line in text.splitlines():
        if line.lstrip().startswith("```"):
            fenced = not fenced
            lines.append("")
        else:
            lines.append("" if fenced else line)
    return lines


def slug(heading):
    """The anchor that GitHub, and the site, give a heading."""
    heading = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading)
    heading = re.sub(r"[`*]", "", heading).strip().lower()
    return re.sub(r"[^\w\- ]", "", heading).replace(" ", "-")


def anchors(text):
    found = {}
    for line in without_code(text):
        if match := re.match(r"#{1,6} +(.*?)\s*#*$", line):
            name = slug(match.group(1))
            count = found.get(name, 0)
            found[name] = count + 1
            if count:
                found[f"{name}-{count}"] = 1
        for identifier in re.findall(r"<a (?:id|name)=\"([^\"]+)\"", line):
            found[identifier] = 1
    return set(found)


LINK = re.compile(r"!?\[(?:[^\[\]]|\[[^\]]*\])*\]\(([^)\s]+)(?:\s+\"[^\"]*\")?\)|<(?:img|a)[^>]*?(?:src|href)=\"([^\"]+)\"")


def check_links(names):
    texts = {name: (ROOT / name).read_text() for name in names}
    for name in names:
        for number, line in enumerate(without_code(texts[name]), 1):
            for groups in LINK.findall(re.sub(r"`[^`]*`", lambda m: m.group().replace("(", "_"), line)):
                target = groups[0] or groups[1]
                if re.match(r"[a-z]+:", target):
                    continue
                path, _, anchor = target.partition("#")
                full = (ROOT / name).parent / path if path else ROOT / name
                if not full.exists():
                    yield f"{name}:{number}: link to '{target}': there is no such file"
                    continue
                if anchor and full.suffix == ".md" and anchor not in anchors(full.read_text()):
                    yield f"{name}:{number}: link to '{target}': the page has no such heading"
    nav = (ROOT / "mkdocs.yml").read_text().split("\nnav:", 1)[1]
    listed = re.findall(r"(\S+\.md)$", nav, re.MULTILINE)
    for name in names:
        if name.startswith("docs/") and name[5:] not in listed and not re.match(
                r"docs/(results/|reference/.*_[2-9][.]md)", name):
            yield f"mkdocs.yml: nav does not list {name}"


def code_blocks(text):
    block, language, number_of_start = None, "", 0
    for number, line in enumerate(text.splitlines(), 1):
        if line.lstrip().startswith("```"):
            if block is None:
                block, language, number_of_start = [], line.strip()[3:].strip(), number
            else:
                yield language, number_of_start, block
                block = None
        elif block is not None:
            block.append(line)


def commands(text):
    """(line, words) of every shell command of the blocks without a language or with `sh`, and of inline code."""
    for language, start, block in code_blocks(text):
        if language not in ("", "sh", "bash", "console"):
            continue
        whole, first = "", 0
        for offset, line in enumerate(block, 1):
            whole = whole + " " + line.strip() if whole else line.strip()
            first = first or start + offset
            if whole.endswith("\\"):
                whole = whole[:-1]
                continue
            words = re.sub(r"\s#.*", "", whole).split()
            if words:
                yield first, words
            whole, first = "", 0
    for number, line in enumerate(without_code(text), 1):
        for code in re.findall(r"`([^`]+)`", line):
            if re.match(r"(rumple|make) ", code):
                yield number, code.split()


def documented_options():
    """Subcommands and options, from the generated page."""
    text = "\n".join(path.read_text() for path in sorted((ROOT / "docs/reference").glob("command_line*.md")))
    options = {}
    for part in re.split(r"(?m)^## ", text)[1:]:
        name = part.split("\n", 1)[0].strip().strip("`").removeprefix("rumple").strip()
        options[name] = set(re.findall(r"(?<![\w-])(--?[A-Za-z][\w-]*)", part))
    return options


def check_commands(names):
    options = documented_options()
    targets = set()
    for line in (ROOT / "Makefile").read_text().splitlines():
        if match := re.match(r"([a-z][\w -]*):(?!=)", line):
            targets.update(match.group(1).split())
    for name in names:
        if name == "CHANGELOG.md":  # it also names what is gone
            continue
        for number, words in commands((ROOT / name).read_text()):
            program = words[0].removeprefix("./").removeprefix("build/")
            if program == "make":
                for word in words[1:]:
                    if re.fullmatch(r"[a-z][\w-]*", word) and word not in targets:
                        yield f"{name}:{number}: the Makefile has no target '{word}'"
            elif program == "rumple" and len(words) > 1:
                command = words[1]
                if command.startswith("-") or not re.fullmatch(r"[a-z][a-z-]*", command):
                    continue
                allowed = set().union(options[""], *[found for title, found in options.items()
                                                     if title.split(" ")[0] == command])
                if command not in options:
                    yield f"{name}:{number}: rumple has no command '{command}'"
                    continue
                for word in words[2:]:
                    option = word.split("=")[0].rstrip(",.;)`")
                    if re.fullmatch(r"--[a-z][\w-]*", option) and option not in allowed:
                        yield f"{name}:{number}: 'rumple {command}' has no option '{option}'"


def long_paragraphs(name, lines):
    length = first = 0
    for number, line in enumerate(without_code("\n".join(lines)) + [""], 1):
        item = re.match(r"\s*([-*]|\d+\.) ", line)
        if not line.strip() or line.startswith(("|", "#", "<")) or item:
            if length > MAX_PARAGRAPH:
                yield f"{name}:{first}: a paragraph of {length} lines; one has at most {MAX_PARAGRAPH}"
            length = 0
        if item or (line.strip() and not line.startswith(("|", "#", "<"))):
            length += 1
            first = first if length > 1 else number


def check_examples(_):
    """The tutorials show the programs that the tests compile and run."""
    program = (ROOT / "examples/hello.cpp").read_text()
    program = program[program.index("#include"):].strip()
    shown = [block for language, _, block in code_blocks((ROOT / "docs/tutorials/cpp.md").read_text()) if language == "cpp"]
    if "\n".join(shown[0]).strip() != program:
        yield "docs/tutorials/cpp.md: its program is not that of examples/hello.cpp"
    program = (ROOT / "python/examples/twist.py").read_text()
    program = program[program.index("import"):].strip()
    shown = [block for language, _, block in code_blocks((ROOT / "docs/tutorials/python.md").read_text())
             if language == "python"]
    if "\n".join(shown[0]).strip() != program:
        yield "docs/tutorials/python.md: its program is not that of python/examples/twist.py"


def check_style(names):
    for name in names:
        lines = (ROOT / name).read_text().splitlines()
        limit = MAX_README if name == "README.md" else MAX_PAGE
        if len(lines) > limit and not name.startswith("docs/results/") and name != "CHANGELOG.md":
            yield f"{name}: {len(lines)} lines; a page has at most {limit}"
        for number, line in enumerate(lines, 1):
            if len(line) > MAX_LINE:
                yield f"{name}:{number}: {len(line)} characters; a line has at most {MAX_LINE}"
        if name == "CHANGELOG.md":  # it quotes what is gone
            continue
        if not name.startswith("docs/reference/"):
            yield from long_paragraphs(name, lines)
        if name.startswith(EXEMPT_STYLE):
            continue
        for number, line in enumerate(without_code("\n".join(lines)), 1):
            line = re.sub(r"`[^`]*`", "", line)
            for pattern, instead in PROSE_RULES:
                if match := pattern.search(line):
                    yield f"{name}:{number}: '{match.group()}': {instead or 'plain English'}"


PARTS = {"links": check_links, "commands": check_commands, "examples": check_examples, "style": check_style}


def main():
    only = sys.argv[sys.argv.index("--only") + 1:] if "--only" in sys.argv else list(PARTS)
    names = pages()
    faults = [fault for part in only for fault in PARTS[part](names)]
    print("\n".join(faults) if faults else f"{len(names)} pages checked")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
