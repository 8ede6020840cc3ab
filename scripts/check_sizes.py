#!/usr/bin/env python3
"""Checks sizes: no function over 60 lines, no class with more than 20 data members, ContactSystem at most 200 lines.

A function is counted from the first line of its head to its closing brace. The files are laid out by clang-format,
but the reader below relies on braces and semicolons only, never on columns.
"""
import pathlib
import re
import sys

MAX_FUNCTION_LINES = 60
MAX_DATA_MEMBERS = 20
MAX_CONTACT_SYSTEM_LINES = 200
ROOT = pathlib.Path(__file__).resolve().parent.parent
FOLDERS = ["src", "apps", "experiments", "benchmarks"]
# Tables: one row a line, nothing to divide.
EXEMPT = set()


def blank_out(text: str) -> str:
    """The text with comments, strings, characters and preprocessor lines blanked, line breaks kept."""
    pattern = re.compile(
        r'//[^\n]*|/\*.*?\*/|R"(?P<tag>[^(\s]*)\(.*?\)(?P=tag)"|"(?:\\.|[^"\\\n])*"|(?<![0-9A-Fa-f])\'(?:\\.|[^\'\\\n])+\''
        r'|^[ \t]*#(?:[^\n\\]|\\\n|\\.)*',
        re.S | re.M,
    )

    def blank(match: re.Match) -> str:
        found = match.group(0)
        if found.startswith(("'", '"', "R")):
            return '""' + re.sub(r"[^\n]", " ", found[2:])
        return re.sub(r"[^\n]", " ", found)

    return pattern.sub(blank, text)


class Block:
    """What stands before a brace (head), and what the brace encloses."""

    def __init__(self, head: str, first: int, kind: str):
        self.head, self.first, self.kind = head, first, kind
        self.data = 0  # members, where this is a class
        self.last = first


CONTROL = re.compile(r"^(?:\}?\s*else\b.*|(?:if|for|while|switch|do|try|catch|case|default)\b.*)$", re.S)
CLASS = re.compile(r"\b(?:class|struct|union)\s+(?:\[\[.*?\]\]\s*|alignas\([^)]*\)\s*)?([A-Za-z_][\w:<>, ]*?)?\s*(?:final\s*)?(?::[^:].*)?$", re.S)


def kind_of(head: str, inside: str) -> str:
    head = head.strip()
    if re.search(r"\bnamespace\b[\w\s:]*$", head) or re.match(r'extern\s*""', head):
        return "namespace"
    if re.search(r"\benum\b", head) and "(" not in head:
        return "enum"
    plain = re.sub(r"^template\s*<(?:[^<>]|<[^<>]*>)*>\s*", "", head)
    if re.match(r"(?:typedef\s+)?(?:class|struct|union)\b", plain) and "(" not in re.sub(r"alignas\([^)]*\)", "", plain):
        return "class"
    if inside in ("function", "other"):
        return "other"  # a lambda or a loop belongs to the function around it
    if re.search(r"\)\s*(?:const|noexcept|override|final|mutable|&|&&|try|requires[^;]*|->[^;{}=]*|\s)*$", head):
        return "function"
    if re.search(r"\)\s*(?:noexcept\s*)?:[^:]", head):  # constructor with initialisers
        return "initialiser" if re.search(r"[\w>]\s*$", head) else "function"
    if re.search(r"\boperator\b", head):
        return "function"
    return "initialiser"  # T x{...}; or = {...};


def strip_angles(statement: str) -> str:
    before = None
    while before != statement:
        before, statement = statement, re.sub(r"<[^<>;{}]*>", "", statement)
    return statement


def count_members(statement: str) -> int:
    """Data members that one statement of a class declares."""
    text = re.sub(r"\b(?:public|private|protected)\s*:", "", statement).strip()
    text = re.sub(r"\[\[.*?\]\]", "", text).strip()
    if not text or re.match(r"(?:using|typedef|friend|static|template|enum|class|struct|union|explicit|virtual)\b", text):
        return 0
    text = strip_angles(text)
    text = re.sub(r"=\s*[^,;]*", "=", text) if "(" not in text else re.sub(r"=.*$", "=", text, flags=re.S)
    if "(" in text.split("=")[0]:
        return 0  # a function's declaration
    return 1 + text.count(",")


def blocks_of(text: str):
    """All blocks of a file, innermost first."""
    stack, done = [], []
    head_start, line, depth = None, 1, 0
    head = ""
    for c in text:
        if c == "\n":
            line += 1
        if c in "([":
            depth += 1
        elif c in ")]":
            depth -= 1
        inside = stack[-1][0].kind if stack else "namespace"
        if c == "{":
            kind = kind_of(head, inside) if depth == 0 or inside in ("function", "other") else "other"
            if depth > 0 and kind in ("function", "class", "namespace"):
                kind = "other"
            stack.append((Block(head.strip(), head_start or line, kind), head, head_start, depth))
            head, head_start, depth = "", None, 0
            continue
        if c == "}":
            if not stack:
                continue
            block, old_head, old_start, depth = stack.pop()
            block.last = line
            done.append(block)
            if block.kind in ("initialiser", "other"):
                head, head_start = old_head + "{}", old_start  # the statement continues
                if block.kind == "other" and depth == 0:
                    head, head_start = "", None
            elif block.kind == "class":
                head, head_start = "class_end", line
            else:
                head, head_start = "", None
            continue
        if c == ";" and depth == 0:
            if stack and stack[-1][0].kind == "class" and not head.startswith("class_end"):
                stack[-1][0].data += count_members(head)
            elif stack and stack[-1][0].kind == "class" and head[9:].strip():
                stack[-1][0].data += 1  # struct {...} name;
            head, head_start = "", None
            continue
        if c == ":" and re.match(r"^\s*(?:public|private|protected)\s*$", head):
            head, head_start = "", None
            continue
        if head_start is None and not c.isspace():
            head_start = line
        if head_start is not None:
            head += c
    return done


def name_of(head: str) -> str:
    plain = re.sub(r"^template\s*<(?:[^<>]|<[^<>]*>)*>\s*", "", head)
    match = re.search(r"((?:[A-Za-z_~][\w]*(?:<[^<>()]*>)?::)*(?:operator\S*|~?[A-Za-z_]\w*))\s*\(", plain)
    if match and not plain.startswith(("class", "struct", "union")):
        return match.group(1)
    match = re.match(r"(?:class|struct|union)\s+(?:alignas\([^)]*\)\s*)?([\w:]+)", plain)
    return match.group(1) if match else plain[:40]


def faults_in(path: pathlib.Path):
    name = path.relative_to(ROOT)
    for block in blocks_of(blank_out(path.read_text())):
        lines = block.last - block.first + 1
        what = name_of(block.head)
        if block.kind == "function" and lines > MAX_FUNCTION_LINES and (str(name), what) not in EXEMPT:
            yield f"{name}:{block.first}: {what} has {lines} lines, more than {MAX_FUNCTION_LINES}"
        if block.kind == "class" and block.data > MAX_DATA_MEMBERS:
            yield f"{name}:{block.first}: {what} has {block.data} data members, more than {MAX_DATA_MEMBERS}"


def contact_system_faults():
    files = sorted((ROOT / "src").rglob("contact_system*.?pp"))
    lines = sum(len(path.read_text().splitlines()) for path in files)
    if not files:
        yield "ContactSystem is not found: its files are named contact_system*"
    if lines > MAX_CONTACT_SYSTEM_LINES:
        yield f"ContactSystem has {lines} lines in {len(files)} files, more than {MAX_CONTACT_SYSTEM_LINES}"


def self_check() -> None:
    """The reader finds what it must find."""
    long_body = "    x += 1;\n" * 60
    sample = (
        "namespace a {\n// int f() {\n#define F {\nstruct Many {\n"
        + "".join(f"    std::map<int, int> m{i}{{}};\n" for i in range(10))
        + "".join(f"    int a{i} = 1, b{i}[2];\n" for i in range(5))
        + "    float last = g(1, 2);\n    static int none;\n    int method(int, int) const;\n    Many() = default;\n};\n"
        + "template <class T>\nint Some<T>::longer(int x) const {\n    auto l = [&] {\n" + long_body + "    };\n}\n"
        + "Made::Made(int x) : a_(x), b_{x} {\n" + long_body + "}\n}\n"
    )
    found = {(b.kind, name_of(b.head)): b for b in blocks_of(blank_out(sample)) if b.kind in ("class", "function")}
    assert found[("class", "Many")].data == 21, found[("class", "Many")].data
    longer = found[("function", "Some<T>::longer")]
    assert longer.last - longer.first + 1 == 65, (longer.first, longer.last)
    made = found[("function", "Made::Made")]
    assert made.last - made.first + 1 == 62, (made.first, made.last)


def main() -> int:
    self_check()
    faults = []
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*.?pp")):
            faults += faults_in(path)
    faults += contact_system_faults()
    print("\n".join(faults) if faults else "no function, no class is too large")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
