// Formulas of ```math blocks. KaTeX is copied from Debian's libjs-katex when the site is built.
document.addEventListener("DOMContentLoaded", function () {
  document.querySelectorAll(".arithmatex").forEach(function (element) {
    const text = element.textContent.trim().replace(/^\\\[/, "").replace(/\\\]$/, "");
    if (window.katex) katex.render(text, element, {displayMode: true, throwOnError: false});
  });
});
