import type { Clock } from '../clock.js';
import type { Logger } from '../logger.js';

/** A target that is refused at every check is in the log once in this time. */
const PERIOD_MS = 3_600_000;
const KNOWN_MAX = 1_000;

/** Records for the operator which address a target had; `refusal` names it and says why it is refused. */
export type BlockedLog = (host: string, refusal: string) => void;

/** The customer does not read the address: the names of the operator's network would be resolved for anybody. */
export function createBlockedLog(logger: Pick<Logger, 'info'>, clock: Pick<Clock, 'monotonic'>): BlockedLog {
  const writtenAtMs = new Map<string, number>();
  return (host, refusal) => {
    const key = `${host} ${refusal}`;
    const nowMs = clock.monotonic();
    if (nowMs - (writtenAtMs.get(key) ?? Number.NEGATIVE_INFINITY) < PERIOD_MS) return;
    writtenAtMs.delete(key);
    writtenAtMs.set(key, nowMs);
    if (writtenAtMs.size > KNOWN_MAX) {
      const oldest = writtenAtMs.keys().next();
      if (!oldest.done) writtenAtMs.delete(oldest.value);
    }
    logger.info({ host, refusal }, 'a target points to an address that is not allowed');
  };
}
