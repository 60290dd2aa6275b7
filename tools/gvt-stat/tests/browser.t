#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""The page of gvt-stat export in a real browser: what it computes, wheel, drag and keys, narrow, dark
and on paper, its speed."""
import json
import lzma
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "views"))

import browser  # noqa: E402
import environment  # noqa: E402,F401: what the tests run
import paper  # noqa: E402
import told  # noqa: E402
from page import Page  # noqa: E402

count = failed = 0


def result(good, name, *why):
    global count, failed
    count += 1
    failed += not good
    print(f"{'ok' if good else 'not ok'} {count} - {name}", flush=True)
    for line in why if not good else ():
        print(f"# {line}")


def skip(name, why):
    global count
    count += 1
    print(f"ok {count} - {name} # SKIP {why}", flush=True)


def equal(name, expected, got):
    result(expected == got, name, f"expected: {expected}", f"got:      {got}")


def near(name, expected, got, by):
    result(all(abs(a - b) <= by for a, b in zip(expected, got)), name,
           f"expected: {expected}, give or take {by}", f"got:      {got}")


# F(x) against the plain sum over all intervals, in 1000 random windows
EXACT = """(() => {
    const { engines, busy, doc } = window.gvt;
    let seed = 1, worst = 0;
    const chance = () => (seed = seed * 48271 % 2147483647) / 2147483647;
    for (let nr = 0; nr < 1000; nr++) {
        const a = Math.floor(chance() * doc.window_ns), b = Math.floor(chance() * doc.window_ns);
        const [from, to] = [Math.min(a, b), Math.max(a, b)];
        for (const { parts } of engines)
            for (const { part } of parts) {
                let sum = 0;
                for (let k = 0; k < part.s.length; k++)
                    sum += Math.max(Math.min(part.e[k], to) - Math.max(part.s[k], from), 0);
                worst = Math.max(worst, Math.abs(sum - (busy(part, to) - busy(part, from))));
            }
    }
    return worst;
})()"""

BUSY = """window.gvt.engines.flatMap(e => e.parts.map(p =>
    [e.dev, p.vgpu.id, e.name, window.gvt.busy(p.part, window.gvt.doc.window_ns)]))"""

# of each counter: [GPU, vGPU, engine], and its samples' times and values
LEFT = """window.gvt.doc.counters.filter(c => c.count).map(c =>
    [[c.dev, window.gvt.vgpus[c.vgpu].id, c.engine ?? ''], [...c.at], [...c.value]])"""

# (vGPU and engine, column, text, title)
MATRIX = """(() => { const [head, ...lines] = document.querySelectorAll('#blame tr');
    return lines.flatMap(line => [...line.cells].flatMap((cell, nr) => !cell.matches('.cell') ? [] :
        [[line.cells[0].textContent, head.cells[nr].textContent, cell.textContent, cell.title]])); })()"""
UNITS = {"ns": 1, "\u00b5s": 10**3, "ms": 10**6, "s": 10**9}
# as the page calls them
REASONS = {"unknown": "unknown", "throttled": "no slice left", "capped": "cap reached", "switching": "switch",
           "held": "held", "own": "own turn", "preempted": "preempted", "other": "other"}

BOX = """(() => { document.querySelector('#timeline').scrollIntoView();
    const b = document.querySelector('#canvas').getBoundingClientRect();
    return [b.left, b.top, window.gvt.GUTTER, window.gvt.plotWidth()]; })()"""


def state(page):
    """The window in the address."""
    match = re.match(r"#t=(\d+),(\d+)", page.evaluate("location.hash"))
    return [int(match[1]), int(match[2])] if match else None


def matrix(page):
    """(ns as far as three digits tell, waits) by (vGPU, engine, column)."""
    found = {}
    for row, column, text, title in page.evaluate(MATRIX):
        number, unit = text.split()[:2]
        vgpu, engine = re.match(r"(vGPU \d+).* \u00b7 (\w+)$", row).groups()
        found[vgpu, engine, column] = (float(number) * UNITS[unit], int(title.split()[0]))
    return found


def told_matrix(trace):
    """The same of blame."""
    found = {}
    for (_, vgpu, engine, reason, culprit), (ns, waits, _) in told.waits(trace).items():
        column = REASONS[reason] if culprit is None else \
            {"other": "for", "held": "held for", "preempted": "preempted by"}[reason] + f" vGPU {culprit}"
        found[f"vGPU {vgpu}", engine, column] = (ns, waits)
    return found


def check_numbers(page, path, trace):
    page.open(path)
    equal(f"{trace}: no request but for the page itself", [f"file://{path}"],
          [url for url in page.requests() if url != "about:blank"])
    equal(f"{trace}: the program complains of nothing", [], page.faults())
    equal(f"{trace}: F is exact in 1000 windows", 0, page.evaluate(EXACT))
    executed = {key: least for key, (least, _) in told.executed(trace_of(trace)).items()}
    equal(f"{trace}: executed as report says", executed,
          {tuple(row[:3]): row[3] for row in page.evaluate(BUSY)})
    left = {tuple(key): list(zip(at, value)) for key, at, value in page.evaluate(LEFT)}
    equal(f"{trace}: slices as the page's own text has them", Page(path).left(0), left)
    cells = matrix(page)
    told_cells = told_matrix(trace_of(trace))
    equal(f"{trace}: a cell of the matrix for each of blame's", sorted(told_cells), sorted(cells))
    equal(f"{trace}: with its time and its number of waits", {}, {
        key: (cells[key], wanted) for key, wanted in told_cells.items()
        if key in cells and not (abs(cells[key][0] - wanted[0]) <= wanted[0] / 200 + 1 and cells[key][1] == wanted[1])})


def check_pointer(page, path):
    page.open(path)
    left, top, gutter, width = page.evaluate(BOX)
    length = page.evaluate("window.gvt.doc.window_ns")
    x, y = left + gutter + round(width / 4), top + 40
    about = length * round(width / 4) / width
    pixel = length / width
    page.mouse("mouseWheel", x, y, deltaX=0, deltaY=-200)
    page.frame()
    import math
    factor = math.exp(-200 * 0.0018)
    near("wheel: zooms about the pointer", [about - about * factor, about + (length - about) * factor],
         state(page), pixel)
    before = state(page)
    page.mouse("mousePressed", x, y, button="left", clickCount=1)
    page.mouse("mouseMoved", x - 50, y, button="left", buttons=1)
    page.mouse("mouseMoved", x - 100, y, button="left", buttons=1)
    page.mouse("mouseReleased", x - 100, y, button="left", clickCount=1)
    page.frame()
    by = (before[1] - before[0]) * 100 / width
    near("drag: moves with the pointer", [before[0] + by, before[1] + by], state(page),
         (before[1] - before[0]) / width)
    for _ in range(2):
        page.mouse("mousePressed", x, y, button="left", clickCount=_ + 1)
        page.mouse("mouseReleased", x, y, button="left", clickCount=_ + 1)
    page.frame()
    equal("double click: the whole trace", [0, length], state(page))


def check_keys(page, path):
    page.open(path)
    length = page.evaluate("window.gvt.doc.window_ns")
    page.key("w")
    inner = state(page)
    near("w zooms in", [length * 0.15, length * 0.85], inner, 2)
    page.key("d")
    near("d goes on", [x + (inner[1] - inner[0]) * 0.2 for x in inner], state(page), 0.1 * length)
    page.key("a")
    page.key("s")
    near("a and s take it back", [0, length], state(page), 0.1 * length)
    page.key("0")
    page.key("n")
    worst = page.evaluate("window.gvt.doc.worst[0]")
    start = page.evaluate("window.gvt.doc.window_start_ns")
    shown = state(page)
    result(shown[0] <= worst["at_ns"] - start and worst["at_ns"] + worst["wait_ns"] - start <= shown[1] and
           shown[1] - shown[0] < 4 * worst["wait_ns"] + 10000, "n shows the longest wait", f"{shown}, {worst}")
    chosen = page.evaluate("window.gvt.chosen()?.w.id")
    result(chosen is not None, "and chooses a workload that waited")
    tiled = page.evaluate("(() => { const c = window.gvt.chosen(), way = window.gvt.wayOf(c);"
                          "return [way[0].s === c.w.from, way.at(-1).e === c.w.to,"
                          "way.every((p, k) => !k || p.s === way[k - 1].e)]; })()")
    equal("its way has no hole", [True, True, True], tiled)
    address = page.evaluate("location.hash")
    page.key(",")
    result(page.evaluate("window.gvt.chosen().w.id") != chosen, ", goes to the workload before")
    page.key(".")
    equal(". goes to the next one", chosen, page.evaluate("window.gvt.chosen().w.id"))
    page.open(path, address)
    equal("the address shows the same again", [shown, chosen],
          [state(page), page.evaluate("window.gvt.chosen()?.w.id")])
    page.key("?")
    result(page.evaluate("document.querySelector('#help').open"), "? shows the keys")
    page.key("Escape")
    page.evaluate("document.querySelector('#help').close()")
    page.key("/")
    equal("/ is for finding", "find", page.evaluate("document.activeElement.id"))
    for letter in str(chosen):
        page.call("Input.insertText", text=letter)
    page.key("Enter")
    equal("a workload is found by its id", chosen, page.evaluate("window.gvt.chosen()?.w.id"))
    page.key("t")
    result(page.evaluate("document.documentElement.dataset.theme") in ("dark", "light"),
           "t changes the colours")
    page.open(path, "#t=1000000,1000001&w=-1:99999999999999999999&e=-7,99,x")
    texts = page.evaluate("[document.querySelector('#range').innerText, window.gvt.chosen()]")
    equal("the address of 1 ns, with what there is not", ["0.001000000 s to 0.001000001 s (1 ns)", None], texts)
    for garbage in ("#t=%%%,abc", "#t=9e999,NaN&w=", "#t=5,1", "#&&==%00"):
        page.open(path, garbage)
        equal(f"{garbage} is an address of the whole trace", [[0, length], []], [state(page), page.faults()])


HATCHED = """(() => { const c = document.querySelector('#canvas'), g = c.getContext('2d');
    const d = g.getImageData(0, 0, c.width, c.height).data;
    let n = 0;
    for (let i = 0; i < d.length; i += 4)
        n += d[i] - d[i + 1] > 60 && d[i + 1] - d[i + 2] > 30;
    return n; })()"""


def wait_for(page, condition):
    deadline = time.monotonic() + browser.PATIENCE_S
    while not page.evaluate(condition):
        if time.monotonic() > deadline:
            raise TimeoutError(f"{condition}: {page.faults()}")
        time.sleep(0.05)


# all that the keyboard is to reach, and what the next Tab leads to: its number there, and whether that is seen
REACHED = """(() => { const all = [...document.querySelectorAll('button, input, a[href], [tabindex]')].filter(e => e.checkVisibility());
    const style = getComputedStyle(document.activeElement);
    return [all.length, all.indexOf(document.activeElement), style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 1]; })()"""


def check_tabs(page, path):
    """The keyboard alone."""
    page.open(path)
    length = page.evaluate("window.gvt.doc.window_ns")
    reached, unseen = set(), []
    for _ in range(page.evaluate(REACHED)[0]):
        page.key("Tab")
        there_are, number, seen = page.evaluate(REACHED)
        reached.add(number)
        if not seen:
            unseen.append(page.evaluate("document.activeElement.outerHTML"))
    equal("Tab leads to all that can be clicked", set(range(there_are)), reached)
    equal("and what is reached is seen", [], unseen)
    page.open(path)
    while not page.evaluate("!!document.activeElement.closest('#findings button')"):
        page.key("Tab")
    page.key("Enter")
    begin, end = state(page)
    result(end - begin < length, "Enter on a finding shows its moment", f"{begin} to {end} of {length}")


# of the pixels of the distribution: how many are painted
PAINTED = """(() => { const c = document.querySelector('#histogram'),
    d = c.getContext('2d').getImageData(0, 0, c.width, c.height).data;
    let n = 0;
    for (let i = 3; i < d.length; i += 4)
        n += d[i] === 255;
    return n; })()"""


def check_distribution(page, path):
    page.open(path)
    page.frame()
    result(page.evaluate(PAINTED) > 500, "latencies are drawn as a distribution", page.evaluate(PAINTED))
    page.evaluate("window.gvt.show(0, 50)")
    page.frame()
    equal("only those of the visible time are", 0, page.evaluate(PAINTED))


def check_part(page, directory):
    """Of a part, what is complete only after it has no latency yet."""
    lives = [(of, 1000 * of) for of in (1, 2, 3)]
    make("part", "".join(f"""{at}us 0 queue v=1 w={of}
{at + 100}us 0 submit v=1 w={of}
{at + 100}us 0 start v=1 w={of}
{at + 800}us 0 stop v=1 w={of} done=1
{at + 900}us 0 complete v=1 w={of}
""" for of, at in lives), directory)
    path = f"{directory}/part.html"
    subprocess.run([os.environ["GVT_STAT"], "export", "--format", "html", "--time", "0,0.00385", "-i", f"{directory}/part.dat",
                    "-o", path], check=True)
    page.open(path)
    equal("a part: latencies are of what is complete in it", [1, 2], page.evaluate(
        "window.gvt.queues.flatMap(q => q.workloads).filter(w => isFinite(w.latency)).map(w => w.id)"))


NARROW = 400, 800
TOO_WIDE = """[...document.querySelectorAll('body *')].filter(e => e.getBoundingClientRect().right > innerWidth + 1 &&
    !e.closest('#blame, #shares')).map(e => e.outerHTML.slice(0, 60))"""


def check_narrow(page, path, trace):
    page.resize(*NARROW)
    page.open(path)
    page.frame()
    equal(f"{trace}: nothing is too wide for a window of {NARROW[0]} pixels", (NARROW[0], []),
          (page.evaluate("document.documentElement.scrollWidth"), page.evaluate(TOO_WIDE)))
    page.key("w")
    length = page.evaluate("window.gvt.doc.window_ns")
    near(f"{trace}: which zooms as any", [length * 0.15, length * 0.85], state(page), 2)
    page.resize()


# what is least readable: the contrast of a text with what is behind it, by WCAG 2.1, and the text
CONTRAST = """(() => { const g = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
    const light = colours => {
        for (g.fillStyle of colours)
            g.fillRect(0, 0, 1, 1);
        return [...g.getImageData(0, 0, 1, 1).data].slice(0, 3).map(v => v / 255)
            .map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
            .reduce((sum, v, k) => sum + v * [0.2126, 0.7152, 0.0722][k], 0);
    };
    let worst = [21, ''];
    for (const e of document.querySelectorAll('body *')) {
        if (!e.checkVisibility() || ![...e.childNodes].some(n => n.nodeType === Node.TEXT_NODE && n.data.trim()))
            continue;
        const behind = ['#fff'];
        for (let p = e; p; p = p.parentElement)
            behind.splice(1, 0, getComputedStyle(p).backgroundColor);
        const [a, b] = [light(behind), light([...behind, getComputedStyle(e).color])].sort((x, y) => y - x);
        const ratio = (a + 0.05) / (b + 0.05);
        if (ratio < worst[0])
            worst = [ratio, e.tagName + ' ' + e.textContent.slice(0, 60)];
    }
    return worst; })()"""
READABLE = 4.5
# red of the page, and of the timeline's corner
GROUND = """[Number(getComputedStyle(document.body).backgroundColor.match(/\\d+/)[0]),
    document.querySelector('#canvas').getContext('2d').getImageData(1, 1, 1, 1).data[0]]"""


def check_colours(page, path):
    for scheme in ("dark", "light"):
        page.prefer(scheme)
        page.open(path)
        page.frame()
        ground = page.evaluate(GROUND)
        result(all((red > 128) == (scheme == "light") for red in ground), f"{scheme}, if the user likes that", ground)
        ratio, text = page.evaluate(CONTRAST)
        result(ratio >= READABLE, f"{scheme}: all texts have a contrast of {READABLE} at least", f"{ratio:.2f}: {text}")
    page.key("t")
    result(all(red < 128 for red in page.evaluate(GROUND)), "t: the other one", page.evaluate(GROUND))


def check_paper(page, path):
    """Printed from a dark screen."""
    page.open(path)
    page.evaluate("document.documentElement.dataset.theme = 'dark'")
    page.frame()
    width, pictures = paper.pictures(page.pdf())
    timeline = max(pictures, key=lambda one: len(one.pixels))
    result(timeline.width > 1000 and len(timeline.colours()) > 20, "paper: the timeline is on it",
           f"{timeline.width} pixels, {len(timeline.colours())} colours")
    equal("paper: on white", b"\xff\xff\xff", timeline.pixels[:3])
    result(timeline.right and max(timeline.right) <= width, "paper: all of it", f"{timeline.right} of {width}")
    page.frame()
    equal("paper: the screen is dark again", "dark", page.evaluate("document.documentElement.dataset.theme"))


LINES = """(document.querySelector('#all').click(),
    [...document.querySelectorAll('#metrics tr')].slice(1).map(tr => [...tr.cells].map(td => td.textContent)))"""


def in_frame(page, side, expression):
    """The value of an expression in the page of one trace."""
    return page.evaluate(f"(window => {expression})(window.gvt.frames.{side}.contentWindow)")


def check_pair(page, before, after, directory):
    """Two traces in one page."""
    path = f"{directory}/pair.html"
    paths = [trace_of(before), trace_of(after)]
    subprocess.run([os.environ["GVT_STAT"], "export", "--format", "html", "-o", path, *paths], check=True)
    page.open(path)
    wait_for(page, "window.gvt.ready()")
    page.frame()
    equal("before and after: no request, no complaint", ([f"file://{path}"], []),
          ([url for url in page.requests() if not url.startswith("about:")], page.faults()))
    for side, trace in zip("ab", paths):
        executed = {key: least for key, (least, _) in told.executed(trace).items()}
        equal(f"before and after: executed as report says, in {side}", executed,
              {tuple(row[:3]): row[3] for row in in_frame(page, side, BUSY)})
    told_lines = json.loads(told.gvt_stat("compare", "--json", *paths))["metrics"]
    lines = page.evaluate(LINES)
    words = {"higher": "higher", "lower": "lower", "same": "the same", "unclear": "unclear", None: "unknown"}
    equal("before and after: a line of each of compare's figures, with its verdict",
          [(line["engine"], words[line["verdict"]]) for line in told_lines],
          [(line[1], line[-1]) for line in lines])
    page.evaluate("(document.querySelector('#together').click(), document.querySelector('#frame-a').scrollIntoView(), 0)")
    left, top, canvas_left, canvas_top = page.evaluate("""(() => { const f = document.querySelector('#frame-a');
        f.contentDocument.querySelector('#canvas').scrollIntoView();
        const b = f.getBoundingClientRect(), c = f.contentDocument.querySelector('#canvas').getBoundingClientRect();
        return [b.left, b.top, c.left, c.top]; })()""")
    page.mouse("mouseMoved", left + canvas_left + 400, top + canvas_top + 40)
    page.mouse("mouseWheel", left + canvas_left + 400, top + canvas_top + 40, deltaX=0, deltaY=-200)
    page.frame()
    page.frame()
    views = [in_frame(page, side, "window.gvt.view()") for side in "ab"]
    length = in_frame(page, "a", "window.gvt.doc.window_ns")
    result(views[0] == views[1] and views[0]["to"] - views[0]["from"] < length,
           "before and after: the wheel moves both, if they are to be moved together", views)
    address = page.evaluate("location.hash")
    page.open(path, address)
    wait_for(page, "window.gvt.ready()")
    near("before and after: the address leads to the same times", [views[0]["from"], views[0]["to"]],
         list(in_frame(page, "a", "window.gvt.view()").values()), 1)


MARKUP = "<img src=x onerror=window.bad=1>"


def is_text(page, what):
    equal(f"{what} that looks like markup is text", [None, True, 0],
          [page.evaluate("window.bad"), page.evaluate("document.body.innerText.includes('<img src=x onerror')"),
           page.evaluate("document.images.length")])
    equal("and the program complains of nothing", [], page.faults())


# not a number of JavaScript
FAR_NS = 2**53 + 1


def check_far(page, directory):
    """After a year of uptime, times are as exact as on the first day."""
    make("far", "".join(f"{FAR_NS + at} 0 {event} v=1 w=1\n" for at, event in (
        (0, "queue"), (1000, "submit"), (2000, "start"), (3000, "stop done=1"), (4000, "complete"))), directory)
    page.open(export("far", directory))
    page.key("/")
    page.call("Input.insertText", text="1")
    page.key("Enter")
    queued = f"{FAR_NS // 10**9}.{FAR_NS % 10**9:09d}"
    detail = page.evaluate("document.querySelector('#detail').innerText")
    result(f"queued at {queued} s" in detail, "after 104 days, times are exact", f"no {queued} in: {detail}")


QUEUES, CARDS = 14, 8
SHOWN = "[...document.querySelectorAll('.card')].filter(card => card.offsetParent).length"


# of the first row of a queue: which that is; does the window show it, and the steps of what is chosen?
LED = """(() => { const row = window.gvt.rows().find(row => row.queue && row.strong), { vgpu, engine } = row.queue;
    const top = document.querySelector('#canvas').getBoundingClientRect().top, way = document.querySelector('#detail ol').getBoundingClientRect();
    return [[vgpu.id, engine], row.queue === window.gvt.chosen()?.queue && top + row.y + row.h <= innerHeight &&
        way.top >= 0 && way.bottom <= innerHeight]; })()"""


def check_many(page, directory):
    """Seven vGPUs on two engines: those that waited most come first, the others when asked for."""
    lines = []
    for number in range(1, QUEUES + 1):
        of = f"v={(number + 1) // 2} c={number % 2} w={number}"
        lines += [f"{at}us 0 {event} {of}" for at, event in (
            (10 * number, "queue"), (100 * number * number + 300, "submit"), (100 * number * number + 310, "start"),
            (100 * number * number + 350, "stop done=1"), (100 * number * number + 360, "complete"))]
    lines.sort(key=lambda line: int(line.split("us")[0]))
    make("queues", "\n".join(lines) + "\n", directory)
    page.open(export("queues", directory))
    equal("of many queues, those that waited most have cards", [CARDS, f"show {QUEUES - CARDS} more, which waited less"],
          [page.evaluate(SHOWN), page.evaluate("document.querySelector('#more')?.innerText")])
    result("vGPU 1 " not in page.evaluate("document.querySelector('#summary').innerText"), "and not one that did not")
    equal("and one row each", QUEUES, page.evaluate("window.gvt.rows().filter(row => row.queue).length"))
    page.key("n")
    equal("what leads to one shows its row and its way in the window", [[7, "rcs0"], True], page.evaluate(LED))
    page.evaluate("document.querySelector('#more').click()")
    equal("the others come when asked for", [QUEUES, None],
          [page.evaluate(SHOWN), page.evaluate("document.querySelector('#more')")])


# of the rows of queues: what is written before them
LABELS = "window.gvt.rows().filter(row => row.queue && row.strong).map(row => window.gvt.labelOf(row))"
# a picture of each colour of the legend
SWATCHES = "[...document.querySelectorAll('#legend canvas')].map(canvas => canvas.toDataURL())"


def check_names(page, directory):
    """Names of VMs: long, without a place to break, of letters of two parts, and turning the direction of writing."""
    names = "x" * 300, "\U0001f3ae" * 200, "\u202elive"
    make("names", "".join(f"""0 0 print buf=gvt-stat-meta~vgpu~aa-{v}~id={v}~pid={100 + v}~vm={name}
0 0 gvt_vgpu_info v={v} uuid=aa-{v} owner_pid={100 + v}
""" for v, name in enumerate(names, 1)) + "".join(f"""{v}ms 0 queue v={v} w={v}
{v}100us 0 submit v={v} w={v}
{v}200us 0 start v={v} w={v}
{v}800us 0 stop v={v} w={v} done=1
{v}900us 0 complete v={v} w={v}
""" for v in (1, 2, 3)), directory)
    path = export("names", directory)
    page.open(path)
    labels = page.evaluate(LABELS)
    result(len(labels) == 3 and all(re.search(r"vGPU \d", label) and label.endswith(" \u00b7 rcs0")
                                    for label in labels), "long names: rows have their vGPU and their engine", labels)
    equal("long names: no letter is cut", [True] * 3, page.evaluate(f"{LABELS}.map(label => label.isWellFormed())"))
    result("vGPU 3 (\u202elive)\u2069" in page.evaluate("document.querySelector('#summary').innerText"),
           "what a name turns ends with it")
    for width in (1400, NARROW[0]):
        page.resize(width, 1000)
        page.open(path)
        equal(f"long names: nothing is too wide for {width} pixels", (width, []),
              (page.evaluate("document.documentElement.scrollWidth"), page.evaluate(TOO_WIDE)))
    page.resize()


def check_legend(page, path):
    page.open(path)
    swatches = page.evaluate(SWATCHES)
    equal("legend: no two of its colours are alike", len(set(swatches)), len(swatches))
    result(len(swatches) > 8, "legend: vCPUs' are among them", len(swatches))


def check_gpus(page, directory):
    """variants made it."""
    page.open(export("second-gpu", directory))
    texts = [page.evaluate(f"[...document.querySelectorAll('{which}')].map(e => e.innerText)") for which in
             ("#shares tr td:first-child", "#blame tr:first-child th", "#summary h3")]
    vgpus = [text for all_of in texts for text in all_of if "vGPU " in text and text != "vGPU, engine"]
    equal("two GPUs: each vGPU is told with its GPU", [], [text for text in vgpus if "of GPU " not in text.replace("\n", " ")])
    result(len(set(texts[0])) == len(texts[0]) > 2, "two GPUs: and no two alike", texts[0])
    about = page.evaluate("document.querySelector('#about').innerText")
    result(re.search(r"GPU 0 policy \w+ dispatch \w+ . GPU 1 policy \w+", about), "two GPUs: the settings of each", about)
    page.resize(*NARROW)
    page.open(export("second-gpu", directory))
    labels = page.evaluate(LABELS)
    result(len(labels) > 2 and all(re.search(r"\d of GPU \d \u00b7 rcs0$", label) for label in labels),
           "two GPUs: each row has its vGPU, GPU and engine in a narrow window", labels)
    turns = page.evaluate("window.gvt.rows().map(row => window.gvt.labelOf(row)).filter(label => label.includes('turn'))")
    equal("two GPUs: and whose turn is told", ["GPU 0: turn", "GPU 1: turn"], turns)
    page.resize()


def check_bad(page, directory):
    name = "</script><img src=x onerror=window.bad=1><script>window.bad=1</script><!--<script>"
    make("named", f"""0 0 print buf=gvt-stat-meta~vgpu~aa-1~id=1~pid=100~vm={name.replace(' ', '~')}
0 0 gvt_vgpu_info v=1 uuid=aa-1 owner_pid=100
1ms 0 queue v=1 w=1
2ms 0 submit v=1 w=1
2ms 0 start v=1 w=1
3ms 0 stop v=1 w=1 done=1
3ms 0 complete v=1 w=1
""", directory)
    page.open(export("named", directory))
    is_text(page, "a name of a VM")
    # of a file, of a thread
    make(MARKUP, """0 0 gvt_vgpu_info v=1 owner_pid=100
1ms 0 kvm_entry common_pid=7 vcpu_id=0
2ms 0 queue v=1 w=1 common_pid=7
2ms 0 submit v=1 w=1
2ms 0 start v=1 w=1
3ms 0 kvm_exit common_pid=7
4ms 0 sched_switch prev_pid=7 prev_state=1 next_pid=0 prev_comm=<img/src=x>
5ms 0 stop v=1 w=1 done=1
6ms 0 complete v=1 w=1
""", directory)
    page.open(export(MARKUP, directory))
    is_text(page, "a name of a file")
    page.evaluate("document.querySelector('#timeline').scrollIntoView()")
    left, top, gutter, width = page.evaluate(BOX)
    y = page.evaluate("window.gvt.rows().find(row => row.thread).y + 5")
    page.mouse("mouseMoved", left + gutter + width / 2, top + y)
    tip = page.evaluate("document.querySelector('#tip').innerText")
    equal("a name of a thread that looks like markup is text", [True, 0],
          ["<img/src=x>" in tip or tip, page.evaluate("document.images.length")])
    check_far(page, directory)
    check_many(page, directory)
    check_gpus(page, directory)
    check_names(page, directory)
    make("lost", """1ms 0 queue v=1 w=1
2ms 0 submit v=1 w=1
2ms 0 start v=1 w=1
3ms 0 stop v=1 w=1 done=1
3ms 0 complete v=1 w=1
page 0
lost 0 9
50ms 0 queue v=1 w=3
60ms 0 gvt_sched_info
""", directory)
    page.open(export("lost", directory))
    result(page.evaluate(HATCHED) > 200, "lost events are hatched", page.evaluate(HATCHED))
    result("lost" in page.evaluate("document.querySelector('#warnings').innerText"), "and told")
    make("empty", "0 0 sched_switch prev_pid=1\n1ms 0 sched_switch prev_pid=2\n", directory)
    page.open(export("empty", directory))
    result("no events of GVT-g" in page.evaluate("document.querySelector('#warnings').innerText"),
           "a trace without GVT-g says so")
    equal("and shows nothing that is empty", 0, page.evaluate("[...document.querySelectorAll('canvas, table')]"
                                                              ".filter(e => e.checkVisibility()).length"))
    equal("without a complaint", [], page.faults())


# of each vGPU on each engine: F at the edges of its bins; and the integral of each queue's length, at the end
IN_BINS = """(() => {
    const { engines, queues, busy, levelArea, doc } = window.gvt;
    return [engines.map(({ parts }) => parts.map(({ part, vgpu }) => (EDGES ?? {})[vgpu.id] ?? part.bins.e)),
        engines.map(({ parts }) => parts.map(({ part, vgpu }) => ((EDGES ?? {})[vgpu.id] ?? part.bins.e).map(x => busy(part, x)))),
        queues.map(({ level }) => levelArea(level, doc.window_ns))];
})()"""


def check_bins(page, name, directory):
    """A page with sums over bins: the same at their edges as one in which all is exact."""
    small = f"{directory}/bins.html"
    subprocess.run([os.environ["GVT_STAT"], "export", "--format", "html", "--exact", "300", "-i",
                    f"{directory}/{name}.dat", "-o", small], check=True)
    page.open(small)
    edges, binned, queues = page.evaluate(IN_BINS.replace("EDGES", "null"))
    ids = page.evaluate("window.gvt.engines[0].parts.map(p => p.vgpu.id)")
    result("sums over bins" in page.evaluate("document.querySelector('#warnings').innerText"),
           "bins: the page says that it has sums over them")
    executed = {key: least for key, (least, _) in told.executed(trace_of(name)).items()}
    equal("bins: executed as report says", executed, {tuple(row[:3]): row[3] for row in page.evaluate(BUSY)})
    length = page.evaluate("window.gvt.doc.window_ns")
    for begin, end in ((0, length), (length / 2, length), (length * 0.7, length * 0.7 + 1000)):
        page.evaluate(f"(window.gvt.show({begin}, {end}), window.gvt.drawNow())")
    equal("bins: it draws them without a complaint", [], page.faults())
    page.open(export(name, directory))
    at = json.dumps(dict(zip(ids, edges[0])))
    _, whole, lengths = page.evaluate(IN_BINS.replace("EDGES", at))
    result(sum(map(len, edges[0])) > 50, f"bins: there are {sum(map(len, edges[0]))} of engines")
    equal("bins: F is exact at their edges", whole, binned)
    equal("bins: queues are as long", lengths, queues)


def trace_of(name):
    return f"{directory_of_all}/{name}.dat"


def expand(text):
    script = os.path.join(HERE, "lib.sh")
    return subprocess.run(["sh", "-c", f'. "{script}"; expand', os.path.join(HERE, "browser.t")], input=text,
                          capture_output=True, text=True, check=True).stdout


def make(name, text, directory):
    subprocess.run([os.environ["MKTRACE"], *os.environ["FORMATS"].split(), "-o",
                    f"{directory}/{name}.dat"], input=expand(text), text=True, check=True)


def export(name, directory):
    path = f"{directory}/{name}.html"
    subprocess.run([os.environ["GVT_STAT"], "export", "--format", "html", "-i", f"{directory}/{name}.dat",
                    "-o", path], check=True)
    return path


BIG_EVENTS = 10**6
# of a machine with nothing else to do; and how many times as much a busy one may take
MB, LOAD_MS, ZOOM_MS = 4, 2000, 16
ROOM = 2
DRAWS, RUNS = 5, 8
ZOOM = """(() => { for (let nr = 0; nr < %d; nr++) { window.gvt.show(%d, %d); window.gvt.drawNow(); } })()"""


def make_big(directory):
    command = [os.path.join(HERE, "views", "busy"), str(BIG_EVENTS), "sched"]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as busy:
        subprocess.run([os.environ["MKTRACE"], *os.environ["FORMATS"].split(), "-o", f"{directory}/big.dat"],
                       stdin=busy.stdout, check=True)


def least(limit, measure, *arguments):
    """A busy machine makes single runs slower, never quicker: the least of several, until it is within a limit."""
    best = float("inf")
    for _ in range(RUNS):
        best = min(best, measure(*arguments))
        if best <= limit:
            break
    return best


def in_time(name, took, limit):
    result(took <= ROOM * limit, f"{name} in {took:.1f} ms of the CPU (at most {ROOM} times {limit})")


def draw_ms(page, script):
    """The mean of several draws, in ms of the CPU."""
    before = page.cpu_ms()
    page.evaluate(script)
    return (page.cpu_ms() - before) / DRAWS


def zooms(page):
    """The most that one of 20 zooms takes, in ms of the CPU."""
    length = page.evaluate("window.gvt.doc.window_ns")
    chance, worst = random.Random(7), 0
    for _ in range(20):
        begin = chance.random() * length
        script = ZOOM % (DRAWS, begin, begin + (length - begin) * chance.random() ** 3)
        worst = max(worst, least(ZOOM_MS, draw_ms, page, script))
    return worst


def check_big(page, directory):
    make_big(directory)
    path = export("big", directory)
    size = os.path.getsize(path) / 1e6
    took, worst = least(LOAD_MS, page.open, path), zooms(page)
    result(page.evaluate("window.gvt.doc.bins_from_ns") is None, "10^6 events: all of them exactly")
    result(size <= MB, f"10^6 events: {size:.2f} MB (at most {MB})")
    in_time("10^6 events: loads", took, LOAD_MS)
    in_time("10^6 events: 20 random zooms, the worst", worst, ZOOM_MS)


LONGEST_EVENTS, LONGEST_MS = 10**7, 6000
# of the trace, and as much again for others
LONGEST_BYTES = 2 * 512 * 10**6
TEMPLATE = """0 0 switch prev=1 next=2 reason=1 prev_left_ns=1 next_left_ns=1
1 0 queue w=1
2 0 submit w=1
3 0 start w=1
4 0 stop w=1 done=1
5 0 complete w=1
"""


def check_longest(page, directory):
    """Most of it is in sums over bins."""
    name = "10^7 events: loads"
    if "GENERATE" not in os.environ:
        return skip(name, "GENERATE does not say where bench/generate is")
    if shutil.disk_usage(directory).free < LONGEST_BYTES:
        return skip(name, f"{directory} has no room for {LONGEST_BYTES / 1e9:.0f} GB")
    make("template", TEMPLATE, directory)
    trace = f"{directory}/longest.dat"
    subprocess.run([os.environ["GENERATE"], f"{directory}/template.dat", str(LONGEST_EVENTS), trace], check=True)
    path = export("longest", directory)
    os.unlink(trace)
    took = least(LONGEST_MS, page.open, path)
    result(page.evaluate("window.gvt.doc.bins_from_ns") is not None, "10^7 events: the page has sums over bins")
    return in_time(name, took, LONGEST_MS)


def run_all(page, traces, directory):
    for name in traces:
        check_numbers(page, export(name, directory), name)
    check_pointer(page, export(traces[0], directory))
    check_pair(page, traces[0], traces[1], directory)
    check_bins(page, "seven-sizes-fair", directory)
    check_keys(page, export("seven-sizes-fair", directory))
    check_tabs(page, export("small-vs-large", directory))
    check_distribution(page, export("seven-sizes-fair", directory))
    check_part(page, directory)
    for name in ("seven-sizes-fair", "guests-full", "second-gpu"):
        check_narrow(page, export(name, directory), name)
    check_legend(page, export("guests-full", directory))
    check_colours(page, export("guests-full", directory))
    check_paper(page, export("small-vs-large", directory))
    check_bad(page, directory)
    check_big(page, directory)
    check_longest(page, directory)


def main(directory):
    files = ("corpus/rig/small-vs-pieces-fair-preemptive", "corpus/rig/seven-sizes-fair",
             "corpus/rig/two-engines-fair-per-engine", "rig/three-guests", "rig/guests-full", "rig/small-vs-large",
             "rig/record-full")
    traces = [os.path.basename(name) for name in files]
    for name, path in zip(traces, files):
        with lzma.open(os.path.join(HERE, f"{path}.trace.xz"), "rt", encoding="utf-8") as file:
            make(name, "".join(line for line in file if not line.startswith("clock")), directory)
    # and one with losses
    subprocess.run([os.path.join(HERE, "../../kernelshark/tests/variants"), directory], check=True)
    traces.append("lossy")
    page = browser.Browser()
    try:
        run_all(page, traces, directory)
    finally:
        page.close()


if not browser.find():
    print("1..0 # SKIP chromium is not installed: sudo apt-get install chromium")
    sys.exit(0)
try:
    browser.Browser().close()
except (EOFError, BrokenPipeError) as error:
    print(f"1..0 # SKIP chromium does not start here: {error}")
    sys.exit(0)
with tempfile.TemporaryDirectory() as directory_of_all:
    main(directory_of_all)
print(f"1..{count}")
sys.exit(failed != 0)
