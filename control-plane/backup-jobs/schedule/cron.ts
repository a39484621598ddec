import { parse, validateDetailed } from 'node-cron';

/** The times of a cron expression, field by field. */
export interface CronFields {
  minutes: ReadonlySet<number>;
  hours: ReadonlySet<number>;
  /** Of the month, from 1. */
  days: ReadonlySet<number>;
  /** From 1. */
  months: ReadonlySet<number>;
  /** From 0 for Sunday. */
  weekdays: ReadonlySet<number>;
  /** Whether the days of the month count as limited, and whether those of the week do: only by how the field begins, as in cron. */
  limits: { days: boolean; weekdays: boolean };
}

const FIELDS = 5;
/** A field that begins like this limits no days for cron, whatever follows. */
const ANY = /^[*?]/;

/**
 * Returns the times of a cron expression of five fields; null for any other text. node-cron reads it. Its extensions for
 * seconds and for days such as `L` or `MON#1` are refused: they are not what the job's own cron understands.
 */
export function readCron(expression: string): CronFields | null {
  const fields = expression.trim().split(/\s+/);
  if (fields.length !== FIELDS || !validateDetailed(expression).valid) return null;
  const { minute, hour, dayOfMonth, month, dayOfWeek } = parse(expression);
  const [days, weekdays] = [numbers(dayOfMonth), numbers(dayOfWeek)];
  if (days === null || weekdays === null) return null;
  return {
    minutes: new Set(minute),
    hours: new Set(hour),
    days,
    months: new Set(month),
    weekdays,
    limits: { days: !ANY.test(fields[2] ?? ''), weekdays: !ANY.test(fields[4] ?? '') },
  };
}

/** Returns null if one of them is no number. */
function numbers(values: readonly (number | string)[]): Set<number> | null {
  const read = values.filter((value) => typeof value === 'number');
  return read.length === values.length ? new Set(read) : null;
}
