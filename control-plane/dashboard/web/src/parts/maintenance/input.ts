import type { MaintenanceWindow } from '../../api/types.ts';
import { isSame } from '../../components/editing/paths.ts';
import { tagsOf, tagsText } from '../../components/form/tags.ts';

/** What the form has. Numbers are as typed; times are those of the browser's time zone. */
export interface WindowInput {
  name: string;
  when: 'once' | 'repeats' | 'rule';
  starts_at: string;
  ends_at: string;
  recurrence: { cron: string; rrule: string; time_zone: string; duration_minutes: string };
  targets: 'everything' | 'chosen';
  monitor_ids: string[];
  server_ids: string[];
  tags: string;
  counts_in_uptime: boolean;
}

/** The fields of the API that say when a window applies. */
export interface ScheduleBody {
  starts_at?: string;
  ends_at?: string | null;
  recurrence?: Record<string, unknown>;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;

/** Returns the form of a new window: in an hour, for an hour. */
export function emptyWindow(nowMs: number): WindowInput {
  const startMs = Math.ceil(nowMs / HOUR_MS) * HOUR_MS;
  const time_zone = new Intl.DateTimeFormat().resolvedOptions().timeZone;
  return {
    ...{ name: '', when: 'once', starts_at: typed(startMs), ends_at: typed(startMs + HOUR_MS) },
    recurrence: { cron: '0 2 * * SUN', rrule: 'FREQ=MONTHLY;BYDAY=2SU', time_zone, duration_minutes: '120' },
    targets: 'chosen',
    monitor_ids: [],
    server_ids: [],
    tags: '',
    counts_in_uptime: true,
  };
}

/** Returns the form of a stored window. */
export function inputOf(window: MaintenanceWindow): WindowInput {
  const { recurrence, ends_at } = window;
  const begins = emptyWindow(Date.parse(window.starts_at));
  return {
    name: window.name,
    when: recurrence === null ? 'once' : recurrence.rrule === null ? 'repeats' : 'rule',
    starts_at: typed(Date.parse(window.starts_at)),
    ends_at: ends_at === null ? '' : typed(Date.parse(ends_at)),
    recurrence:
      recurrence === null
        ? begins.recurrence
        : {
            cron: recurrence.cron ?? '',
            rrule: recurrence.rrule ?? '',
            time_zone: recurrence.time_zone,
            duration_minutes: String(recurrence.duration_minutes),
          },
    targets: window.everything ? 'everything' : 'chosen',
    ...{ monitor_ids: window.monitor_ids, server_ids: window.server_ids, tags: tagsText(window.tags) },
    counts_in_uptime: window.counts_in_uptime,
  };
}

/** Returns the schedule as the API reads it; null while it is not complete. Pure. */
export function scheduleBody({ when, starts_at, ends_at, recurrence }: WindowInput): ScheduleBody | null {
  if (when === 'once') {
    const [from, to] = [isoOf(starts_at), isoOf(ends_at)];
    return from === null || to === null ? null : { starts_at: from, ends_at: to };
  }
  const { cron, rrule, time_zone, duration_minutes } = recurrence;
  const minutes = duration_minutes.trim();
  const from = when === 'rule' ? isoOf(starts_at) : null;
  if (when === 'rule' && from === null) return null;
  return {
    ...(from === null ? {} : { starts_at: from }),
    recurrence: {
      ...(when === 'rule' ? { rrule: rrule.trim() } : { cron: cron.trim() }),
      time_zone: time_zone.trim(),
      // What is no number is sent as it is, so that the API says why not.
      duration_minutes: /^\d+$/.test(minutes) ? Number(minutes) : minutes,
    },
  };
}

/** Returns the body that creates or changes a window. Pure. */
export function windowBody(input: WindowInput): Record<string, unknown> {
  const isChosen = input.targets === 'chosen';
  return {
    name: input.name.trim(),
    ...(scheduleBody(input) ?? {}),
    everything: !isChosen,
    monitor_ids: isChosen ? input.monitor_ids : [],
    server_ids: isChosen ? input.server_ids : [],
    tags: isChosen ? tagsOf(input.tags) : [],
    counts_in_uptime: input.counts_in_uptime,
  };
}

/** Returns the body that changes what differs from the stored window; null if nothing does. Pure. */
export function changedBody(before: MaintenanceWindow, input: WindowInput): Record<string, unknown> | null {
  const was = windowBody(inputOf(before));
  const changed = Object.entries(windowBody(input)).filter(([field, value]) => !isSame(value, was[field]));
  return changed.length === 0 ? null : Object.fromEntries(changed);
}

/** Returns a time as the browser's field for dates with a time has it. */
function typed(atMs: number): string {
  const local = new Date(atMs - new Date(atMs).getTimezoneOffset() * MINUTE_MS);
  return local.toISOString().slice(0, 'YYYY-MM-DDTHH:MM'.length);
}

function isoOf(text: string): string | null {
  const at = new Date(text);
  return text === '' || Number.isNaN(at.getTime()) ? null : at.toISOString();
}
