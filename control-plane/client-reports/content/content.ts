import type { PaperSize } from '../schema.js';
import type { SectionName } from '../sections.js';

/** How a figure is meant: green, amber, red, or neither. */
export type Tone = 'good' | 'fair' | 'bad' | 'none';

export interface Card {
  label: string;
  value: string;
  /** The change against the period before, or what the figure is of. */
  note: string;
  tone: Tone;
}

export interface Column {
  title: string;
  align: 'left' | 'right';
  /** Share of the width of the page. */
  share: number;
}

export interface Cell {
  text: string;
  tone?: Tone;
}

/** A day of a chart. */
export interface ChartDay {
  /** `3 Jan` */
  label: string;
}

/** A part of a section, as every form of a report shows it. */
export type Block =
  | { type: 'text'; text: string; strong?: true }
  | { type: 'list'; items: readonly string[] }
  | { type: 'note'; text: string }
  | { type: 'cards'; cards: readonly Card[] }
  /** The title is repeated on each page of the table; null without one. */
  | { type: 'table'; title: string | null; columns: readonly Column[]; rows: readonly (readonly Cell[])[] }
  /** `percent` is null for a day without data. */
  | { type: 'uptime'; title: string; days: readonly (ChartDay & { percent: number | null })[] }
  | { type: 'line'; title: string; unit: string; days: readonly (ChartDay & { value: number | null })[] }
  | {
      type: 'stacked';
      title: string;
      series: readonly { name: string; tone: Tone }[];
      days: readonly (ChartDay & { values: readonly number[] })[];
    };

export type ChartBlock = Extract<Block, { type: 'uptime' | 'line' | 'stacked' }>;

export interface Section {
  name: SectionName;
  title: string;
  blocks: readonly Block[];
}

/** A report in words and figures, before it has a form. */
export interface ReportContent {
  title: string;
  clientName: string;
  /** `1 Jan 2026, 00:00 – 31 Jan 2026, 23:59 (Europe/Berlin)` */
  period: string;
  /** When it was made. */
  made: string;
  color: string;
  paperSize: PaperSize;
  /** A PNG or JPEG as `data:` URL. */
  logo: string | null;
  sections: readonly Section[];
  /** How readers find out that Picket made the report; null for a preview of one that was not created. */
  verification: { code: string; url: string } | null;
  /** How the figures are computed, one sentence each. */
  rules: readonly string[];
}
