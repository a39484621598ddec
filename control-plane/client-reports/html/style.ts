import { INK, LINE, MUTED, PALE, readableOnWhite, TONE_COLORS, textOn } from '../charts/colors.js';

/** Returns the style of the page of a report in its colour. A report looks like paper, also where the system is dark. */
export function styleOf(color: string): string {
  const readable = readableOnWhite(color);
  return `
:root { color-scheme: light; }
* { box-sizing: border-box; }
body { margin: 0; background: #fff; color: ${INK}; font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; font-variant-numeric: tabular-nums; overflow-wrap: anywhere; }
header, main { padding: 24px max(16px, calc(50vw - 28rem)); }
header { padding-top: 48px; padding-bottom: 48px; background: ${color}; color: ${textOn(color)}; }
header p { margin: 0; font-size: 18px; }
header img { display: block; max-width: 220px; max-height: 80px; margin-bottom: 24px; padding: 8px; border-radius: 6px; background: #fff; }
h1 { margin: 8px 0 0; font-size: 32px; line-height: 1.15; }
h2 { margin: 48px 0 12px; font-size: 24px; line-height: 1.2; color: ${readable}; }
h3 { margin: 24px 0 4px; font-size: 16px; }
p, ul { margin: 8px 0; }
a { color: ${readable}; }
.lead, .code { font-weight: 700; }
.code { font-size: 20px; }
.note { font-size: 14px; color: ${MUTED}; }
.draft { margin: 0 0 16px; padding: 12px 16px; border-left: 4px solid ${readable}; background: ${PALE}; }
dl.about { display: grid; grid-template-columns: max-content 1fr; gap: 4px 24px; }
dl.about dt, .cards dt { color: ${MUTED}; }
dd { margin: 0; }
nav ol { margin: 8px 0; padding-left: 20px; }
.cards { display: grid; grid-template-columns: repeat(auto-fit, minmax(200px, 1fr)); gap: 12px; margin: 16px 0; }
.cards > div { padding: 12px 16px; border-radius: 8px; background: ${PALE}; }
.cards dt, .cards .note { font-size: 14px; }
.cards .value { font-size: 26px; font-weight: 700; line-height: 1.3; }
.good { color: ${TONE_COLORS.good}; } .fair { color: ${TONE_COLORS.fair}; } .bad { color: ${TONE_COLORS.bad}; } td.bad { font-weight: 700; }
figure { margin: 20px 0; }
figcaption { font-weight: 700; }
svg { display: block; width: 100%; height: auto; }
.legend { display: flex; flex-wrap: wrap; gap: 4px 16px; margin: 4px 0; padding: 0; list-style: none; font-size: 14px; color: ${MUTED}; }
.legend svg { display: inline-block; width: 10px; height: 10px; margin-right: 6px; }
summary { font-size: 14px; color: ${MUTED}; cursor: pointer; }
.scroll { overflow-x: auto; }
table { width: 100%; border-collapse: collapse; font-size: 14px; }
caption { padding: 8px 0 4px; text-align: left; font-size: 16px; font-weight: 700; }
th, td { padding: 8px; text-align: left; vertical-align: top; }
th { color: ${readable}; border-bottom: 2px solid ${readable}; overflow-wrap: normal; }
td { border-bottom: 1px solid ${LINE}; }
td:first-child { min-width: 9rem; }
.right { text-align: right; white-space: nowrap; }
:focus-visible { outline: 2px solid ${readable}; outline-offset: 2px; }
@media (max-width: 30rem) { dl.about { grid-template-columns: 1fr; } dl.about dd { margin-bottom: 8px; } h1 { font-size: 26px; } }
@media print { h2, figure, tr { break-inside: avoid; } details { display: none; } }
`;
}
