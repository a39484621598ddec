import type { Clock } from '../../kernel/clock.js';
import type { Logger } from '../../kernel/logger.js';
import { createRateCounter, type RateCounter } from '../http/limits/rate-counter.js';
import type { RateLimitStore } from '../http/limits/rate-limit-store.js';
import { ACCESS_REFUSED, type RecordRefusal } from '../http/refusals.js';
import { printable } from '../printable.js';
import type { RunTransaction } from '../storage/transaction.js';
import type { AuditLog } from './audit.js';

/** Maximum number of entries per minute of one person in a workspace. Further refusals of that minute have none. */
const ENTRIES_PER_MINUTE_MAX = 20;
const DETAIL_CHARS_MAX = 300;
/** The same request of the same person or key leaves one `access.refused` in this time, on each control plane. */
const REPEATED_AFTER_MS = 3_600_000;
const REMEMBERED_MAX = 10_000;

/** Records refused requests in the audit log. */
export interface Refusals extends Pick<RateCounter, 'start' | 'stop'> {
  record: RecordRefusal;
}

/** The entry is written before the response is sent, so that every refusal that a client saw is recorded. */
export function createRefusals(needs: {
  audit: AuditLog;
  runTransaction: RunTransaction;
  store: RateLimitStore;
  clock: Clock;
  logger: Logger;
}): Refusals {
  const { audit, runTransaction, logger } = needs;
  const counter = createRateCounter({ ...needs, exchangedFrom: 1 });
  const recent = createRecent(needs.clock);
  return {
    start: counter.start,
    stop: counter.stop,
    async record({ actor, action, request, target, code, detail }) {
      // A program that asks each second for what it may not read must neither fill the log nor hide other refusals.
      const isAccess = action === ACCESS_REFUSED;
      if (isAccess && !recent.isFirst(`${actor.workspaceId}/${actor.userId}/${actor.key?.id ?? ''}/${request}`)) return;
      const bucket = `refusals/${isAccess ? 'access/' : ''}${actor.workspaceId}/${actor.userId}`;
      if (counter.used(bucket) >= ENTRIES_PER_MINUTE_MAX) return;
      counter.add(bucket);
      const entry = {
        action,
        resource: { type: 'workspace', id: actor.workspaceId, name: actor.workspaceName },
        metadata: { request, target, code, detail: printable(detail, DETAIL_CHARS_MAX), role: actor.role },
      };
      try {
        await runTransaction((tx) => audit.record(tx, actor, entry));
      } catch (err) {
        logger.error({ err, action, workspace: actor.workspaceId }, 'recording a refusal in the audit log failed');
      }
    },
  };
}

/** Remembers what was asked for within `REPEATED_AFTER_MS`, the newest `REMEMBERED_MAX`. */
function createRecent(clock: Pick<Clock, 'now'>) {
  const atMs = new Map<string, number>();
  return {
    /** Whether it was not asked for recently. */
    isFirst(what: string): boolean {
      const nowMs = clock.now();
      const before = atMs.get(what);
      if (before !== undefined && Math.abs(nowMs - before) < REPEATED_AFTER_MS) return false;
      atMs.delete(what);
      atMs.set(what, nowMs);
      const [oldest] = atMs.keys();
      if (atMs.size > REMEMBERED_MAX && oldest !== undefined) atMs.delete(oldest);
      return true;
    },
  };
}
