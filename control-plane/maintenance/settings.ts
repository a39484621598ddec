import { type FieldError, invalidFields } from '../errors.js';
import { parseTimestamp } from '../http/input/time/timestamp.js';
import type { Recurrence, Schedule, Targets, WindowSettings } from './documents.js';
import { createCronTimes } from './schedule/cron.js';
import { nextOccurrences } from './schedule/occurrences.js';
import { normalRule, parseRule, RuleError } from './schedule/rrule/parse.js';
import { createZone } from './schedule/zone.js';
import { type CreateWindow, ONCE_DAYS_MAX, type PreviewWindow, type UpdateWindow } from './schema.js';

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** Occurrences that are compared with each other to find those that overlap. */
const COMPARED = 100;

/** Returns the settings of a new window. Throws 422 with all errors. */
export function newSettings(input: CreateWindow, nowMs: number): WindowSettings {
  const schedule = scheduleOf(input, nowMs);
  const targets = targetsOf(input, { everything: false, monitor_ids: [], server_ids: [], tags: [] });
  refuse([...scheduleErrors(schedule, nowMs), ...targetErrors(targets, null)]);
  return { name: input.name, ...schedule, ...targets, counts_in_uptime: input.counts_in_uptime ?? true };
}

/** Returns a schedule without a window. Throws 422 with all errors. */
export function previewed(input: PreviewWindow, nowMs: number): Schedule {
  const schedule = scheduleOf(input, nowMs);
  refuse(scheduleErrors(schedule, nowMs));
  return schedule;
}

/** Returns the changed settings; each field is replaced as a whole. Throws 422 with all errors. */
export function changedSettings(current: WindowSettings, patch: UpdateWindow, nowMs: number): WindowSettings {
  const recurrence = patch.recurrence === undefined ? current.recurrence : recurrenceOf(patch.recurrence);
  if ((recurrence === null) !== (current.recurrence === null)) {
    refuse([{ path: '/recurrence', message: 'cannot be added or removed: create another window' }]);
  }
  const schedule = {
    starts_at_ms: timeOf(patch.starts_at) ?? current.starts_at_ms,
    ends_at_ms: patch.ends_at === undefined ? current.ends_at_ms : timeOf(patch.ends_at),
    recurrence,
  };
  const isNewTime = patch.starts_at !== undefined || patch.ends_at !== undefined || patch.recurrence !== undefined;
  const targets = targetsOf(patch, current);
  refuse([...(isNewTime ? scheduleErrors(schedule, nowMs) : []), ...targetErrors(targets, current)]);
  const { name = current.name, counts_in_uptime = current.counts_in_uptime ?? true } = patch;
  return { name, ...schedule, ...targets, counts_in_uptime };
}

function scheduleOf({ starts_at, ends_at, ...input }: PreviewWindow, nowMs: number): Schedule {
  const recurrence = recurrenceOf(input.recurrence ?? null);
  if (recurrence?.cron === null && recurrence.rrule !== null && starts_at === undefined) {
    refuse([{ path: '/starts_at', message: 'is missing: it is the DTSTART of the rule', code: 'required' }]);
  }
  if (recurrence === null) {
    const missing = [...(starts_at === undefined ? ['/starts_at'] : []), ...(ends_at == null ? ['/ends_at'] : [])];
    refuse(missing.map((path) => ({ path, message: 'is missing', code: 'required' })));
  }
  return { starts_at_ms: timeOf(starts_at) ?? nowMs, ends_at_ms: timeOf(ends_at), recurrence };
}

function recurrenceOf(input: NonNullable<PreviewWindow['recurrence']> | null): Recurrence | null {
  if (input === null) return null;
  const { cron = null, rrule = null, time_zone, duration_minutes } = input;
  return { cron, rrule: rrule === null ? null : normalRule(rrule), time_zone, duration_minutes };
}

function timeOf(text: string | null | undefined): number | null {
  return text == null ? null : parseTimestamp(text);
}

function targetsOf({ everything, monitor_ids, server_ids, tags }: Partial<Targets>, current: Targets): Targets {
  return {
    everything: everything ?? current.everything,
    monitor_ids: monitor_ids ?? current.monitor_ids,
    server_ids: server_ids ?? current.server_ids,
    tags: tags ?? current.tags,
  };
}

function scheduleErrors(schedule: Schedule, nowMs: number): FieldError[] {
  const { starts_at_ms, ends_at_ms, recurrence } = schedule;
  if (ends_at_ms !== null && ends_at_ms <= starts_at_ms) {
    return [{ path: '/ends_at', message: 'must be after starts_at', code: 'order' }];
  }
  if (ends_at_ms !== null && ends_at_ms <= nowMs) {
    return [{ path: '/ends_at', message: 'must be in the future', code: 'past' }];
  }
  if (recurrence !== null) return recurrenceErrors(schedule, nowMs);
  if (ends_at_ms === null) return [{ path: '/ends_at', message: 'is missing', code: 'required' }];
  if (ends_at_ms - starts_at_ms <= ONCE_DAYS_MAX * DAY_MS) return [];
  return [{ path: '/ends_at', message: `must be at most ${ONCE_DAYS_MAX} days after starts_at` }];
}

function recurrenceErrors(schedule: Schedule, nowMs: number): FieldError[] {
  const { time_zone = '', duration_minutes = 0 } = schedule.recurrence ?? {};
  const errors = timesErrors(schedule);
  if (!isValid(() => createZone(time_zone))) {
    errors.push({ path: '/recurrence/time_zone', message: 'must be the IANA name of a time zone' });
  }
  if (errors.length > 0) return errors;
  const next = nextOccurrences({ ...schedule, extension: null, cut: null }, nowMs, COMPARED);
  const path = typeof schedule.recurrence?.rrule === 'string' ? '/recurrence/rrule' : '/recurrence/cron';
  if (next.length === 0) return [{ path, message: 'names no time before the window ends' }];
  const shortestMs = Math.min(...next.slice(1).map(({ from_ms }, index) => from_ms - (next[index]?.from_ms ?? 0)));
  if (duration_minutes * MINUTE_MS < shortestMs) return [];
  const message = 'must be shorter than the time from one begin to the next: it would never end';
  return [{ path: '/recurrence/duration_minutes', message }];
}

/** Returns the errors in what says when a window begins: a cron expression or a rule, and one of them. */
function timesErrors({ starts_at_ms, recurrence }: Schedule): FieldError[] {
  const { cron = null, rrule = null } = recurrence ?? {};
  if ((cron === null) === (rrule === null)) {
    return [{ path: '/recurrence', message: 'must have either cron or rrule', code: 'required' }];
  }
  if (cron !== null && !isValid(() => createCronTimes(cron))) {
    const message = 'must be a cron expression of five fields, such as 0 2 * * SUN';
    return [{ path: '/recurrence/cron', message }];
  }
  if (rrule === null) return [];
  try {
    parseRule(rrule);
  } catch (err) {
    if (!(err instanceof RuleError)) throw err;
    return [{ path: '/recurrence/rrule', message: err.message }];
  }
  // A time of the rule has no fractions of a second, so that its first one would be before the start.
  const message = 'must be a whole second: it is the DTSTART of the rule';
  return starts_at_ms % SECOND_MS === 0 ? [] : [{ path: '/starts_at', message }];
}

function isValid(create: () => unknown): boolean {
  try {
    create();
    return true;
  } catch {
    return false;
  }
}

/** Nobody means a window for nothing. One whose targets were all deleted may stay so. */
function targetErrors(targets: Targets, current: Targets | null): FieldError[] {
  const { everything } = targets;
  if (everything && !isEmpty(targets)) {
    return [{ path: '/everything', message: 'must be false where monitors, servers or tags are chosen' }];
  }
  if (everything || !isEmpty(targets) || (current !== null && !current.everything && isEmpty(current))) return [];
  const message = 'must not be empty: choose monitors, servers or tags, or set everything';
  return [{ path: '/monitor_ids', message }];
}

function isEmpty({ monitor_ids, server_ids, tags }: Targets): boolean {
  return monitor_ids.length + server_ids.length + tags.length === 0;
}

function refuse(errors: readonly FieldError[]): void {
  if (errors.length > 0) throw invalidFields(errors);
}
