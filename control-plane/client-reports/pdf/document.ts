import type { Content, DocumentDefinition } from 'pdfmake';
import { shortName } from '../../wording.js';
import { CHART_WIDTH } from '../charts/charts.js';
import { INK, LINE, MUTED, readableOnWhite, textOn } from '../charts/colors.js';
import type { ReportContent, Section } from '../content/content.js';
import type { PaperSize } from '../schema.js';
import { blockContent } from './blocks.js';
import { type Glyphs, SUBSTITUTE } from './glyphs.js';

const SECTION_GAP = 22;
const LABEL_WIDTH = 90;
const PAGE_NUMBER_WIDTH = 60;
/** A longer title is set smaller, so that the cover has room for it. */
const TITLE_CHARS_LARGE = 90;
const LOGO_PADDING = 8;
const LOGO_WIDTH_MAX = 180;
const LOGO_HEIGHT_MAX = 60;
const COVER_BAND_HEIGHT = 420;
const PAGE_WIDTHS: Readonly<Record<PaperSize, number>> = { A4: 595.28, Letter: 612 };

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
  code: { fontSize: 13, bold: true, margin: [0, 2, 0, 0] },
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
  const pageWidth = PAGE_WIDTHS[report.paperSize];
  // Charts and tables have one width on all papers.
  const margin = (pageWidth - CHART_WIDTH) / 2;
  const title = plain(report.title);
  const sections = report.sections.map((section, place) => sectionContent(section, place, glyphs, color));
  const content = [...cover(report, shown), contents(), ...sections, lastPage(report, glyphs, color)];
  return {
    pageSize: report.paperSize,
    pageMargins: [margin, 56, margin, 52],
    language: 'en',
    displayTitle: true,
    info: { title, author: 'Picket', creator: 'Picket', producer: 'Picket', subject: plain(report.period) },
    defaultStyle: { font: 'DejaVu', fontSize: 9.5, color: INK },
    styles: STYLES,
    background: (page) => (page === 1 ? coverBand(report.color, pageWidth) : null),
    footer(page, pages) {
      onPages(pages);
      return page === 1 ? null : footer(shown(shortName(report.title)), page, pages, margin);
    },
    content,
  };
}

function coverBand(color: string, width: number): Content {
  return { canvas: [{ type: 'rect', x: 0, y: 0, w: width, h: COVER_BAND_HEIGHT, color }] };
}

function cover({ title, clientName, period, made, color, logo }: ReportContent, shown: Glyphs['shown']): Content[] {
  const ink = textOn(color);
  const line = (label: string, value: string): Content => ({
    columns: [
      { text: label, width: LABEL_WIDTH, color: MUTED, fontSize: 10 },
      { text: shown(value), width: CHART_WIDTH - LABEL_WIDTH, fontSize: 10 },
    ],
    margin: [0, 0, 0, 8],
  });
  return [
    // A box of fixed height: titles of any length leave what is below them where it is.
    {
      table: {
        // Of a fixed width too: a column of flexible width grows with a word that is too long for the page.
        widths: [CHART_WIDTH],
        heights: [COVER_BAND_HEIGHT - 56],
        body: [
          [
            {
              stack: [
                ...(logo === null ? [] : [logoBox(logo)]),
                { text: shown(clientName), fontSize: 14, color: ink, margin: [0, logo === null ? 110 : 40, 0, 14] },
                {
                  text: shown(title),
                  fontSize: title.length > TITLE_CHARS_LARGE ? 18 : 28,
                  bold: true,
                  color: ink,
                  lineHeight: 1.1,
                },
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

/** On white, because logos are made for it. */
function logoBox(logo: string): Content {
  const padding = () => LOGO_PADDING;
  return {
    table: { widths: ['auto'], body: [[{ image: logo, fit: [LOGO_WIDTH_MAX, LOGO_HEIGHT_MAX] }]] },
    layout: {
      fillColor: '#ffffff',
      hLineWidth: () => 0,
      vLineWidth: () => 0,
      paddingLeft: padding,
      paddingRight: padding,
      paddingTop: padding,
      paddingBottom: padding,
    },
  };
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

function lastPage({ rules, sections, verification }: ReportContent, glyphs: Glyphs, color: string): Content {
  const substitute = `${SUBSTITUTE} stands for characters that the font of this report does not have, such as Chinese ones and emoji.`;
  const all = glyphs.hasSubstituted() ? [...rules, substitute] : rules;
  return {
    stack: [
      {
        unbreakable: true,
        stack: [
          { text: 'About the figures', style: 'h1', tocItem: true, color },
          { ul: all.map((text) => ({ text })), style: 'note', markerColor: MUTED },
          ...verificationOf(verification, color),
        ],
      },
    ],
    ...(sections.length === 0 ? { pageBreak: 'before' as const } : { margin: [0, SECTION_GAP, 0, 0] }),
  };
}

function verificationOf(verification: ReportContent['verification'], color: string): Content[] {
  if (verification === null) return [];
  const { url, code } = verification;
  return [
    { text: 'Verification', style: 'h2', color },
    { text: `Picket made this report. To confirm it, open ${url} and enter this code:`, style: 'note' },
    { text: code, style: 'code' },
  ];
}

function footer(title: string | string[], page: number, pages: number, margin: number): Content {
  return {
    margin: [margin, 14, margin, 0],
    stack: [
      {
        canvas: [{ type: 'line', x1: 0, y1: 0, x2: CHART_WIDTH, y2: 0, lineWidth: 0.5, lineColor: LINE }],
      },
      {
        columns: [
          { text: title, width: CHART_WIDTH - PAGE_NUMBER_WIDTH, fontSize: 7.5, color: MUTED },
          { text: `${page} of ${pages}`, width: PAGE_NUMBER_WIDTH, fontSize: 7.5, color: MUTED, alignment: 'right' },
        ],
        margin: [0, 6, 0, 0],
      },
    ],
  };
}
