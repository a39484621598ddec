import type { Clock } from '../../kernel/clock.js';
import type { RunTransaction, Transaction } from '../storage/transaction.js';
import type { Timeline } from '../timeline/timeline.js';
import type { ServerDocument, ServerStatus } from './documents.js';
import { MISSED_SAMPLES } from './live-store.js';
import type { StatusListener } from './servers.js';
import type { ServerStore } from './store.js';

const NEXT: Record<ServerStatus, readonly ServerStatus[]> = {
  pending: ['online'],
  online: ['offline'],
  offline: ['online'],
};

/** Returns the status for display: `offline` as soon as three samples are missing, even before the job stores it. */
export function statusNow(server: ServerDocument, nowMs: number): ServerStatus {
  if (server.status !== 'online' || server.live === null) return server.status;
  return nowMs - server.live.received_at_ms > MISSED_SAMPLES * server.report_interval_ms ? 'offline' : 'online';
}

/** The only code that changes the status of a server. It also writes the timeline and calls the alert rules. */
export interface StatusChanges {
  /** Resolves to false if the status was not `from`. */
  transition(change: {
    id: string;
    from: ServerStatus;
    to: ServerStatus;
    /** For `offline`: when the latest known sample arrived. A newer sample keeps the server online. */
    silentSinceMs?: number;
  }): Promise<boolean>;
}

export function createStatusChanges(needs: {
  store: ServerStore;
  runTransaction: RunTransaction;
  timeline: Timeline;
  listener: StatusListener;
  clock: Clock;
}): StatusChanges {
  const { store, runTransaction, timeline, listener, clock } = needs;
  return {
    transition({ id, from, to, ...rest }) {
      if (!NEXT[from].includes(to)) return Promise.resolve(false);
      return runTransaction(async (tx) => {
        const atMs = clock.now();
        const server = await store.setStatus(tx, id, { from, to, atMs, ...rest });
        if (server === null) return false;
        await recordChange(tx, timeline, server, { from, to, atMs });
        await listener.changed(tx, server, { from, to, atMs });
        return true;
      });
    },
  };
}

async function recordChange(
  tx: Transaction,
  timeline: Timeline,
  server: ServerDocument,
  { from, to, atMs }: { from: ServerStatus; to: ServerStatus; atMs: number },
): Promise<void> {
  const message =
    to === 'offline'
      ? `${server.name} is offline: its agent missed ${MISSED_SAMPLES} samples in a row.`
      : from === 'pending'
        ? `${server.name} sent its first sample.`
        : `${server.name} is online again.`;
  await timeline.record(tx, [
    {
      workspaceId: server.workspace_id,
      atMs,
      type: 'server.status_changed',
      resource: { type: 'server', id: server._id, name: server.name },
      message,
      actor: 'system',
      metadata: { from, to },
    },
  ]);
}
