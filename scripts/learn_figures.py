"""Tables and figures of the pages to read: HTML and SVG made from numbers that the command line program computed.

A figure has no size of its own: places along it are percentages, letters keep theirs, so it can be read on a phone.
Colours come from the style sheet by category; nothing carries a style attribute, which the pages' policy forbids.
"""
import html
import math

# What stands over every page to read.
BAR = """<header class="learn-bar"><a class="brand" href="../"><svg viewBox="0 0 24 24" aria-hidden="true"><path class="brand-fill" d="M3 12h4v9H3zM9 8h4v13H9zM15 3h4v18h-4z"/><path class="brand-wall" d="M1 6.5h22"/></svg>memwall</a>
<nav aria-label="Pages"><a href="../">Calculator</a> <a href="./">Learn</a></nav></header>"""

CATEGORIES = {
    "weights": "Weights", "gradients": "Gradients", "master_weights": "Master weights", "optimizer_state": "Optimizer state", "activations": "Activations",
    "logits": "Logits", "weight_casts": "Weight casts", "kv_cache": "KV cache", "inputs": "Inputs", "buffers": "Buffers", "temporaries": "Temporaries",
    "communication": "Communication", "allocator_slack": "Allocator slack", "framework": "Framework", "in_use_by_others": "In use by others"}
# What a figure leaves out because nobody could see it.
INVISIBLE = 0.002
UNITS = ["bytes", "KiB", "MiB", "GiB", "TiB"]


class Markup(str):
    """Text that is HTML already."""


def escape(value):
    return value if isinstance(value, Markup) else html.escape(str(value), quote=True)


# ---- numbers as text -----------------------------------------------------------------------------

def significant(value, digits=4):
    whole = f"{abs(value):.0f}"
    return f"{value:,.{max(0, digits - len(whole))}f}"


def size(count):
    """Binary units, four digits, as the program writes them."""
    value, unit = count, 0
    while abs(value) >= 1024 and unit + 1 < len(UNITS):
        value, unit = value / 1024, unit + 1
    return f"{value:,.0f}\u00a0bytes" if unit == 0 else f"{significant(value)}\u00a0{UNITS[unit]}"


def gb(count):
    """Decimal gigabytes, as sizes of models are said: no decimals where they would be zero."""
    text = significant(count / 1e9, 3)
    return f"{text.rstrip('0').rstrip('.') if '.' in text else text}\u00a0GB"


def count(value):
    return f"{value:,.0f}"


def short_count(value):
    for limit, letter in ((1e12, "T"), (1e9, "B"), (1e6, "M"), (1e3, "K")):
        if value >= limit:
            text = significant(value / limit, 3)
            return (text.rstrip("0").rstrip(".") if "." in text else text) + letter
    return count(value)


def percent(part, whole=1.0):
    share = 100 * part / whole
    return f"{share:.3f}\u00a0%" if 0 < share < 0.095 else f"{share:.2f}\u00a0%" if share < 0.95 else f"{share:.1f}\u00a0%"


def ratio(part, whole):
    return significant(part / whole, 2)


def times(part, whole):
    return f"{ratio(part, whole)}\u00a0×"


def seconds(value):
    return f"{value * 1000:,.0f}\u00a0ms" if value < 1 else f"{significant(value, 3)}\u00a0s"


# ---- tables --------------------------------------------------------------------------------------

def table(caption, heads, rows, names=1):
    """The first `names` columns are words, the rest numbers. The caption is read aloud; what it says stands in the text too."""
    def cell(tag, index, value):
        kind = "name" if index == 0 else "" if index < names else "n"
        scope = ' scope="col"' if tag == "th" else ""
        shown = f' class="{kind}"' if kind else ""
        if value == "" and tag == "th":
            return f"<td{shown}></td>"
        return f"<{tag}{scope}{shown}>{escape(value)}</{tag}>"

    head = "".join(cell("th", index, value) for index, value in enumerate(heads))
    body = "\n".join("<tr>" + "".join(cell("td", index, value) for index, value in enumerate(row)) + "</tr>" for row in rows)
    label = escape(caption)
    return Markup(f'<div class="scroll" role="region" tabindex="0" aria-label="{label}"><table><caption class="vh">{label}</caption>'
                  f"<thead><tr>{head}</tr></thead>\n<tbody>\n{body}\n</tbody></table></div>")


def figure(caption, body, legend=""):
    return Markup(f"<figure>{body}{legend}<figcaption>{escape(caption)}</figcaption></figure>")


# ---- bars ----------------------------------------------------------------------------------------

def at(value, scale):
    return f"{100 * value / scale:.2f}%"


def parts_of(answer):
    return [(category, answer["categories"].get(category, 0)) for category in CATEGORIES if answer["categories"].get(category, 0) > 0]


def legend_of(categories, more=""):
    items = "".join(f'<li data-category="{category}">{CATEGORIES[category]}</li>' for category in CATEGORIES if category in categories)
    return f'<ul class="legend" aria-hidden="true">{items}{more}</ul>'


def bar(label, parts, scale, text, wall=0):
    """One bar: parts are (category, bytes)."""
    rects, x = [], 0.0
    for category, part in parts:
        if part >= INVISIBLE * scale:
            rects.append(f'<rect data-category="{category}" x="{at(x, scale)}" y="2" width="{at(part, scale)}" height="20"/>')
        x += part
    line = f'<line class="wall" x1="{at(wall, scale)}" x2="{at(wall, scale)}" y1="0" y2="24"/>' if wall else ""
    said = f"{label}: {text}; " + ", ".join(f"{CATEGORIES.get(category, category)} {size(part)}" for category, part in parts)
    return (f'<div class="bar-row"><span class="bar-label">{escape(label)}</span><b class="bar-value">{escape(text)}</b>'
            f'<svg width="100%" height="24" role="img" aria-label="{escape(said)}">{"".join(rects)}{line}</svg></div>')


def stack(caption, answers, wall=0, parts=parts_of):
    """Bars of what each answer consists of, over one scale; the wall is the memory of the device."""
    listed = [(label, parts(answer)) for label, answer in answers]
    sums = [sum(part for _, part in found) for _, found in listed]
    scale = max([*sums, wall]) * 1.01
    bars = "".join(bar(label, found, scale, size(total), wall) for (label, found), total in zip(listed, sums))
    seen = {category for _, found in listed for category, part in found if part >= INVISIBLE * scale}
    more = f'<li class="k-wall">{size(wall)} usable</li>' if wall else ""
    return figure(caption, f'<div class="bars">{bars}</div>', legend_of(seen, more))


def plain_bars(caption, rows, category, text=size, wall=0):
    """Bars of one number each: (label, number)."""
    scale = max([value for _, value in rows] + [wall]) * 1.01
    bars = "".join(bar(label, [(category, value)], scale, text(value), wall) for label, value in rows)
    return figure(caption, f'<div class="bars">{bars}</div>')


# ---- over one step -------------------------------------------------------------------------------

def timeline(caption, answer, step=1, wall=0):
    """Allocated memory at every instant of one step, by category from the bottom up."""
    instants = [instant for instant in answer["instants"] if instant["step"] == step]
    top = max([instant["bytes"] for instant in instants] + [wall]) * 1.03
    width = 1000 / len(instants)
    below = [0] * len(instants)
    areas, seen = [], set()
    for category in CATEGORIES:
        values = [instant["categories"].get(category, 0) for instant in instants]
        if max(values) < INVISIBLE * top:
            continue
        seen.add(category)
        above = [low + value for low, value in zip(below, values)]
        y = lambda value: f"{220 * (1 - value / top):.1f}"
        upper = " ".join(f"{index * width:.1f},{y(value)} {(index + 1) * width:.1f},{y(value)}" for index, value in enumerate(above))
        lower = " ".join(f"{(index + 1) * width:.1f},{y(value)} {index * width:.1f},{y(value)}" for index, value in reversed(list(enumerate(below))))
        areas.append(f'<polygon class="area" data-category="{category}" points="{upper} {lower}"/>')
        below = above
    worst = max(range(len(instants)), key=lambda index: instants[index]["bytes"])
    x = at(worst + 0.5, len(instants))
    y = at(top - instants[worst]["bytes"], top)
    marks = f'<circle class="worst-dot" r="4" cx="{x}" cy="{y}"/>'
    if wall:
        marks += f'<line class="wall" x1="0" x2="100%" y1="{at(top - wall, top)}" y2="{at(top - wall, top)}"/>'
    said = f"{caption} The most is {size(instants[worst]['bytes'])}, during {instants[worst]['segment']}."
    plot = (f'<div class="learn-plot" role="img" aria-label="{escape(said)}"><svg viewBox="0 0 1000 220" preserveAspectRatio="none">{"".join(areas)}</svg>'
            f'<svg>{marks}</svg></div>')
    more = f'<li class="k-wall">{size(wall)} usable</li>' if wall else ""
    return figure(caption, plot + segments(instants), legend_of(seen, more))


def segments(instants):
    runs = []
    for index, instant in enumerate(instants):
        if not runs or runs[-1][0] != instant["segment"]:
            runs.append([instant["segment"], index, 0])
        runs[-1][2] += 1
    labels = "".join(
        f'<svg x="{at(start, len(instants))}" width="{at(length, len(instants))}" height="20"><line x1="0.5" x2="0.5" y1="0" y2="6"/>'
        + (f'<text x="4" y="15">{escape(name)}</text>' if length / len(instants) > 0.014 * len(name) else "") + "</svg>"
        for name, start, length in runs)
    return f'<svg class="learn-axis" width="100%" height="20" aria-hidden="true">{labels}</svg>'


# ---- curves --------------------------------------------------------------------------------------

def curves(caption, series, x_text=count, wall=0, top=0):
    """Lines over a common axis: series are (label, category, [(x, bytes)]). Places along x are even."""
    xs = [x for x, _ in series[0][2]]
    top = top or max([value for _, _, points in series for _, value in points] + [wall]) * 1.05
    drawn = "".join(
        f'<polyline class="curve" data-category="{category}" points="' + " ".join(
            f"{1000 * index / (len(xs) - 1):.1f},{220 * (1 - min(value, top) / top):.1f}" for index, (_, value) in enumerate(points)) + '"/>'
        for _, category, points in series)
    line = f'<line class="wall" x1="0" x2="100%" y1="{at(top - wall, top)}" y2="{at(top - wall, top)}"/>' if wall else ""
    said = f"{caption} " + "; ".join(f"{label}: {size(points[0][1])} at {x_text(xs[0])}, {size(points[-1][1])} at {x_text(xs[-1])}" for label, _, points in series)
    plot = (f'<div class="learn-plot" role="img" aria-label="{escape(said)}"><svg viewBox="0 0 1000 220" preserveAspectRatio="none">{drawn}</svg><svg>{line}</svg>'
            f'<span class="plot-top">{size(top)}</span></div>')
    last = len(xs) - 1
    ticks = "".join(
        f'<text x="{at(index, last)}" y="15" text-anchor="{"start" if index == 0 else "end" if index == last else "middle"}">{x_text(x)}</text>'
        for index, x in enumerate(xs) if index % max(1, len(xs) // 4) == 0 or index == last)
    items = "".join(f'<li data-category="{category}">{escape(label)}</li>' for label, category, _ in series)
    more = f'<li class="k-wall">{size(wall)} usable</li>' if wall else ""
    return figure(caption, plot + f'<svg class="learn-axis" width="100%" height="20" aria-hidden="true">{ticks}</svg>', f'<ul class="legend">{items}{more}</ul>')


# ---- drawings ------------------------------------------------------------------------------------

def box(x, y, width, height, kind, lines):
    text = "".join(f'<text class="{"strong" if index == 0 else "plain"}" x="{x + width / 2}" y="{y + 20 + 18 * index}" text-anchor="middle">{escape(line)}</text>'
                   for index, line in enumerate(lines))
    return f'<rect class="{kind}" x="{x}" y="{y}" width="{width}" height="{height}" rx="4"/>{text}'


def arrow(x1, y1, x2, y2):
    turn = math.degrees(math.atan2(y2 - y1, x2 - x1)) - 90
    return (f'<line class="flow" x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}"/>'
            f'<path class="tip" d="M-4 -8 L0 0 L4 -8z" transform="translate({x2} {y2}) rotate({turn:.1f})"/>')


def adapter_path(caption, facts):
    """The way of one input through a frozen matrix and the adapter beside it; facts are finished texts."""
    said = (f"The input, {facts['input']}, goes both through the frozen weight, {facts['base']}, and through the adapter: A, {facts['down']}, then B, {facts['up']}. "
            f"Both results are added and go on, {facts['output']}.")
    body = "".join([
        box(90, 4, 180, 46, "thing", ["Input x", facts["input"]]),
        arrow(140, 50, 85, 92), arrow(220, 50, 275, 92),
        box(4, 92, 164, 150, "frozen", ["W, frozen", facts["base"], facts["base_count"], facts["base_bytes"], "no gradient,", "no state"]),
        box(196, 92, 160, 64, "trained", ["A, trained", facts["down"], facts["down_count"]]),
        arrow(276, 156, 276, 178),
        box(196, 178, 160, 64, "trained", ["B, trained", facts["up"], facts["up_count"]]),
        arrow(85, 242, 165, 290), arrow(276, 242, 195, 290),
        '<circle class="thing" cx="180" cy="300" r="16"/><text class="strong" x="180" y="305" text-anchor="middle">+</text>',
        '<text x="250" y="276">× α ÷ r</text>',
        arrow(180, 316, 180, 340),
        box(90, 340, 180, 46, "thing", ["Onward", facts["output"]]),
    ])
    return figure(caption, f'<svg class="drawing" viewBox="0 0 360 390" role="img" aria-label="{escape(said)}">{body}</svg>')


def who_holds(caption, ranks, rows):
    """For each kind of tensor a row of cells, one a rank: whole, or the part the rank holds. rows: (label, category, divided)."""
    lines = []
    for label, category, divided in rows:
        cells = []
        for rank in range(ranks):
            x, width = 100 * rank / ranks, 100 / ranks
            cells.append(f'<rect class="cell" x="{x + 0.4:.2f}%" y="1" width="{width - 0.8:.2f}%" height="24"/>')
            part = 24 / ranks if divided else 24
            y = 1 + (24 - part) * rank / max(1, ranks - 1) if divided else 1
            cells.append(f'<rect data-category="{category}" x="{x + 0.4:.2f}%" y="{y:.2f}" width="{width - 0.8:.2f}%" height="{part:.2f}"/>')
        said = f"{label}: {'each rank a different part' if divided else 'whole on every rank'}"
        lines.append(f'<div class="bar-row"><span class="bar-label">{escape(label)}</span><span class="bar-value quiet">{"divided" if divided else "whole"}</span>'
                     f'<svg width="100%" height="26" role="img" aria-label="{escape(said)}">{"".join(cells)}</svg></div>')
    return figure(caption, f'<div class="bars">{"".join(lines)}</div>')
