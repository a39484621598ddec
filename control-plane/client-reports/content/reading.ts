import type { ReportFacts } from '../facts/facts.js';
import type { SectionName } from '../sections.js';
import type { PercentUp } from './figures.js';
import type { Times } from './wording.js';

/** What a section is written from. */
export interface Reading {
  facts: ReportFacts;
  fromMs: number;
  toMs: number;
  times: Times;
  percentUp: PercentUp;
  /** The sections that the report has. */
  shown: readonly SectionName[];
}
