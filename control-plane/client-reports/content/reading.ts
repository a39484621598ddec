import type { ReportFacts } from '../facts/facts.js';
import type { PercentUp } from './figures.js';
import type { Times } from './wording.js';

/** What a section is written from. */
export interface Reading {
  facts: ReportFacts;
  fromMs: number;
  toMs: number;
  times: Times;
  percentUp: PercentUp;
}

/** Rows of a table. The sentence below it says how many it leaves out. */
export const TABLE_ROWS_MAX = 200;
