"""Small line charts as SVG, for pages in light and dark.

A chart is a file that can be looked at by itself, in the colours that the reader's system prefers.
Within the site it is part of the page, and follows its switch between light and dark.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from html import escape

WIDTH, HEIGHT = 400, 270
LEFT, RIGHT, TOP, BOTTOM = 46, 12, 14, 42

_LIGHT = "--ink:#1f2328;--soft:#6b7480;--grid:#e3e6ea;--paper:#ffffff;--c1:#0b62c4;--c2:#c2410c;"
_LIGHT += "--c3:#0f766e;--c4:#7c3aed;--c5:#a16207"
_DARK = "--ink:#e6e8eb;--soft:#9aa4b0;--grid:#33383e;--paper:#131416;--c1:#6cb2ff;--c2:#ff9a62;"
_DARK += "--c3:#4fd1c5;--c4:#b79bff;--c5:#e6c15a"


def style(name: str) -> str:
    return (
        f"<style>#{name}{{{_LIGHT}}}@media (prefers-color-scheme:dark){{#{name}{{{_DARK}}}}}"
        f"body[data-theme=light] #{name}{{{_LIGHT}}}body[data-theme=dark] #{name}{{{_DARK}}}"
        f"#{name} text{{font:12px system-ui,sans-serif;fill:var(--ink)}}"
        f"#{name} .soft{{fill:var(--soft)}}#{name} .grid{{stroke:var(--grid)}}"
        f"#{name} .axis{{stroke:var(--soft)}}#{name} .line{{fill:none;stroke-width:2.2}}"
        # Words stay readable where a line passes behind them.
        f"#{name} text{{paint-order:stroke;stroke:var(--paper);stroke-width:4px;stroke-linejoin:round}}"
        "</style>"
    )


def document(name: str, title: str, body: list[str], height: int = HEIGHT) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" id="{name}" viewBox="0 0 {WIDTH} {height}" '
        f'role="img" aria-label="{escape(title, quote=True)}">\n{style(name)}\n'
        + "\n".join(body)
        + "\n</svg>\n"
    )


def text(x: float, y: float, words: str, kind: str = "", anchor: str = "start") -> str:
    name = f' class="{kind}"' if kind else ""
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"{name}>{escape(words)}</text>'


def coloured(x: float, y: float, words: str, colour: int, anchor: str = "start") -> str:
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" style="fill:var(--c{colour});'
        f'font-weight:600">{escape(words)}</text>'
    )


@dataclass
class Line:
    points: list[tuple[float, float]]
    label: str
    colour: int
    at: int = -1  # the point beside which the label is
    shift: tuple[float, float] = (0, -7)
    anchor: str = "end"
    dashed: bool = False


@dataclass
class Chart:
    name: str
    title: str  # what it shows, for those who cannot see it
    x_label: str
    y_label: str
    x_ticks: list[float]
    y_ticks: list[float]
    logarithmic: bool = False
    lines: list[Line] = field(default_factory=list)
    notes: list[tuple[float, float, str]] = field(default_factory=list)

    def x(self, value: float) -> float:
        low, high = self.x_ticks[0], self.x_ticks[-1]
        return LEFT + (value - low) / (high - low) * (WIDTH - LEFT - RIGHT)

    def y(self, value: float) -> float:
        low, high = self.y_ticks[0], self.y_ticks[-1]
        if self.logarithmic:
            value, low, high = math.log10(value), math.log10(low), math.log10(high)
        return HEIGHT - BOTTOM - (value - low) / (high - low) * (HEIGHT - BOTTOM - TOP - 14)

    def _frame(self) -> list[str]:
        body = []
        for tick in self.y_ticks:
            y = self.y(tick)
            body.append(
                f'<line class="grid" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y:.1f}" y2="{y:.1f}"/>'
            )
            body.append(text(LEFT - 6, y + 4, f"{tick:g}", "soft", "end"))
        bottom = HEIGHT - BOTTOM
        for tick in self.x_ticks:
            body.append(text(self.x(tick), bottom + 17, f"{tick:g}", "soft", "middle"))
        body.append(
            f'<line class="axis" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{bottom}" y2="{bottom}"/>'
        )
        body.append(text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 6, self.x_label, "soft", "middle"))
        body.append(text(2, TOP, self.y_label, "soft"))
        return body

    def svg(self) -> str:
        body = self._frame()
        for line in self.lines:
            points = " ".join(f"{self.x(x):.1f},{self.y(y):.1f}" for x, y in line.points)
            dashes = ";stroke-dasharray:5 4" if line.dashed else ""
            body.append(
                f'<polyline class="line" style="stroke:var(--c{line.colour}){dashes}" points="{points}"/>'
            )
        for line in self.lines:  # labels above all lines
            x, y = line.points[line.at]
            body.append(
                coloured(
                    self.x(x) + line.shift[0],
                    self.y(y) + line.shift[1],
                    line.label,
                    line.colour,
                    line.anchor,
                )
            )
        for x, y, words in self.notes:
            body.append(text(self.x(x), self.y(y), words, "soft"))
        return document(self.name, self.title, body)
