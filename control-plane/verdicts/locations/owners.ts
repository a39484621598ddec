import type { Clock } from '../../../kernel/clock.js';

/** Who owns a workspace. */
export interface Ownership {
  workspaceId: string;
  userId: string;
}

/** Who owns workspaces: all workspaces that are connected by a common owner have one and the same. */
export interface Owners {
  /** Returns a function that names the owner of a workspace. */
  of(workspaceIds: Iterable<string>): Promise<(workspaceId: string) => string>;
}

/** Workspaces change hands rarely, and many workspaces can have monitors at a location. */
const OWNERS_KEPT_MS = 60_000;

/** `ownersOf` is called while locations look broken, for the workspaces with monitors there. */
export function createOwners(needs: {
  clock: Clock;
  ownersOf(workspaceIds: readonly string[]): Promise<Ownership[]>;
}): Owners {
  const { clock } = needs;
  let readAtMs = Number.NEGATIVE_INFINITY;
  let known = new Set<string>();
  let names: ReadonlyMap<string, string> = new Map();
  return {
    async of(workspaceIds) {
      const nowMs = clock.monotonic();
      const asked = [...workspaceIds];
      const isOld = nowMs - readAtMs >= OWNERS_KEPT_MS;
      if (isOld || asked.some((id) => !known.has(id))) {
        // Those of other locations stay until all are read again.
        const next = new Set(isOld ? asked : [...known, ...asked]);
        // A single workspace has nobody beside it.
        names = next.size < 2 ? new Map() : ownerNames(await needs.ownersOf([...next]));
        known = next;
        if (isOld) readAtMs = nowMs;
      }
      const current = names;
      return (workspaceId) => current.get(workspaceId) ?? workspaceId;
    },
  };
}

/** Returns the name of the owner of each workspace: one of the workspaces that share it. Pure. */
function ownerNames(ownerships: readonly Ownership[]): Map<string, string> {
  const parents = new Map<string, string>();
  const root = (id: string): string => {
    let at = id;
    for (let next = parents.get(at); next !== undefined && next !== at; next = parents.get(at)) at = next;
    return at;
  };
  const firstOf = new Map<string, string>();
  for (const { workspaceId, userId } of ownerships) {
    const first = firstOf.get(userId) ?? workspaceId;
    firstOf.set(userId, first);
    const [a, b] = [root(first), root(workspaceId)];
    parents.set(b, a);
  }
  return new Map(ownerships.map(({ workspaceId }) => [workspaceId, root(workspaceId)]));
}
