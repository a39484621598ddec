import type { RunTransaction, Transaction } from '../storage/transaction.js';
import type { Timeline } from '../timeline/timeline.js';
import type { ListedServer, ServerDocument, ServerStatus } from './documents.js';
import { heardAtMs, MISSED_SAMPLES } from './live-store.js';
import type { StatusListener } from './servers.js';
import type { ServerStore } from './store.js';

const NEXT: Record<ServerStatus, readonly ServerStatus[]> = {
  pending: ['online'],
  online: ['offline'],
  offline: ['online'],
};

/**
 * Returns the time up to which the status of the server is known, in milliseconds since the Unix epoch: for an online
 * server when its latest samples arrived, for any other until when control planes received samples, which is now unless
 * they are or were away.
 */
export function statusAsOfMs(server: ListedServer, receivedUntilMs: number | null): number {
  const changedMs = server.status_changed_at_ms;
  if (server.status === 'online') return heardAtMs(server) ?? changedMs;
  return Math.max(changedMs, receivedUntilMs ?? changedMs);
}

/** The only code that changes the status of a server. It also writes the timeline and calls the alert rules. */
export interface StatusChanges {
  /** Resolves to false if the status was not `from`. */
  transition(change: {
    id: string;
    from: ServerStatus;
    to: ServerStatus;
    /** For `offline`: when the latest known samples arrived. Newer ones keep the server online. */
    heardAt?: Date | null;
  }): Promise<boolean>;
}

export function createStatusChanges(needs: {
  store: ServerStore;
  runTransaction: RunTransaction;
  timeline: Timeline;
  listener: StatusListener;
  /** Resolves to the time of the database, which is the same for all control planes. */
  databaseTime(): Promise<number>;
}): StatusChanges {
  const { store, runTransaction, timeline, listener, databaseTime } = needs;
  return {
    async transition({ id, from, to, ...rest }) {
      if (!NEXT[from].includes(to)) return false;
      const atMs = await databaseTime();
      return runTransaction(async (tx) => {
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
