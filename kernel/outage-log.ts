import type { Logger, LoggerOptions } from 'pino';
import { type Clock, toIso } from './clock.js';

/** Repeated messages are counted for so long, and an outage without any for so long has ended. */
const PERIOD_MS = 60_000;
/** Different messages of one outage that are written and counted by themselves. All others are counted together. */
const MESSAGES_MAX = 100;
const OTHERS = 'other messages';

/** An outage of something that many tasks use. */
export interface OutageKind {
  /** What is away: `the database`. */
  of: string;
  /** Whether an error means that it is away. */
  isSign(error: unknown): boolean;
  clock: Pick<Clock, 'every' | 'now'>;
}

interface Outage {
  sinceMs: number;
  lastMs: number;
  /** How often each message came in this period, after it was written once in it. */
  repeated: Map<string, number>;
  /** Of the whole outage. */
  failures: number;
  /** Of this period. */
  failing: boolean;
  end(): void;
}

/**
 * Returns the method through which pino writes each line. Without it, tasks that fail each second because one
 * thing is away would write hundreds of lines a minute. So a line says when an outage begins, then each message about it is
 * written once a minute and counted when it is repeated; once a minute a line has these counts, and the last line says that it
 * ended.
 */
export function onceInOutage(
  outage: OutageKind,
  logger: () => Pick<Logger, 'warn'>,
): NonNullable<NonNullable<LoggerOptions['hooks']>['logMethod']> {
  const isWritten = createOutageLog(outage, (fields, message) => logger().warn(fields, message));
  return function logMethod(args, method) {
    const [fields, message]: unknown[] = args;
    const error = typeof fields === 'object' && fields !== null && 'err' in fields ? fields.err : undefined;
    if (error === undefined || isWritten(error, String(message))) method.apply(this, args);
  };
}

/** Returns a function that decides whether a line of the log is written. */
function createOutageLog(
  { of, isSign, clock }: OutageKind,
  write: (fields: object, message: string) => void,
): (error: unknown, message: string) => boolean {
  let outage: Outage | null = null;

  function begin(): Outage {
    const nowMs = clock.now();
    write({}, `calls of ${of} fail: each message about it is written once a minute, and counted when it is repeated`);
    const timer = clock.every(PERIOD_MS, sumUp);
    return {
      ...{ sinceMs: nowMs, lastMs: nowMs, repeated: new Map(), failures: 0, failing: true },
      end: () => timer.cancel(),
    };
  }

  function sumUp(): void {
    if (outage === null) return;
    const { sinceMs, lastMs, failures, repeated } = outage;
    const since = { since: toIso(sinceMs), failures };
    if (!outage.failing) {
      outage.end();
      outage = null;
      write({ ...since, until: toIso(lastMs) }, `no call of ${of} has failed for a minute`);
      return;
    }
    const counts = Object.fromEntries([...repeated].filter(([, count]) => count > 0));
    // What is written has fields that tell whom it concerns: the next minute it can be somebody else.
    repeated.clear();
    outage.failing = false;
    write({ ...since, repeated: counts }, `calls of ${of} still fail`);
  }

  return (error, message) => {
    if (!isSign(error)) return true;
    outage ??= begin();
    outage.lastMs = clock.now();
    outage.failures += 1;
    outage.failing = true;
    const { repeated } = outage;
    const isNew = !repeated.has(message) && repeated.size < MESSAGES_MAX;
    const key = isNew || repeated.has(message) ? message : OTHERS;
    repeated.set(key, isNew ? 0 : (repeated.get(key) ?? 0) + 1);
    return isNew;
  };
}
