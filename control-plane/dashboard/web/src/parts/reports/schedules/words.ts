import type { ReportSchedule, ReportScheduleRun } from '../../../api/types.ts';
import type { State } from '../../../components/status-mark.tsx';
import { currentLocale } from '../../../texts/language.ts';
import { type Said, say } from '../../../texts/said.ts';
import { texts } from './texts/texts.ts';
import { WEEKDAYS, whenOf } from './when.ts';

const weekdayFormat = new Intl.DateTimeFormat(currentLocale(), { weekday: 'long', timeZone: 'UTC' });
/** A Monday. */
const MONDAY_MS = Date.UTC(2026, 0, 5);
const DAY_MS = 86_400_000;

/** `Monday`, of `MON`. */
export const weekdayName = (weekday: string): string =>
  weekdayFormat.format(new Date(MONDAY_MS + WEEKDAYS.indexOf(weekday) * DAY_MS));

/** `on day 1 of each month at 08:00`, or the expression. Pure. */
export function whenWords(cron: string): string {
  const { kind, day, weekday, time } = whenOf(cron);
  if (kind === 'month') return day === 'L' ? texts.monthlyLast(time) : texts.monthly(day, time);
  return kind === 'week' ? texts.weekly(weekdayName(weekday), time) : texts.byCron(cron);
}

/** Returns which months have no report, of a day that some months do not have; null for other days. Pure. */
export function missingDayWords(day: string): string | null {
  return Object.hasOwn(texts.missingDays, day) ? (texts.missingDays[day] ?? null) : null;
}

/** Returns when the next report is made. Pure. */
export function nextWords({ enabled, next_occurrences: [next] }: ReportSchedule): Said {
  if (!enabled) return [texts.paused];
  return next === undefined ? [texts.never] : say((time) => texts.next(time(next, 'at')));
}

/** What became of a run: its mark, and a word or how many mails went where. */
export interface Outcome {
  mark: State;
  words: string;
  isBad: boolean;
}

const BAD = { skipped: 'warning', failed: 'down' } as const;

/** Returns what became of a run. Pure. */
export function outcomeOf({ status, recipients }: ReportScheduleRun): Outcome {
  if (status === 'generating') return { mark: 'info', words: texts.generating, isBad: false };
  if (status !== 'sent') return { mark: BAD[status], words: texts.outcomes[status], isBad: true };
  const count = (wanted: (typeof recipients)[number]['status']) =>
    recipients.filter((one) => one.status === wanted).length;
  const [sent, queued, failed] = [count('sent'), count('queued'), count('failed')];
  const parts = [
    ...(sent > 0 ? [texts.sentTo(sent)] : []),
    ...(queued > 0 ? [texts.queuedFor(queued)] : []),
    ...(failed > 0 ? [texts.failedFor(failed)] : []),
    ...(count('unconfirmed') > 0 ? [texts.unconfirmedBy(count('unconfirmed'))] : []),
    ...(count('unknown') > 0 ? [texts.unknownFor(count('unknown'))] : []),
  ];
  return { mark: markOf(sent, queued, failed), words: parts.join(', '), isBad: failed > 0 };
}

function markOf(sent: number, queued: number, failed: number): State {
  if (failed > 0) return sent + queued === 0 ? 'down' : 'warning';
  return queued > 0 ? 'info' : sent > 0 ? 'up' : 'unknown';
}
