import type { Block, Cell, Column } from './content.js';
import { number } from './wording.js';

/** Rows of a table. The sentence below it says how many it leaves out. */
const TABLE_ROWS_MAX = 200;

interface TableOf<Row> {
  /** null for the only table of a section. */
  title: string | null;
  columns: readonly Column[];
  /** All of them, in the order in which the table shows them. */
  rows: readonly Row[];
  cellsOf(row: Row): Cell[];
  /** Says what is left out, behind its number: `more with less downtime`. */
  more: string;
}

/** Returns a table of at most `TABLE_ROWS_MAX` rows, with a sentence below it on those that it leaves out. */
export function tableBlocks<Row>({ title, columns, rows, cellsOf, more }: TableOf<Row>): Block[] {
  const shown = rows.slice(0, TABLE_ROWS_MAX).map(cellsOf);
  const left = rows.length - shown.length;
  return [
    { type: 'table', title, columns, rows: shown },
    ...(left === 0 ? [] : [{ type: 'note' as const, text: `${number(left)} ${more}.` }]),
  ];
}
