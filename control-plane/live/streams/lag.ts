import type { Clock } from '../../../kernel/clock.js';
import type { Logger } from '../../../kernel/logger.js';

/** What happened longer ago than this may be missing on the streams before their clients are told. */
const LAG_MS_MAX = 5_000;
/**
 * It ends when less than this was missing for a while. The lag falls at the end of each read and grows until the next one:
 * a database near the limit would otherwise end it and begin it again with each read.
 */
const CALM_LAG_MS_MAX = 4_000;
/** Longer than the lag can stay small while reads come near the limit. */
const CALM_MS = 5_000;

/** Knows up to when the streams are complete. */
export interface Lag {
  /** A read of the log that began at this time, on the monotonic clock, has found everything. */
  completed(beganMs: number): void;
  /** What may be missing on the streams began this long ago. */
  ms(): number;
  isBehind(): boolean;
  /** Looks again; to be called often. */
  tick(): void;
}

/** `onChange` is called by `tick` when the streams have fallen behind, and when they are in time for a while. */
export function createLag(needs: {
  clock: Pick<Clock, 'monotonic'>;
  logger: Logger;
  onChange(isBehind: boolean): void;
}): Lag {
  const { clock, logger, onChange } = needs;
  let completeMs = clock.monotonic();
  let isBehind = false;
  /** When the lag was last too large to end it. */
  let uneasyMs = completeMs;
  const ms = () => clock.monotonic() - completeMs;
  return {
    ms,
    isBehind: () => isBehind,
    completed(beganMs) {
      completeMs = beganMs;
    },
    tick() {
      const lagMs = ms();
      if (lagMs > CALM_LAG_MS_MAX) uneasyMs = clock.monotonic();
      if (isBehind ? clock.monotonic() - uneasyMs < CALM_MS : lagMs <= LAG_MS_MAX) return;
      isBehind = !isBehind;
      if (isBehind) logger.warn({ lag_ms: Math.round(ms()) }, 'events come late: reading their log takes too long');
      else logger.info('events come in time again');
      onChange(isBehind);
    },
  };
}
