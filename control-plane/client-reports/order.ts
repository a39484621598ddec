import { timeZoneOf } from '../http/input/time/time-zone.js';
import type { ReportOrder } from './documents.js';
import { type PeriodPaths, reportPeriod } from './period.js';
import { COLOR_DEFAULT, type CreateReport, PAPER_SIZE_DEFAULT } from './schema.js';
import { SECTIONS, type SectionChoice } from './sections.js';

/** Returns what a person chose of a report, with the defaults. Throws 422 for a wrong period or time zone. */
export function orderOf(input: CreateReport, nowMs: number, paths: PeriodPaths): ReportOrder {
  const { monitors } = input;
  return {
    title: input.title,
    client_name: input.client_name,
    period: reportPeriod(input.period, nowMs, paths),
    time_zone: timeZoneOf(input.time_zone ?? 'UTC', paths.timeZone),
    sections: Object.fromEntries(SECTIONS.map((name) => [name, input.sections?.[name] ?? true])) as SectionChoice,
    monitors: monitors === undefined ? null : { ids: monitors.ids ?? [], tags: monitors.tags ?? [] },
    color: (input.branding?.color ?? COLOR_DEFAULT).toLowerCase(),
    paper_size: input.paper_size ?? PAPER_SIZE_DEFAULT,
  };
}
