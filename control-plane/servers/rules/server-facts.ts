import type { Clock } from '../../../kernel/clock.js';
import type { ServerDirectory, ServerFacts } from '../servers.js';

/** Tags and intervals of servers that report, kept for a while. */
export interface ServerFactsCache {
  /** null for a server that does not exist. */
  get(workspaceId: string, serverId: string): Promise<ServerFacts | null>;
  forget(serverId: string): void;
}

/** A change that another control plane made is seen within so long. */
const KEPT_MS = 60_000;
const SERVERS_MAX = 20_000;

export function createServerFactsCache(deps: {
  servers: Pick<ServerDirectory, 'findMany'>;
  clock: Pick<Clock, 'monotonic'>;
}): ServerFactsCache {
  const { servers, clock } = deps;
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
    forget: (serverId) => void known.delete(serverId),
  };
}
