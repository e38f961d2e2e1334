"""The page of `tangram compare`, used in a browser: chosen, sorted, filtered, linked, in both themes,
narrow, with a hundred plans, from the keyboard, on paper. --pictures DIR keeps what it looked like.
"""

import json
import pathlib
import re
import shutil
import sys

from browser import Browser
from library import EVERYTHING, SPECTRUMS
from pipeline import Pipeline

GEMV = ["codelets/gemv.cpp", "--spectrum", "gemv<float>"]
SELECTED = "return document.querySelector('#table tr[aria-selected=true]').dataset.id"
SHOWN = "return document.querySelector('#plan-title .id').textContent"
ROWS = "return [...document.querySelectorAll('#table tbody tr')].map((row) => row.dataset.id)"
BACKGROUND = "return getComputedStyle(document.body).backgroundColor"


def more_arguments(parser):
    parser.add_argument("--library", action="store_true", help="use the pages of all spectrums")
    parser.add_argument("--pictures", type=pathlib.Path, help="folder for screenshots")


def page(test, name, *arguments):
    file = test.scratch / f"{name}.html"
    test.expect("tangram", "compare", *arguments, "-o", file)
    text = file.read_text()
    # Kernels that the page shows may say __builtin_prefetch(...).
    for outside in (r"\bsrc=", r"@import", r"\bfetch\(", r"\burl\("):
        test.equal(re.findall(outside, text), [], f"{name}: {outside}")
    return file


def keep(test, browser, name):
    if test.arguments.pictures:
        test.arguments.pictures.mkdir(parents=True, exist_ok=True)
        browser.picture(test.arguments.pictures / f"{name}.png")


def choosing(test, browser):
    ids = browser.run(ROWS)
    test.equal(len(set(ids)), len(ids), "each plan is listed once")
    test.equal(browser.run(SHOWN), ids[0], "the first plan is shown")
    browser.click(f"#table tr[data-id='{ids[2]}']")
    test.equal(browser.run(SHOWN), ids[2], "the plan that was clicked is shown")
    browser.run("document.querySelector('#table tr[aria-selected=true]').focus()")
    browser.press("up")
    browser.press("enter")
    test.equal(browser.run(SHOWN), ids[1], "the plan above, by keys")
    test.equal(browser.run(SELECTED), ids[1], "and its row is marked")
    browser.press("down")
    browser.press("d")
    test.equal(browser.run("return document.getElementById('other').value"), ids[2],
               "d compares with the row")
    test.equal(browser.run("return location.hash.includes(arguments[0])", ids[1]), True,
               "the address names the plan")


def sorting_and_filtering(test, browser):
    before = browser.run(ROWS)
    browser.click("#table thead th:nth-child(1) button")
    test.equal(browser.run(ROWS), sorted(before), "sorted by id")
    browser.click("#table thead th:nth-child(1) button")
    test.equal(browser.run(ROWS), sorted(before, reverse=True), "and the other way round")
    browser.click("#table thead th:nth-child(3) button")
    test.equal(browser.run(ROWS), before, "sorted by the time on the first machine")
    browser.write("#filter", "by_row")
    some = browser.run(ROWS)
    test.equal(0 < len(some) < len(before), True, f"a filter leaves some: {len(some)}")
    test.equal(browser.run("return document.getElementById('count').textContent"),
               f"{len(some)} of {len(before)}", "and says how many")
    browser.run("const f = document.getElementById('filter'); f.value = '';"
                "f.dispatchEvent(new Event('input'))")
    test.equal(browser.run(ROWS), before, "without it all are back")


def steps_and_code(test, browser):
    count = "return document.querySelectorAll(arguments[0]).length"
    buttons = browser.run(count, ".steps button")
    linked = 0
    for i in range(buttons):
        browser.run("document.querySelectorAll('.steps button')[arguments[0]].click()", i)
        linked += browser.run(count, ".code .on") > 0
        test.equal(browser.run(count, ".steps button.on"), 1, f"step {i} is held")
    test.equal(2 * linked >= buttons, True, f"{linked} of {buttons} steps have lines of code")
    test.equal(browser.run("return document.body.textContent.includes('[object')"), False,
               "everything is shown as text")
    test.equal(browser.run(count, ".picture .plan-part.on") > 0, True, "the picture is marked")
    browser.press("escape")
    test.equal(browser.run(count, ".on"), 0, "Escape lets go")
    browser.run("const line = [...document.querySelectorAll('.code .linked')].at(-1);"
                "line.scrollIntoView(); line.click()")
    test.equal(browser.run(count, ".steps button.on") > 0, True, "a line of code marks its steps")
    browser.press("escape")


def differences(test, browser):
    changed = "return document.querySelectorAll('#difference .code .' + arguments[0]).length"
    test.equal(browser.run(changed, "add") > 0, True, "lines are added")
    test.equal(browser.run(changed, "drop") > 0, True, "lines are taken away")
    shown, other = browser.run(SHOWN), browser.run("return document.getElementById('other').value")
    browser.click("#difference button")
    test.equal(browser.run(SHOWN), other, "swapped")
    test.equal(browser.run("return document.getElementById('other').value"), shown, "both")


def themes(test, browser):
    browser.emulate("light")
    light = browser.run(BACKGROUND)
    browser.emulate("dark")
    dark = browser.run(BACKGROUND)
    test.equal(light == dark, False, f"dark is not light: {dark}")
    keep(test, browser, "dark")
    browser.emulate("dark", "print")
    test.equal(browser.run(BACKGROUND), "rgb(255, 255, 255)", "paper is white")
    browser.emulate("dark")
    browser.run("document.activeElement.blur()")
    browser.press("t")
    test.equal(browser.run(BACKGROUND), light, "t switches to light")
    browser.press("t")
    test.equal(browser.run(BACKGROUND), dark, "and back")
    browser.run("const t = document.getElementById('theme'); t.value = '';"
                "t.dispatchEvent(new Event('change'))")
    browser.emulate("light")


def measured(test, browser, file):
    """The same page as if all its plans had been measured, 1.5 times as slow as predicted."""
    start, end = '<script type="application/json" id="data">', "</script>"
    head, rest = file.read_text().split(start, 1)
    text, tail = rest.split(end, 1)
    data = json.loads(text)
    for plan in data["plans"]:
        for cell in plan["on"]:
            cell["measured"] = [{"device": "a device", "extents": size["extents"], "tunables": {},
                                 "seconds": 1.5 * size["seconds"], "min": size["seconds"],
                                 "quartiles": [1.4 * size["seconds"], 1.7 * size["seconds"]],
                                 "repeat": 20}
                                for size in cell.get("sizes", []) if "seconds" in size]
    changed = test.scratch / "measured.html"
    changed.write_text(head + start + json.dumps(data).replace("</", "<\\/") + end + tail)
    browser.open(changed)
    ratio = browser.run("return [...document.querySelectorAll('.chart')].map((chart) => {"
                        "  const width = (kind) => chart.querySelector(`.${kind}-bar`)?.width.baseVal.value;"
                        "  return width('measured') / width('predicted'); }).filter((r) => r)")
    test.check(ratio and all(abs(each - 1.5) < 0.01 for each in ratio),
               f"bars of what was measured: {ratio}")
    test.equal(browser.run("return document.querySelectorAll('.track .real').length > 5"), True,
               "bars in the table")
    test.equal(browser.run("return document.querySelectorAll('.chart rect.real').length > 0"), True,
               "a point below the roof")
    keep(test, browser, "measured")


def fits(test, browser, what):
    over = browser.run("return document.documentElement.scrollWidth - innerWidth")
    test.equal(over <= 0, True, f"{what}: the page does not scroll sideways ({over} pixels)")


def use(test, browser, name, file):
    """Each plan of a page is chosen, each step held."""
    browser.open(file)
    for i in range(len(browser.run(ROWS))):
        browser.run("document.querySelectorAll('#table tbody tr')[arguments[0]].click();"
                    "for (const step of document.querySelectorAll('.steps button')) step.click()", i)
    fits(test, browser, name)
    test.equal(browser.complaints(), [], f"{name}: errors of the page")
    keep(test, browser, name)


def library(test, browser):
    for file, spectrum in SPECTRUMS:
        name = re.sub(r"\W+", "-", f"{file}-{spectrum}")
        use(test, browser, name, page(test, name, f"codelets/{file}.cpp", "--spectrum", spectrum,
                                      "--hw", "h200,cpu", "--limit", "3"))


def main():
    test = Pipeline(__doc__, more_arguments)
    if test.arguments.library:
        with Browser() as browser:
            browser.resize(1400, 900)
            library(test, browser)
        test.finish()
    few = page(test, "few", *GEMV, "--hw", "h200,k20c,cpu", "--limit", "3")
    many = page(test, "many", *GEMV, "--hw", "h200,k20c,c2050,gpu,simple-gpu" if EVERYTHING else "simple-gpu,k20c",
                "--limit", "100")
    with Browser() as browser:
        browser.resize(1400, 900)
        browser.open(few)
        keep(test, browser, "few")
        choosing(test, browser)
        sorting_and_filtering(test, browser)
        steps_and_code(test, browser)
        differences(test, browser)
        themes(test, browser)
        fits(test, browser, "wide")
        test.equal(browser.printed()[:5], b"%PDF-", "it prints")
        measured(test, browser, few)
        browser.resize(400, 800)
        fits(test, browser, "narrow")
        keep(test, browser, "narrow")
        browser.resize(1400, 900)
        browser.open(many)
        test.equal(len(browser.run(ROWS)) >= 100, True, "a hundred plans")
        steps_and_code(test, browser)
        fits(test, browser, "a hundred plans")
        keep(test, browser, "many")
        test.equal(browser.complaints(), [], "errors of the page")
    test.finish()


if __name__ == "__main__":
    if not shutil.which("chromium"):
        print("skipped: needs chromium")
        sys.exit(77)
    main()
