"""The frame, the style and the smallest pieces of the HTML report: one file that loads nothing and
runs nothing."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Iterable, Mapping
from html import escape
from string import Template

_LONG = 1500
"""Characters from which a text scrolls in its own box."""
_UNSHOWN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff\u202a-\u202e\u2066-\u2069]"
)
"""What HTML or UTF-8 cannot hold, and what shows letters in another order than the text has."""

STYLE = """
:root { color-scheme: light dark; --paper: #f5f6f8; --card: #fff; --ink: #1c2430; --soft: #5a6675;
  --line: #d9dee5; --well: #f3f5f8; --link: #1b5fa8; --mark: #fff0a8; --mark-ink: #1c2430;
  --good: #1a6b3c; --bad: #a52a23; --warn: #8a5200; --old: #6a3d9a; --mute: #55606e;
  --del: #fbe3e1; --ins: #dff2e4; }
@media (prefers-color-scheme: dark) { :root { --paper: #12161c; --card: #1b212a; --ink: #e4e9f0;
  --soft: #9ba7b6; --line: #323b47; --well: #232b36; --link: #86b7ee; --mark: #5c4d10;
  --mark-ink: #fff6d2; --good: #6fcf97; --bad: #f28b82; --warn: #f0b35e; --old: #c6a4f0;
  --mute: #a3afbd; --del: #50262a; --ins: #1d4230; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink);
  font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif; }
.wrap { max-width: 1240px; margin: 0 auto; padding: 0 20px; }
h1, h2, h3, h4, p, dl, dd, ul, figure, blockquote, fieldset { margin: 0; padding: 0; }
h1, h2, .quote, .diff, dd, figcaption, li { overflow-wrap: anywhere; }
h1 { font-size: 1rem; font-weight: 600; color: var(--soft); }
h2 { font-size: 1.5rem; line-height: 1.25; }
h3 { font-size: 1rem; }
h4 { font-size: .78rem; font-weight: 600; color: var(--soft); margin-bottom: 4px; }
a { color: var(--link); }
code, .mono { font: .86em/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
.skip { position: absolute; left: -999em; }
.skip:focus { left: 8px; top: 8px; background: var(--card); padding: 8px 12px; z-index: 2; }
.top { padding-top: 28px; padding-bottom: 4px; }
.overall { font-size: 1.5rem; font-weight: 600; margin-top: 2px; }
.filters { border: 0; display: flex; flex-wrap: wrap; gap: 8px; padding: 12px 0 4px; }
.filters legend { float: left; color: var(--soft); padding: 5px 4px 0 0; }
.chip { display: inline-flex; gap: 6px; align-items: center; padding: 4px 12px 4px 9px;
  border: 1px solid var(--line); border-radius: 99px; background: var(--card); cursor: pointer; }
.chip:has(:focus-visible) { outline: 3px solid var(--link); outline-offset: 2px; }
.chip input { accent-color: currentColor; margin: 0; }
.chip b { font-weight: 600; font-variant-numeric: tabular-nums; }
.report { margin: 20px 0 44px; }
.head, .check { background: var(--card); border: 1px solid var(--line); border-radius: 10px; }
.head { padding: 18px 22px; }
.head .verdict { font-size: 1.1rem; font-weight: 600; margin: 2px 0 12px; }
.facts { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: 3px 18px; }
.facts dt { color: var(--soft); }
.review { margin-top: 12px; }
.review a { margin-right: 8px; }
.check { margin-top: 14px; border-left: 5px solid currentColor; color: var(--mute); }
.check > * { color: var(--ink); }
.bar { display: flex; flex-wrap: wrap; gap: 4px 12px; align-items: baseline; padding: 10px 18px;
  border-bottom: 1px solid var(--line); }
.bar .place { margin-left: auto; color: var(--soft); }
.bar .kind { font-weight: 400; color: var(--soft); }
.badge { display: inline-block; padding: 0 10px; border: 1.5px solid currentColor;
  border-radius: 99px; font-size: .86rem; font-weight: 600; }
.grounded { color: var(--good); } .mismatch, .not_found { color: var(--bad); }
.error, .capability_blocked { color: var(--warn); } .stale { color: var(--old); }
.unsupported_claim_kind { color: var(--mute); }
.sides { display: grid; grid-template-columns: minmax(0, 5fr) minmax(0, 7fr); }
.left, .right { padding: 14px 18px 16px; min-width: 0; }
.right { border-left: 1px solid var(--line); }
.left > * + *, .right > * + * { margin-top: 14px; }
.right > h4 + * { margin-top: 0; }
.quote, .diff { white-space: pre-wrap; background: var(--well); border-radius: 6px;
  padding: 8px 12px; unicode-bidi: plaintext; }
.long { max-height: 22rem; overflow: auto; }
.quote.source, .diff { font-family: Charter, "Noto Serif", Georgia, serif; }
.before, .after { color: var(--soft); }
.before:not(:empty)::before, .after:not(:empty)::after { content: "…"; }
mark { background: var(--mark); color: var(--mark-ink); border-radius: 2px; }
bdi, del, ins, mark { unicode-bidi: isolate; }
del { background: var(--del); text-decoration: line-through; border-radius: 2px; }
ins { background: var(--ins); text-decoration: underline; border-radius: 2px; }
.note { color: var(--soft); font-size: .86rem; margin-top: 4px; }
.small { font-size: .9rem; margin-top: 8px; }
figure { border: 1px solid var(--line); border-radius: 6px; overflow: hidden; }
figure img { display: block; max-width: 100%; max-height: 36rem; margin: 0 auto; background: #fff; }
figcaption { padding: 5px 12px; border-top: 1px solid var(--line); color: var(--soft);
  font-size: .86rem; }
ul { padding-left: 18px; }
.numbers { width: 100%; table-layout: fixed; border-collapse: collapse; font-size: .9rem; }
.numbers thead > tr > :first-child, .numbers thead > tr > :last-child { width: 17%; }
.numbers thead > tr > :nth-child(2) { width: 27%; }
.numbers th, .numbers td { padding: 4px 10px 4px 0; text-align: left; vertical-align: top;
  border-top: 1px solid var(--line); overflow-wrap: anywhere; }
.numbers th { font-weight: 600; color: var(--soft); overflow-wrap: normal; }
.numbers thead th, .numbers thead td { border-top: 0; }
.numbers mark { padding: 0 3px; text-decoration: underline; }
.none { color: var(--soft); font-style: italic; }
@supports not selector(:has(a)) { .filters { display: none; } }
@media screen and (max-width: 820px) { .sides { grid-template-columns: minmax(0, 1fr); }
  .right { border-left: 0; border-top: 1px solid var(--line); }
  .head .facts { grid-template-columns: minmax(0, 1fr); gap: 0; }
  .head dd { margin-bottom: 6px; } }
@media print { body { background: #fff; font-size: 10pt; } .filters, .skip { display: none; }
  .wrap { max-width: none; padding: 0; } .long { max-height: none; overflow: visible; }
  .check { break-inside: avoid; } .bar, h2, h3, h4 { break-after: avoid; }
  figure img { max-height: 90mm; }
  * { print-color-adjust: exact; -webkit-print-color-adjust: exact; } }
"""
"""Colours are a second sign only: every status is written out, deletions are struck through and
insertions underlined."""

_PAGE = Template("""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="$policy">
<meta name="referrer" content="no-referrer">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>$title</title>
<style>$style</style>
</head>
<body>
$body
</body>
</html>
""")


def filter_style(statuses: Iterable[str]) -> str:
    """Rules by which an unticked box hides the checks of its status, on screens only: what is
    printed is always whole."""
    rules = [
        f"body:has(#show-{status}:not(:checked)) .check.{status} {{ display: none; }}\n"
        for status in statuses
    ]
    return f"@media screen {{\n{''.join(rules)}}}\n"


def page(title: str, body: str, statuses: Iterable[str]) -> str:
    """A whole document around HTML that is already escaped. Its policy allows this one style sheet
    and pictures inside the file; scripts, frames, forms and every load are forbidden."""
    style = STYLE + filter_style(statuses)
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode("ascii")
    policy = (
        f"default-src 'none'; img-src data:; style-src 'sha256-{digest}'; "
        "base-uri 'none'; form-action 'none'"
    )
    return _PAGE.substitute(policy=policy, title=title, style=style, body=body)


def attribute(value: object) -> str:
    """Escaped text for an attribute, or between tags that isolate its direction themselves."""
    return escape(_UNSHOWN.sub(_code_point, str(value).replace("\r\n", "\n")), quote=True)


def _code_point(match: re.Match[str]) -> str:
    return f"\\u{ord(match.group()):04x}"


def text(value: object) -> str:
    """Escaped text that cannot turn the direction of what stands around it."""
    return f"<bdi>{attribute(value)}</bdi>"


def code(value: object) -> str:
    """An id or a hash; nothing for none."""
    return f"<code>{text(value)}</code>" if value else ""


def words(value: object) -> str:
    """A code such as `not_found`, as words."""
    return attribute(str(value).replace("_", " "))


def word_list(codes: Iterable[str]) -> str:
    return ", ".join(f"<bdi>{words(value)}</bdi>" for value in codes)


def facts(pairs: Iterable[tuple[str, str]], kind: str = "facts") -> str:
    """Names and escaped values as a list, without those that are empty."""
    rows = [f"<dt>{name}</dt><dd>{value}</dd>" for name, value in pairs if value]
    return f'<dl class="{kind}">{"".join(rows)}</dl>' if rows else ""


def box(kind: str, name: str, length: int, inner: str) -> str:
    """Running text of `length` characters, already escaped; a long one scrolls, by keyboard too."""
    if length <= _LONG:
        return f'<div class="{kind}" dir="auto">{inner}</div>'
    return (
        f'<div class="{kind} long" dir="auto" tabindex="0" role="region" aria-label="{name}">'
        f"{inner}</div>"
    )


def filters(counts: Mapping[str, int]) -> str:
    """One box to tick for each status; nothing when there is no choice."""
    chips = [
        f'<label class="chip {status}"><input type="checkbox" id="show-{status}" checked'
        f' autocomplete="off">{words(status)} <b>{count}</b></label>'
        for status, count in counts.items()
    ]
    if len(chips) < 2:
        return ""
    return f'<fieldset class="filters"><legend>Show</legend>{"".join(chips)}</fieldset>'
