#!/usr/bin/env python3
"""The table of docs/experiments.md: every item of the paper with the verdict of the committed results.

Items are in experiments/paper_items.json, results in docs/results/<size>/<experiment>.json. scripts/make_docs_pages.py
writes the table; as a program this prints what is missing from it and exits with 1 if something is:

    paper_table.py          each figure and table of the paper has rows, each committed claim is in one, refuted rows say why
"""
import json
import math
import pathlib
import re
import sys
import textwrap

ROOT = pathlib.Path(__file__).resolve().parent.parent
FIGURES, TABLES = range(1, 25), range(1, 4)  # of the paper, in the order of its source, supplement included
WIDTH = 120
# The 0.975 quantile of Student's t by degrees of freedom.
T = {1: 12.706, 2: 4.303, 3: 3.182, 4: 2.776, 5: 2.571, 6: 2.447, 7: 2.365, 8: 2.306, 9: 2.262}
SIGNS = {">=": "≥", "<=": "≤", "within": "1 ±"}


def items():
    return json.loads((ROOT / "experiments/paper_items.json").read_text())


def results():
    """By experiment and size."""
    return {(path.stem, size): json.loads(path.read_text()) for size in ("paper", "draft")
            for path in sorted((ROOT / "docs/results" / size).glob("*.json"))}


def judged(claim):
    """Verdict and interval; results of older versions, judged by two standard errors, are judged again from their values."""
    values = claim["values"]
    if len(values) < 2:
        return "one run", None
    if "interval" in claim:
        return claim["verdict"].replace(" by the noise", ""), claim["interval"]
    if any(isinstance(value, str) for value in values):
        return "not decided", None
    ratio = "ratio" in claim["quantity"] and min(values) > 0
    scaled = [math.log(v) for v in values] if ratio else values
    mean = sum(scaled) / len(scaled)
    error = math.sqrt(sum((v - mean) ** 2 for v in scaled) / (len(scaled) - 1) / len(scaled))
    half = T.get(len(scaled) - 1, 2.0) * error
    low, high = (math.exp(end) if ratio else end for end in (mean - half, mean + half))
    bound, relation = claim["bound"], claim["relation"]
    least = bound if relation == ">=" else 1 - bound if relation == "within" else -math.inf
    most = bound if relation == "<=" else 1 + bound if relation == "within" else math.inf
    holds, fails = low >= least and high <= most, high < least or low > most
    return "holds" if holds else "does not hold" if fails else "not decided", [low, high]


def claims_of(item, result):
    return [claim for claim in result["claims"] if claim["claim"].startswith(tuple(item["claims"]))]


def row_of(item, found):
    """Verdict of an item, size, the claims, the one that decides, and the result. Paper size counts before draft, which
    does not count where its mesh does not predict (`convergence`)."""
    for size in ("paper",) if item.get("draft") is False else ("paper", "draft"):
        result = found.get((item["experiment"], size))
        claims = claims_of(item, result) if result else []
        if not claims:
            continue
        for verdict, word in (("does not hold", "refuted"), ("not decided", "undecided"), ("one run", "undecided"),
                              ("holds", "shown")):
            some = [claim for claim in claims if judged(claim)[0] == verdict]
            if some:
                return word, size, claims, some[0], result
    return "not run" if item["claims"] else "not judged", "", [], None, None


def number(value, digits=3):
    if isinstance(value, str):
        return "∞" if value == "inf" else value
    if value == 0:
        return "0"
    return f"{value:.0f}" if 1e3 <= abs(value) < 1e5 else f"{value:.{digits}g}"


def newest_stamp(found):
    dated = [(result.get("finished", ""), result["source"]) for result in found.values() if "source" in result]
    return max(dated)[1] if dated else ""


def table_lines(found):
    newest = newest_stamp(found)
    yield "| paper | verdict | of claims | size | seeds | decides: mean, 95 %, bound | sources |"
    yield "|---|---|---|---|---|---|---|"
    for figure in items():
        about = f", see figure {figure['like']}" if "like" in figure else ""
        name = "" if figure["figure"] in ("ours",) or figure["figure"].startswith("text") else "fig. "
        name = "" if figure["figure"].startswith("table") else name
        yield f"| **{name}{figure['figure']}: {figure['title']}**{about} | | | | | | |"
        for item in figure.get("items", []):
            verdict, size, claims, claim, result = row_of(item, found)
            cells = ["", "", "", "", ""]
            if claim:
                interval = judged(claim)[1]
                stamp = result.get("source", "")
                digits = 2 if interval and len(item["item"]) > 40 else 3
                spread = f" [{number(interval[0], digits)}, {number(interval[1], digits)}]" if interval else ""
                cells = [f"{sum(judged(c)[0] == 'holds' for c in claims)} of {len(claims)}", size,
                         str(len(claim["values"])),
                         f"{number(claim['mean'])}{spread} {SIGNS[claim['relation']]} {number(claim['bound'])}",
                         (stamp[:6] if stamp else "none") + ("" if stamp == newest else " †")]
            yield f"| {item['item']} | {verdict} | " + " | ".join(cells) + " |"


def predictions(found):
    """Experiment by experiment: which draft verdicts paper size confirms, of the claims that both decide."""
    decided = ("holds", "does not hold")
    for (name, size), result in found.items():
        draft = found.get((name, "draft"))
        if size != "paper" or not draft:
            continue
        verdicts = {claim["claim"]: judged(claim)[0] for claim in draft["claims"]}
        both = [claim for claim in result["claims"]
                if verdicts.get(claim["claim"]) in decided and judged(claim)[0] in decided]
        other = [claim for claim in both if judged(claim)[0] != verdicts[claim["claim"]]]
        if both:
            yield f"`{name}`: {len(both) - len(other)} of {len(both)}" + (
                f"; not: {'; '.join(claim['claim'] for claim in other)}" if other else "")


def intersection_lines(found):
    """Of paper-size runs with contact."""
    counted = {name: result["intersections"] for (name, size), result in sorted(found.items())
               if size == "paper" and "intersections" in result}
    if not counted:
        return
    pairs = sum(of["cloth"] + of["obstacles"] for of in counted.values())
    yield (f"Intersecting pairs of triangles, counted by `rumple measure --intersections` in every frame of every run with "
           f"contact at paper size: {pairs} in {sum(of['frames'] for of in counted.values())} frames of "
           f"{sum(of['runs'] for of in counted.values())} runs ({', '.join(f'`{name}`' for name in counted)}).")


def generated():
    found = results()
    rows = [row_of(item, found) for figure in items() for item in figure.get("items", [])]
    decided = [judged(claim)[0] in ("holds", "does not hold") for (_, size), result in found.items() if size == "paper"
               for claim in result["claims"]]
    counts = {word: sum(row[0] == word for row in rows) for word in ("shown", "refuted", "undecided", "not run", "not judged")}
    at_paper = sum(row[1] == "paper" for row in rows)

    def wrapped(text, first="", rest=""):
        return textwrap.fill(text, WIDTH, initial_indent=first, subsequent_indent=rest, break_long_words=False,
                             break_on_hyphens=False)

    lines = [wrapped(
        f"{len(rows)} rows: " + ", ".join(f"{count} {word}" for word, count in counts.items()) +
        f"; {at_paper} at paper size. Of the {len(decided)} claims judged at paper size {sum(decided)} are decided. Where there is no result of paper size, that of draft size counts, but for "
        "`crumple`, whose draft mesh does not predict (`convergence`). A row is shown if "
        "all of its claims hold, refuted if one does not; not judged: no claim says it yet. The claim that decides is "
        "given with its mean, interval and bound. *Sources* is the hash of the simulation's sources that measured it; † differs from that of the newest "
        f"result, {newest_stamp(found)[:6]}."), "", *table_lines(found), ""]
    refuted = [(item, row) for figure in items() for item, row in
               ((item, row_of(item, found)) for item in figure.get("items", [])) if row[0] == "refuted"]
    if refuted:
        lines += ["Why rows are refuted:", ""]
        lines += [wrapped(f"- *{item['item']}*: {item.get('why', '')}", rest="  ") for item, _ in refuted] + [""]
    lines += [line for text in intersection_lines(found) for line in (wrapped(text), "")]
    predicted = list(predictions(found))
    if predicted:
        said = "; ".join(predicted)
        lines += [wrapped(f"Draft verdicts that paper size confirms, of the claims that both decide: {said}."), ""]
    return "\n".join(lines)


def numbers_in(text):
    """Of "3, 17 to 20": 3, 17, 18, 19, 20."""
    found = set()
    for first, last in re.findall(r"(\d+)(?: to (\d+))?", text):
        found.update(range(int(first), int(last or first) + 1))
    return found


def faults():
    listed, found = items(), results()
    figures = set().union(*(numbers_in(f["figure"]) for f in listed if f["figure"][0].isdigit()))
    tables = set().union(*(numbers_in(f["figure"]) for f in listed if f["figure"].startswith("table")))
    yield from (f"figure {n} of the paper has no entry" for n in FIGURES if n not in figures)
    yield from (f"table {n} of the paper has no entry" for n in TABLES if n not in tables)
    page = (ROOT / "docs/experiments.md").read_text()
    every = [item for figure in listed for item in figure.get("items", [])]
    for item in every:
        if f"| {item['item']} | " not in page:
            yield f"docs/experiments.md has no row '{item['item']}'"
        if row_of(item, found)[0] == "refuted" and not item.get("why"):
            yield f"'{item['item']}' ({item['experiment']}) is refuted: say why in experiments/paper_items.json"
    for (name, size), result in found.items():
        if result.get("version") == "0.1.0":  # statements have changed since
            continue
        for claim in result["claims"]:
            of = [item for item in every if item["experiment"] == name and claim["claim"].startswith(tuple(item["claims"]))]
            if len(of) != 1:
                yield f"{name}, {size}: the claim '{claim['claim']}' is in {len(of)} rows"


def main():
    found = list(faults())
    print("\n".join(found) if found else f"{sum(len(f.get('items', [])) for f in items())} rows checked")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
