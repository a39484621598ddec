import type { DependencyDocument, Dependent } from './documents.js';

type Edge = Dependent & Pick<DependencyDocument, 'on_monitor_id'>;

/** Something that may depend on monitors. */
interface Thing {
  type: string;
  id: string;
  tags: readonly string[];
}

/** What depends on what in one workspace. All functions are pure. */
export interface Graph {
  /**
   * Returns the monitors that a thing depends on, the nearest first. Those that depend on the thing too are left out: a change of
   * tags can close a circle, and then nothing in it may silence the rest of it.
   */
  ancestorsOf(thing: Thing): string[];
  /** Whether a dependency would let two monitors depend on each other. */
  closesCircle(dependent: Dependent, on: Thing): boolean;
  /** Returns how many monitors the longest chain has; a circle ends it. */
  longestChain(): number;
  /** Returns what depends on a monitor, directly or not: ids of monitors and servers, and tags. */
  descendantsOf(monitorId: string): { monitorIds: string[]; serverIds: string[]; tags: string[] };
}

/** `parents` are the monitors on which something depends, with the tags that they have now. */
export function createGraph(
  edges: readonly Edge[],
  parents: readonly { id: string; tags: readonly string[] }[],
): Graph {
  const byDependent = new Map<string, Edge[]>();
  for (const edge of edges) {
    const same = byDependent.get(keyOf(edge)) ?? [];
    same.push(edge);
    byDependent.set(keyOf(edge), same);
  }
  const tagsOf = new Map(parents.map(({ id, tags }) => [id, tags]));

  function reachOf({ type, id, tags }: Thing): Set<string> {
    const reached = new Set<string>();
    const waiting = [`${type}:${id}`, ...tags.map((tag) => `tag:${tag}`)];
    for (const key of waiting) {
      for (const { on_monitor_id: on } of byDependent.get(key) ?? []) {
        if (reached.has(on)) continue;
        reached.add(on);
        waiting.push(`monitor:${on}`, ...(tagsOf.get(on) ?? []).map((tag) => `tag:${tag}`));
      }
    }
    return reached;
  }
  const monitor = (id: string): Thing => ({ type: 'monitor', id, tags: tagsOf.get(id) ?? [] });
  const reaches = new Map<string, ReadonlySet<string>>();
  /** Each is computed once: an outage of much asks for them again and again. */
  function reachOfMonitor(id: string): ReadonlySet<string> {
    const reach = reaches.get(id) ?? reachOf(monitor(id));
    reaches.set(id, reach);
    return reach;
  }

  const chains = new Map<string, number>();
  function chainOf(id: string): number {
    const known = chains.get(id);
    if (known !== undefined) return known;
    chains.set(id, 0);
    const keys = [`monitor:${id}`, ...(tagsOf.get(id) ?? []).map((tag) => `tag:${tag}`)];
    const above = keys.flatMap((key) => byDependent.get(key) ?? []).filter(({ on_monitor_id }) => on_monitor_id !== id);
    const length = 1 + above.reduce((longest, { on_monitor_id }) => Math.max(longest, chainOf(on_monitor_id)), 0);
    chains.set(id, length);
    return length;
  }

  return {
    ancestorsOf(thing) {
      const reached = [...reachOf(thing)].filter((id) => id !== thing.id);
      const isParent = thing.type === 'monitor' && tagsOf.has(thing.id);
      return isParent ? reached.filter((id) => !reachOfMonitor(id).has(thing.id)) : reached;
    },
    closesCircle({ monitor_id, tag }, on) {
      if (monitor_id === on.id) return true;
      return [...reachOf(on)].some(
        (id) => id !== on.id && (id === monitor_id || (tag !== null && (tagsOf.get(id) ?? []).includes(tag))),
      );
    },
    longestChain: () => edges.reduce((longest, { on_monitor_id }) => Math.max(longest, chainOf(on_monitor_id)), 0),
    descendantsOf(monitorId) {
      const reaching = [...tagsOf.keys()].filter((id) => id !== monitorId && reachOfMonitor(id).has(monitorId));
      const on = new Set([monitorId, ...reaching]);
      const below = edges.filter(({ on_monitor_id }) => on.has(on_monitor_id));
      const listed = (field: keyof Dependent) => [
        ...new Set(below.flatMap((edge) => (edge[field] === null ? [] : [edge[field]]))),
      ];
      return { monitorIds: listed('monitor_id'), serverIds: listed('server_id'), tags: listed('tag') };
    },
  };
}

function keyOf({ monitor_id, server_id, tag }: Dependent): string {
  if (monitor_id !== null) return `monitor:${monitor_id}`;
  return server_id !== null ? `server:${server_id}` : `tag:${tag}`;
}
