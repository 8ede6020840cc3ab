// What does not change from report to report: its style, and a script that tells a test whether the page is
// whole. The page reads the same without the script.
#pragma once

namespace rumple {

inline constexpr const char* kReportStyle = R"css(
:root { color-scheme: light dark; --paper: #fff; --ink: #1d1e20; --soft: #5c5f66; --line: #d9dadd; --card: #f5f5f3;
  --good: #14692e; --bad: #a3230f; --open: #7a5200; --link: #0b57a4; }
@media (prefers-color-scheme: dark) { :root { --paper: #1c1d1f; --ink: #e9e9e6; --soft: #a9acb2; --line: #3a3c40;
  --card: #25272a; --good: #7fd696; --bad: #ff9d8a; --open: #f0c36b; --link: #8cc0ff; } }
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; }
body { margin: 0 auto; padding: 1.5rem 1rem 3rem; max-width: 66rem; background: var(--paper); color: var(--ink);
  font: 1rem/1.55 "Source Sans 3", "Segoe UI", Roboto, "Helvetica Neue", "DejaVu Sans", sans-serif; }
h1 { font-size: 1.9rem; line-height: 1.2; margin: 0 0 .4rem; }
h2 { font-size: 1.4rem; margin: 0; }
h3 { font-size: .85rem; letter-spacing: .04em; text-transform: uppercase; color: var(--soft); margin: 0 0 .3rem; }
p { margin: 0 0 .8rem; max-width: 46rem; }
a { color: var(--link); }
.lede { font-size: 1.1rem; }
.warning { border: 2px solid var(--open); border-radius: 6px; padding: .6rem .9rem; max-width: none; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .15rem 1rem; margin: 0 0 1.2rem; }
dt { color: var(--soft); } dd { margin: 0; overflow-wrap: anywhere; }
section { border-top: 1px solid var(--line); margin-top: 2.2rem; padding-top: 1.4rem; }
.summary { color: var(--soft); margin-bottom: 1rem; }
.sides { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(20rem, 100%), 1fr)); gap: 1rem; margin-bottom: 1.2rem; }
.sides > div { background: var(--card); border-radius: 8px; padding: .8rem 1rem; }
.sides p { margin: 0; }
.figures { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(28rem, 100%), 1fr)); gap: 1.2rem; margin: 1.2rem 0; }
figure { margin: 0; min-width: 0; }
figure.wide { grid-column: 1 / -1; }
figure img, figure video { display: block; max-width: 100%; height: auto; border-radius: 4px; background: #fff; }
figure svg { display: block; width: 100%; height: auto; }
figcaption { font-size: .9rem; color: var(--soft); margin-top: .4rem; }
.scroll { overflow-x: auto; -webkit-overflow-scrolling: touch; border: 1px solid var(--line); border-radius: 8px; }
table { border-collapse: collapse; width: 100%; font-size: .93rem; }
th, td { text-align: left; vertical-align: top; padding: .45rem .7rem; border-bottom: 1px solid var(--line); }
tbody tr:last-child td { border-bottom: 0; }
th { font-weight: 600; color: var(--soft); white-space: nowrap; }
td.number { white-space: nowrap; font-variant-numeric: tabular-nums; }
td.claim { min-width: 15rem; }
td small { display: block; color: var(--soft); }
.verdict { font-weight: 600; white-space: nowrap; }
.holds { color: var(--good); } .fails { color: var(--bad); } .open { color: var(--open); }
footer { margin-top: 2.5rem; border-top: 1px solid var(--line); padding-top: 1rem; color: var(--soft); font-size: .93rem; }
@media (max-width: 40rem) { figure.wide > div { overflow-x: auto; } figure.wide img { max-width: 40rem; }
  th { white-space: normal; } th, td { padding: .4rem .5rem; }
  table.claims thead { display: none; } table.claims tr { display: block; padding: .5rem .6rem; border-bottom: 1px solid var(--line); }
  table.claims tr:last-child { border-bottom: 0; } table.claims td { display: block; border: 0; padding: .05rem 0; min-width: 0; }
  table.claims td.number { display: inline-block; margin-right: 1rem; }
  td[data-name]::before { content: attr(data-name) " "; color: var(--soft); font-size: .85em; } }
@media print {
  :root { --paper: #fff; --ink: #000; --soft: #444; --line: #bbb; --card: #fff; --good: #14692e; --bad: #a3230f;
    --open: #7a5200; --link: #000; }
  body { max-width: none; padding: 0; font-size: 10pt; }
  .scroll { overflow: visible; }
  .sides > div { border: 1px solid var(--line); }
  figure, tr, .sides { break-inside: avoid; }
  h2, h3 { break-after: avoid; }
  figure.wide > div { overflow: visible; } figure.wide img { max-width: 100%; }
}
)css";

// Writes what happened onto <html>, where scripts/test_clients.py finds it: how many images and films there
// are and how many loaded, errors, and whether the page fits its window.
inline constexpr const char* kReportScript = R"js(
(function () {
  var root = document.documentElement, errors = 0;
  root.setAttribute("data-errors", "0");
  addEventListener("error", function (e) {
    errors += 1;
    root.setAttribute("data-errors", String(errors));
    root.setAttribute("data-last-error", e.message || "something did not load");
  }, true);
  addEventListener("load", function () {
    var images = Array.prototype.slice.call(document.images);
    var good = images.filter(function (i) { return i.complete && i.naturalWidth > 0; });
    var films = Array.prototype.slice.call(document.querySelectorAll("video"));
    root.setAttribute("data-films", String(films.length));
    root.setAttribute("data-films-loaded",
      String(films.filter(function (f) { return f.readyState >= 1 && f.videoWidth > 0; }).length));
    root.setAttribute("data-images", String(images.length));
    root.setAttribute("data-images-loaded", String(good.length));
    root.setAttribute("data-width", String(innerWidth));
    root.setAttribute("data-height", String(root.scrollHeight));
    root.setAttribute("data-overflow", String(Math.max(0, root.scrollWidth - root.clientWidth)));
  });
})();
)js";

}  // namespace rumple
