import type { Clock } from '../../kernel/clock.js';
import type { Timeline } from '../incidents/incidents.js';
import type { RunTransaction, Transaction } from '../storage/transaction.js';
import type { ServerDocument, ServerStatus } from './documents.js';
import type { StatusListener } from './servers.js';
import { MISSED_REPORTS, type ServerStore } from './store.js';

const NEXT: Record<ServerStatus, readonly ServerStatus[]> = {
  pending: ['online'],
  online: ['offline'],
  offline: ['online'],
};

/** What a reader is told: a server that has just missed its third report is offline, noted already or not. */
export function statusNow(server: ServerDocument, nowMs: number): ServerStatus {
  if (server.status !== 'online' || server.live === null) return server.status;
  return nowMs - server.live.received_at_ms > MISSED_REPORTS * server.report_interval_ms ? 'offline' : 'online';
}

/** The one place where a server's status changes: with its line on the timeline and what rules make of it. */
export interface StatusChanges {
  /** false when it was not `from` any more. */
  transition(change: {
    id: string;
    from: ServerStatus;
    to: ServerStatus;
    /** For `offline`: the last sign of life that was known; a newer one keeps it online. */
    silentSinceMs?: number;
  }): Promise<boolean>;
}

export function createStatusChanges(dependencies: {
  store: ServerStore;
  runTransaction: RunTransaction;
  timeline: Timeline;
  listener: StatusListener;
  clock: Clock;
}): StatusChanges {
  const { store, runTransaction, timeline, listener, clock } = dependencies;
  return {
    transition({ id, from, to, ...rest }) {
      if (!NEXT[from].includes(to)) return Promise.resolve(false);
      return runTransaction(async (tx) => {
        const atMs = clock.now();
        const server = await store.setStatus(tx, id, { from, to, atMs, ...rest });
        if (server === null) return false;
        await note(tx, timeline, server, { from, to, atMs });
        await listener.changed(tx, server, { from, to, atMs });
        return true;
      });
    },
  };
}

async function note(
  tx: Transaction,
  timeline: Timeline,
  server: ServerDocument,
  { from, to, atMs }: { from: ServerStatus; to: ServerStatus; atMs: number },
): Promise<void> {
  const message =
    to === 'offline'
      ? `${server.name} is offline: its agent has missed ${MISSED_REPORTS} reports.`
      : from === 'pending'
        ? `${server.name} reports for the first time.`
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
