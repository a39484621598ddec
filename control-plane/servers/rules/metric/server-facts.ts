import type { Clock } from '../../../../kernel/clock.js';
import type { ServerDirectory, ServerFacts } from '../../servers.js';

/** Tags and sample intervals of servers, in memory for a minute. */
export interface ServerFactsCache {
  /** Returns null for a server that does not exist. */
  get(workspaceId: string, serverId: string): Promise<ServerFacts | null>;
  /** Makes the next `get` read the server again. */
  invalidate(serverId: string): void;
}

/** A change by another control plane is seen within this time. */
const KEPT_MS = 60_000;
const SERVERS_MAX = 20_000;

export function createServerFactsCache(needs: {
  servers: Pick<ServerDirectory, 'findMany'>;
  clock: Pick<Clock, 'monotonic'>;
}): ServerFactsCache {
  const { servers, clock } = needs;
  const known = new Map<string, { facts: ServerFacts; readMs: number }>();
  return {
    async get(workspaceId, serverId) {
      const entry = known.get(serverId);
      if (entry !== undefined && clock.monotonic() - entry.readMs < KEPT_MS) return entry.facts;
      known.delete(serverId);
      const readMs = clock.monotonic();
      const [facts] = await servers.findMany(workspaceId, [serverId]);
      if (facts === undefined) return null;
      known.set(serverId, { facts, readMs });
      const [oldest] = known.keys();
      if (known.size > SERVERS_MAX && oldest !== undefined) known.delete(oldest);
      return facts;
    },
    invalidate: (serverId) => void known.delete(serverId),
  };
}
