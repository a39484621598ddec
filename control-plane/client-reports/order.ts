import { timeZoneOf } from '../http/input/time/time-zone.js';
import type { ReportOrder } from './documents.js';
import { type PeriodPaths, reportPeriod } from './period.js';
import { COLOR_DEFAULT, type CreateReport, PAPER_SIZE_DEFAULT } from './schema.js';
import { SECTIONS, type SectionChoice } from './sections.js';

/** Returns what a person chose of a report, with the defaults. Throws 422 for a wrong period or time zone. */
export function orderOf(input: CreateReport, nowMs: number, paths: PeriodPaths): ReportOrder {
  const timeZone = timeZoneOf(input.time_zone ?? 'UTC', paths.timeZone);
  return {
    title: input.title,
    client_name: input.client_name,
    period: reportPeriod(input.period, { nowMs, timeZone }, paths),
    time_zone: timeZone,
    sections: sectionsOf(input.sections),
    monitors: monitorsOf(input.monitors),
    color: colorOf(input.branding?.color),
    paper_size: input.paper_size ?? PAPER_SIZE_DEFAULT,
  };
}

export function sectionsOf(input: CreateReport['sections']): SectionChoice {
  return Object.fromEntries(SECTIONS.map((name) => [name, input?.[name] ?? true])) as SectionChoice;
}

export function monitorsOf(input: CreateReport['monitors']): ReportOrder['monitors'] {
  return input === undefined ? null : { ids: input.ids ?? [], tags: input.tags ?? [] };
}

export function colorOf(input: string | undefined): string {
  return (input ?? COLOR_DEFAULT).toLowerCase();
}
