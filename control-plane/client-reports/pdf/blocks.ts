import type { Content } from 'pdfmake';
import { CHART_WIDTH, chartSvg, legendOf } from '../charts/charts.js';
import { LINE, MUTED, PALE, TONE_COLORS } from '../charts/colors.js';
import type { Block, Card, ChartBlock } from '../content/content.js';
import type { Glyphs } from './glyphs.js';

const CARDS_IN_ROW = 3;
const LEGEND_SQUARE = 7;

type Shown = Glyphs['shown'];

/** Returns a block of a section for pdfmake. `shown` makes texts printable. */
export function blockContent(block: Block, shown: Shown, color: string): Content {
  switch (block.type) {
    case 'text':
      return { text: shown(block.text), style: block.strong === true ? 'lead' : 'body' };
    case 'list':
      return { ul: block.items.map((item) => ({ text: shown(item) })), style: 'body', markerColor: color };
    case 'note':
      return { text: shown(block.text), style: 'note' };
    case 'cards':
      return cardRows(block.cards, shown);
    case 'table':
      return table(block, shown, color);
    case 'uptime':
    case 'line':
    case 'stacked':
      return chart(block, shown, color);
  }
}

function cardRows(cards: readonly Card[], shown: Shown): Content {
  const rows: Content[][] = [];
  const inRow = cards.length % CARDS_IN_ROW === 1 && cards.length > 1 ? 2 : CARDS_IN_ROW;
  for (let from = 0; from < cards.length; from += inRow) {
    const row = cards.slice(from, from + inRow).map((card): Content => cardCell(card, shown));
    while (row.length < inRow) row.push({ text: '', border: [false, false, false, false] });
    rows.push(row);
  }
  return {
    table: { widths: Array.from({ length: inRow }, () => '*'), body: rows, dontBreakRows: true },
    layout: {
      hLineWidth: () => 4,
      vLineWidth: () => 4,
      hLineColor: () => '#ffffff',
      vLineColor: () => '#ffffff',
      fillColor: PALE,
      paddingLeft: () => 10,
      paddingRight: () => 10,
      paddingTop: () => 8,
      paddingBottom: () => 8,
    },
    margin: [-4, 4, -4, 10],
  };
}

function cardCell({ label, value, note, tone }: Card, shown: Shown): Content {
  return {
    stack: [
      { text: shown(label), style: 'cardLabel' },
      { text: shown(value), style: 'cardValue', color: TONE_COLORS[tone] },
      { text: shown(note), style: 'cardNote' },
    ],
  };
}

function table({ title, columns, rows }: Extract<Block, { type: 'table' }>, shown: Shown, color: string): Content {
  const head = columns.map(
    ({ title, align }): Content => ({ text: title, style: 'tableHead', alignment: align, color }),
  );
  const titleRow = [
    { text: title ?? '', style: 'h2', colSpan: columns.length },
    ...columns.slice(1).map(() => ({ text: '' })),
  ];
  const heads = title === null ? [head] : [titleRow, head];
  const body = rows.map((row) =>
    row.map(
      ({ text, tone = 'none' }, index): Content => ({
        ...{ text: shown(text), style: 'tableCell', color: TONE_COLORS[tone] },
        ...{ alignment: columns[index]?.align ?? 'left', bold: tone === 'bad' },
      }),
    ),
  );
  const padding = 4;
  const width = CHART_WIDTH - columns.length * 2 * padding;
  const shares = columns.reduce((sum, { share }) => sum + share, 0);
  return {
    table: {
      headerRows: heads.length,
      keepWithHeaderRows: 1,
      dontBreakRows: true,
      widths: columns.map(({ share }) => Math.floor((share / shares) * width)),
      body: [...heads, ...body],
    },
    layout: {
      hLineWidth: (line) => (line < heads.length ? 0 : line === heads.length ? 1 : 0.5),
      vLineWidth: () => 0,
      hLineColor: (line) => (line === heads.length ? color : LINE),
      paddingLeft: () => padding,
      paddingRight: () => padding,
      paddingTop: () => 4,
      paddingBottom: () => 4,
    },
    margin: [0, 4, 0, 10],
  };
}

function chart(block: ChartBlock, shown: Shown, color: string): Content {
  const legend = legendOf(block);
  return {
    unbreakable: true,
    stack: [
      { text: shown(block.title), style: 'chartTitle' },
      { svg: chartSvg(block, color), width: CHART_WIDTH },
      ...(legend.length === 0 ? [] : [legendLine(legend)]),
    ],
    margin: [0, 6, 0, 8],
  };
}

function legendLine(legend: readonly { name: string; color: string }[]): Content {
  return {
    columns: legend.flatMap(({ name, color }): Content[] => [
      {
        canvas: [{ type: 'rect', x: 0, y: 1.5, w: LEGEND_SQUARE, h: LEGEND_SQUARE, color }],
        width: LEGEND_SQUARE + 4,
      },
      { text: name, width: 'auto', fontSize: 7.5, color: MUTED, margin: [0, 0, 12, 0] },
    ]),
    margin: [44, 0, 0, 0],
  };
}
