import type { Backlog } from '../../../slice.js';
import type { ForwarderStore } from '../store.js';
import type { ForwardedEntries } from './entries-store.js';

/** An entry is sealed within two seconds and sent at once. */
const LATE_MS = 5 * 60_000;
/** Each needs two reads, and those that fail are the first. */
const FORWARDERS_MAX = 50;

/** Returns how many audit entries wait for their receivers. */
export function createForwardBacklog(needs: {
  store: Pick<ForwarderStore, 'behind'>;
  entries: Pick<ForwardedEntries, 'waiting'>;
  /** Of some workspaces, those whose plan includes forwarding. */
  entitled(workspaceIds: readonly string[]): Promise<ReadonlySet<string>>;
}): Backlog {
  const { store, entries, entitled } = needs;
  return {
    ...{ name: 'audit_forwarding', lateMs: LATE_MS },
    async read(countMax) {
      const forwarders = await store.behind(FORWARDERS_MAX);
      const included = await entitled(forwarders.map(({ workspace_id }) => workspace_id));
      let waiting = 0;
      const since: number[] = [];
      for (const { workspace_id, cursor, severities } of forwarders) {
        if (!included.has(workspace_id) || waiting >= countMax) continue;
        const { events, firstMs } = await entries.waiting(workspace_id, cursor.id, severities, countMax - waiting);
        waiting += events;
        if (firstMs !== null) since.push(firstMs);
      }
      return { waiting, oldestMs: since.length === 0 ? null : Math.min(...since) };
    },
  };
}
