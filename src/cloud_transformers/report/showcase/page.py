"""The page itself: one .html file for any browser, phone or screen, light or dark, which asks no host for anything."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path

from cloud_transformers.files import whole_file
from cloud_transformers.render.drawing import as_uri
from cloud_transformers.render.pictures import png
from cloud_transformers.render.portraits import side_by_side, stacked
from cloud_transformers.report.showcase.section import Bar, Card, Compared, Section

PAGE, OVERVIEW = Path("index.html"), Path("overview.png")

STYLE = """
:root { color-scheme: light dark; --ink: #1d2127; --soft: #5b6470; --page: #f6f5f2; --card: #fff; --line: #dcdad4;
--blue: #2662ba; --good: #1a7f4b; --bad: #b3261e }
@media (prefers-color-scheme: dark) { :root { --ink: #e8eaed; --soft: #a4acb6; --page: #15181c; --card: #1f2328;
--line: #343a42; --blue: #7aa7ee; --good: #5fce94; --bad: #ff8a80 } figure img { filter: brightness(.88) } }
* { box-sizing: border-box } body { margin: 0; background: var(--page); color: var(--ink);
font: 16px/1.5 system-ui, -apple-system, "Segoe UI", sans-serif }
main { max-width: 1120px; margin: 0 auto; padding: 1.2rem 1rem 3rem }
h1 { font-size: 1.9rem; line-height: 1.2; margin: .6rem 0 .4rem } h2 { font-size: 1.35rem; margin: 2.6rem 0 .3rem }
p { margin: .4rem 0; max-width: 46rem } .soft { color: var(--soft); font-size: .9rem }
nav a { display: inline-block; margin: .2rem 1rem .2rem 0 } a { color: var(--blue) }
.scroll { overflow-x: auto } table { border-collapse: collapse; width: 100%; margin: 1rem 0; background: var(--card);
border: 1px solid var(--line); border-radius: 10px; overflow: hidden }
th, td { text-align: left; padding: .5rem .8rem; border-top: 1px solid var(--line); vertical-align: top }
tr:first-child th { border-top: 0; color: var(--soft); font-weight: 600; font-size: .85rem }
td:nth-child(2) { min-width: 7.5rem }
td.n { white-space: nowrap; font-variant-numeric: tabular-nums } td.n b { font-size: 1.15rem }
pre { background: var(--card); border: 1px solid var(--line); border-radius: 8px; padding: .6rem .8rem;
overflow-x: auto; font: .85rem/1.5 ui-monospace, Menlo, Consolas, monospace; margin: .7rem 0 }
.cards { display: grid; gap: 1rem; grid-template-columns: repeat(auto-fill, minmax(min(100%, 460px), 1fr)) }
.cards.wide { display: block } .card { background: var(--card); border: 1px solid var(--line); border-radius: 10px;
padding: .8rem } .card h3 { font-size: 1.05rem; margin: 0; display: inline } .card .remark { color: var(--soft);
font-size: .9rem; margin-left: .5rem } .remark.good { color: var(--good) } .remark.bad { color: var(--bad) }
.row { display: grid; gap: .5rem; margin-top: .6rem } .wide .row { gap: 1rem;
grid-template-columns: repeat(auto-fit, minmax(min(100%, 400px), 1fr)) } figure { margin: 0 }
figure img { display: block; width: 100%; height: auto; background: #fff; border-radius: 6px }
figcaption { font-size: .78rem; line-height: 1.3; color: var(--soft); margin-top: .3rem } .wide figcaption {
font-size: .95rem; color: var(--ink) }
.bars { margin: .7rem 0 0; padding: 0; list-style: none; font-size: .85rem } .bars li { display: grid; gap: .5rem;
grid-template-columns: 4.6rem 1fr 2.9rem; align-items: center } .bars i { display: block; height: .55rem;
border-radius: 3px; background: #b9bdc4 } .bars li.true i { background: var(--good) } .bars span:last-child {
text-align: right; font-variant-numeric: tabular-nums }
.legend { display: flex; flex-wrap: wrap; gap: .3rem 1rem; margin: .6rem 0; padding: 0; list-style: none;
font-size: .9rem } .legend i { display: inline-block; width: .95rem; height: .95rem; border-radius: 3px;
border: 1px solid #0003; vertical-align: -.12rem; margin-right: .4rem }
@media (max-width: 760px) { .scores tr:first-child { display: none } .scores tr { display: grid; gap: 0 1rem;
grid-template-columns: 1fr 1fr; padding: .6rem .8rem; border-top: 1px solid var(--line) } .scores td { border: 0;
padding: .1rem 0; white-space: normal } .scores td:last-child { grid-column: 1 / 3; font-size: .9rem }
.scores td.n::before { display: block; font-size: .8rem; color: var(--soft) }
.scores td.n:nth-child(3)::before { content: "the model" } .scores td.n:nth-child(4)::before { content: "no model" } }
"""


def write_showcase(
    folder: Path, sections: Sequence[Section], *, missing: Sequence[str], facts: Mapping[str, str]
) -> Path:
    """Writes index.html and overview.png, the four tasks in one picture. Returns the page's path.

    `missing` are sentences about tasks that are not shown; `facts` go to the foot of the page.
    """
    overview = folder / OVERVIEW
    with whole_file(overview) as temporary:
        temporary.write_bytes(png(stacked([side_by_side(each.strip, gap=0) for each in sections])))
    parts = [
        "<h1>Questions about points in space, answered on this machine</h1>",
        "<p>Everything below was made and answered just now by <code>cloudt demo</code>: a room, objects, views and "
        "pictures that were invented for this page and that the models never saw in training.</p>",
        "<nav>"
        + "".join(f'<a href="#{each.task}">{escape(each.task.capitalize())}</a>' for each in sections)
        + "</nav>",
        *(f'<p class="soft">{escape(sentence)}</p>' for sentence in missing),
        _scores(sections),
        *(_section(each) for each in sections),
        "<h2>About this page</h2>",
        "<table>" + "".join(f"<tr><td>{escape(k)}<td>{escape(v)}" for k, v in facts.items()) + "</table>",
    ]
    text = (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1"><title>cloudt demo</title>'
        f"<style>{STYLE}</style></head><body><main>{''.join(parts)}</main></body></html>\n"
    )
    page = folder / PAGE
    with whole_file(page) as temporary:
        temporary.write_text(text, encoding="utf-8")
    return page


def number(value: float, unit: str) -> str:
    return f"{value:.1f} %" if unit == "%" else f"{value:.1f}"


def measure(compared: Compared) -> str:
    """The score's name, with a unit that is none to be written behind the number."""
    score = compared.score
    return score.name if score.unit in ("", "%") else f"{score.name} ({score.unit})"


def _scores(sections: Sequence[Section]) -> str:
    head = "<tr><th>task<th>score<th>the model<th>no model<th>what it means"
    rows = []
    for section in sections:
        for compared in section.scores:
            unit = compared.score.unit
            rows.append(
                f'<tr><td>{escape(section.task)}<td>{escape(measure(compared))}<td class="n">'
                f'<b>{number(compared.score.value, unit)}</b><td class="n">{number(compared.plain, unit)}'
                f'<br><span class="soft">{escape(compared.plain_answer)}</span>'
                f"<td>{escape(compared.meaning)} "
                f'<span class="soft">({compared.score.num_samples:,} {escape(compared.score.sample)})</span>'
            )
    return f'<div class="scroll"><table class="scores">{head}{"".join(rows)}</table></div>'


def _section(section: Section) -> str:
    legend = "".join(f'<li><i style="background:rgb{color}"></i>{escape(name)}' for name, color in section.legend)
    return (
        f'<section id="{section.task}"><h2>{escape(section.title)}</h2><p>{escape(section.story)}</p>'
        f"<pre>{escape(section.command)}</pre>"
        + (f'<ul class="legend">{legend}</ul>' if legend else "")
        + f'<div class="cards{" wide" if section.wide else ""}">{"".join(_card(each) for each in section.cards)}</div>'
        + (f'<p class="soft">{escape(section.note)}</p>' if section.note else "")
        + "</section>"
    )


def _card(card: Card) -> str:
    figures = "".join(
        f'<figure><img src="{as_uri(figure.pixels)}" width="{figure.pixels.shape[1]}" height="{figure.pixels.shape[0]}"'
        f' alt="{escape(f"{card.title}: {figure.caption}")}"><figcaption>{escape(figure.caption)}</figcaption></figure>'
        for figure in card.figures
    )
    kind = {True: " good", False: " bad", None: ""}[card.right]
    remark = f'<span class="remark{kind}">{escape(card.remark)}</span>' if card.remark else ""
    # A card's small pictures stay in one row on a phone too, where two columns would tear the comparison apart.
    columns = f' style="grid-template-columns: repeat({len(card.figures)}, 1fr)"' if card.bars or card.remark else ""
    return (
        f'<div class="card"><h3>{escape(card.title)}</h3>{remark}<div class="row"{columns}>{figures}</div>'
        + (f'<ul class="bars">{"".join(_bar(bar) for bar in card.bars)}</ul>' if card.bars else "")
        + "</div>"
    )


def _bar(bar: Bar) -> str:
    return (
        f"<li{' class=true' if bar.right else ''}><span>{escape(bar.name)}</span>"
        f'<span><i style="width:{max(100 * bar.share, 0.5):.1f}%"></i></span><span>{100 * bar.share:.0f} %</span>'
    )
