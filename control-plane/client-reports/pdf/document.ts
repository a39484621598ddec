import type { Content, DocumentDefinition } from 'pdfmake';
import type { ReportContent, Section } from '../content/content.js';
import { blockContent } from './blocks.js';
import { INK, LINE, MUTED, readableOnWhite, textOn } from './colors.js';
import { type Glyphs, SUBSTITUTE } from './glyphs.js';

const MARGIN = 45;
const SECTION_GAP = 22;
const COVER_BAND_HEIGHT = 420;
const A4 = { width: 595.28, height: 841.89 };

const STYLES: DocumentDefinition['styles'] = {
  h1: { fontSize: 17, bold: true, margin: [0, 0, 0, 10] },
  h2: { fontSize: 11, bold: true, margin: [0, 8, 0, 2] },
  lead: { fontSize: 11, bold: true, margin: [0, 0, 0, 6] },
  body: { fontSize: 9.5, lineHeight: 1.25, margin: [0, 0, 0, 6] },
  note: { fontSize: 8, color: MUTED, margin: [0, 0, 0, 6] },
  cardLabel: { fontSize: 8, color: MUTED },
  cardValue: { fontSize: 16, bold: true, margin: [0, 2, 0, 2] },
  cardNote: { fontSize: 7.5, color: MUTED },
  tableHead: { fontSize: 8, bold: true },
  tableCell: { fontSize: 8 },
  chartTitle: { fontSize: 9, bold: true, margin: [0, 0, 0, 4] },
  tocLine: { fontSize: 11, margin: [0, 5, 0, 5] },
};

/** Returns the document of a report for pdfmake. `onPages` is called with the number of its pages. */
export function reportDocument(
  report: ReportContent,
  glyphs: Glyphs,
  onPages: (pages: number) => void,
): DocumentDefinition {
  const { shown, plain } = glyphs;
  const color = readableOnWhite(report.color);
  const title = plain(report.title);
  const sections = report.sections.map((section, place) => sectionContent(section, place, glyphs, color));
  const content = [...cover(report, shown), contents(), ...sections, rules(report, glyphs, color)];
  return {
    pageSize: 'A4',
    pageMargins: [MARGIN, 56, MARGIN, 52],
    language: 'en',
    displayTitle: true,
    info: { title, author: 'Picket', creator: 'Picket', producer: 'Picket', subject: plain(report.period) },
    defaultStyle: { font: 'DejaVu', fontSize: 9.5, color: INK },
    styles: STYLES,
    background: (page) => (page === 1 ? coverBand(report.color) : null),
    footer(page, pages) {
      onPages(pages);
      return page === 1 ? null : footer(shown(report.title), page, pages);
    },
    content,
  };
}

function coverBand(color: string): Content {
  return { canvas: [{ type: 'rect', x: 0, y: 0, w: A4.width, h: COVER_BAND_HEIGHT, color }] };
}

function cover({ title, clientName, period, made, color }: ReportContent, shown: Glyphs['shown']): Content[] {
  const ink = textOn(color);
  const line = (label: string, value: string): Content => ({
    columns: [
      { text: label, width: 90, color: MUTED, fontSize: 10 },
      { text: shown(value), width: '*', fontSize: 10 },
    ],
    margin: [0, 0, 0, 8],
  });
  return [
    // A box of fixed height: titles of any length leave what is below them where it is.
    {
      table: {
        widths: ['*'],
        heights: [COVER_BAND_HEIGHT - 56],
        body: [
          [
            {
              stack: [
                { text: shown(clientName), fontSize: 14, color: ink, margin: [0, 110, 0, 14] },
                { text: shown(title), fontSize: 28, bold: true, color: ink, lineHeight: 1.1 },
              ],
            },
          ],
        ],
      },
      layout: 'noBorders',
    },
    {
      stack: [line('Prepared for', clientName), line('Period', period), line('Made on', made)],
      margin: [0, 40, 0, 0],
    },
    { text: '', pageBreak: 'after' },
  ];
}

function contents(): Content {
  return {
    toc: {
      title: { text: 'Contents', style: 'h1' },
      outlines: true,
      textStyle: 'tocLine',
      numberStyle: 'tocLine',
    },
  };
}

/** Sections of one sentence follow each other; all others begin on a page of their own. */
function sectionContent({ title, blocks }: Section, place: number, { shown }: Glyphs, color: string): Content {
  const heading = { text: title, style: 'h1', tocItem: true, color };
  const [first, ...rest] = blocks.map((block) => blockContent(block, shown, color));
  const opening = { unbreakable: true, stack: [heading, ...(first === undefined ? [] : [first])] };
  const isLong = blocks.length > 1;
  return {
    stack: [opening, ...rest],
    ...(isLong || place === 0 ? { pageBreak: 'before' as const } : { margin: [0, SECTION_GAP, 0, 0] }),
  };
}

function rules({ rules, sections }: ReportContent, glyphs: Glyphs, color: string): Content {
  const substitute = `${SUBSTITUTE} stands for characters that the font of this report does not have, such as Chinese ones and emoji.`;
  const all = glyphs.hasSubstituted() ? [...rules, substitute] : rules;
  return {
    stack: [
      {
        unbreakable: true,
        stack: [
          { text: 'About the figures', style: 'h1', tocItem: true, color },
          { ul: all.map((text) => ({ text })), style: 'note', markerColor: MUTED },
        ],
      },
    ],
    ...(sections.length === 0 ? { pageBreak: 'before' as const } : { margin: [0, SECTION_GAP, 0, 0] }),
  };
}

function footer(title: string | string[], page: number, pages: number): Content {
  return {
    margin: [MARGIN, 14, MARGIN, 0],
    stack: [
      {
        canvas: [{ type: 'line', x1: 0, y1: 0, x2: A4.width - 2 * MARGIN, y2: 0, lineWidth: 0.5, lineColor: LINE }],
      },
      {
        columns: [
          { text: title, width: '*', fontSize: 7.5, color: MUTED },
          { text: `${page} of ${pages}`, width: 60, fontSize: 7.5, color: MUTED, alignment: 'right' },
        ],
        margin: [0, 6, 0, 0],
      },
    ],
  };
}
