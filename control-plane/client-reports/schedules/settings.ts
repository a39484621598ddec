import { invalidField } from '../../errors.js';
import { canonicalEmail } from '../../http/input/email-address.js';
import { timeZoneOf } from '../../http/input/time/time-zone.js';
import { colorOf, monitorsOf, sectionsOf } from '../order.js';
import { PAPER_SIZE_DEFAULT } from '../schema.js';
import type { ScheduleSettings } from './documents.js';
import type { CreateSchedule, PreviewSchedule, UpdateSchedule } from './schema.js';
import { cronProblem, type ScheduleTimes } from './times/occurrences.js';

/** Returns the settings of a new schedule, with the defaults. Throws 422. */
export function newSettings(input: CreateSchedule, nowMs: number): ScheduleSettings {
  return checked(
    {
      name: input.name,
      cron: input.cron,
      time_zone: timeZoneOf(input.time_zone ?? 'UTC', '/time_zone'),
      period: input.period,
      recipients: eachOnce(input.recipients),
      title: input.title,
      client_name: input.client_name,
      sections: sectionsOf(input.sections),
      monitors: monitorsOf(input.monitors),
      paper_size: input.paper_size ?? PAPER_SIZE_DEFAULT,
      color: colorOf(input.branding?.color),
      attach: input.attach ?? 'pdf',
      enabled: input.enabled ?? true,
    },
    nowMs,
  );
}

/** Returns the changed settings; each field is replaced as a whole. Throws 422. */
export function changedSettings(current: ScheduleSettings, patch: UpdateSchedule, nowMs: number): ScheduleSettings {
  const { branding, monitors, sections, time_zone, recipients, ...rest } = patch;
  return checked(
    {
      name: rest.name ?? current.name,
      cron: rest.cron ?? current.cron,
      time_zone: time_zone === undefined ? current.time_zone : timeZoneOf(time_zone, '/time_zone'),
      period: rest.period ?? current.period,
      recipients: recipients === undefined ? current.recipients : eachOnce(recipients),
      title: rest.title ?? current.title,
      client_name: rest.client_name ?? current.client_name,
      sections: sections === undefined ? current.sections : sectionsOf(sections),
      monitors: monitors === undefined ? current.monitors : monitorsOf(monitors ?? undefined),
      paper_size: rest.paper_size ?? current.paper_size,
      color: branding?.color === undefined ? current.color : colorOf(branding.color),
      attach: rest.attach ?? current.attach,
      enabled: rest.enabled ?? current.enabled,
    },
    nowMs,
  );
}

/** Returns the times of a schedule that is not stored. Throws 422 as its creation does. */
export function previewedTimes({ cron, time_zone }: PreviewSchedule, nowMs: number): ScheduleTimes {
  return checked({ cron, time_zone: timeZoneOf(time_zone ?? 'UTC', '/time_zone') }, nowMs);
}

function checked<Times extends ScheduleTimes>(settings: Times, nowMs: number): Times {
  const problem = cronProblem(settings, nowMs);
  if (problem !== null) throw invalidField('/cron', problem);
  return settings;
}

/** One mailbox gets one mail, however often it was entered. */
function eachOnce(addresses: readonly string[]): string[] {
  return [...new Map([...addresses].reverse().map((address) => [canonicalEmail(address), address])).values()].reverse();
}
