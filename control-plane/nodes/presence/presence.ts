import type { LocationPresence } from '../nodes.js';
import type { Registry } from './registry.js';
import type { AgedPresence, PresenceStore } from './store.js';

/** A row that was not renewed for so long means nothing: its control plane is gone. */
export const PRESENCE_MS_MAX = 30_000;

/** Where every node is, over all control planes: this one's own streams, and the others' as last read. */
export interface Presence {
  refresh(): Promise<void>;
  /** Looks again at this control plane's own streams, without a read. */
  localChanged(): void;
  row(nodeId: string): AgedPresence | null;
  isLive(nodeId: string): boolean;
  /** Probes among which the location's monitors are shared out: live and not drained, sorted. */
  members(location: string): readonly string[];
  of(location: string): LocationPresence;
  connectedProbes(): number;
  onMembersChanged(listener: (location: string) => void): void;
}

export function createPresence(dependencies: {
  store: PresenceStore;
  registry: Registry;
  controlPlane: string;
}): Presence {
  const { store, registry, controlPlane } = dependencies;
  const listeners: ((location: string) => void)[] = [];
  let rows = new Map<string, AgedPresence>();
  let members = new Map<string, string[]>();

  /** Ages are taken at the read: while the database is away nobody grows old, and nothing is shared out anew. */
  function isLive(nodeId: string): boolean {
    if (registry.get(nodeId) !== null) return true;
    const row = rows.get(nodeId);
    if (row === undefined || row.control_plane === controlPlane) return false;
    return row.connected && row.age_ms <= PRESENCE_MS_MAX;
  }
  function localChanged(): void {
    const before = members;
    members = shareholders(rows, registry, isLive);
    for (const location of new Set([...before.keys(), ...members.keys()])) {
      if (before.get(location)?.join() === members.get(location)?.join()) continue;
      for (const listener of listeners) listener(location);
    }
  }
  return {
    async refresh() {
      rows = new Map((await store.all()).map((row) => [row._id, row]));
      localChanged();
    },
    localChanged,
    row: (nodeId) => rows.get(nodeId) ?? null,
    isLive,
    members: (location) => members.get(location) ?? [],
    of: (location) => locationPresence(location, rows, registry, isLive),
    connectedProbes: () => new Set([...rows.keys(), ...registry.all().map(nodeIdOf)].filter(isLive)).size,
    onMembersChanged: (listener) => void listeners.push(listener),
  };
}

const nodeIdOf = (local: ReturnType<Registry['all']>[number]) => local.session.node.nodeId;

function shareholders(
  rows: ReadonlyMap<string, AgedPresence>,
  registry: Registry,
  isLive: (nodeId: string) => boolean,
): Map<string, string[]> {
  const members = new Map<string, string[]>();
  const add = (location: string, nodeId: string) => {
    members.set(location, [...(members.get(location) ?? []), nodeId].sort());
  };
  for (const local of registry.all()) if (!local.drained) add(local.session.node.location, nodeIdOf(local));
  for (const row of rows.values()) {
    if (registry.get(row._id) === null && !row.drained && isLive(row._id)) add(row.location, row._id);
  }
  return members;
}

function locationPresence(
  location: string,
  rows: ReadonlyMap<string, AgedPresence>,
  registry: Registry,
  isLive: (nodeId: string) => boolean,
): LocationPresence {
  let connectedProbes = 0;
  let lastConnectedAtMs: number | null = null;
  const canaries: boolean[] = [];
  const here = registry.all().filter((local) => local.session.node.location === location);
  for (const { session } of here) {
    connectedProbes += 1;
    const report = session.report();
    if (report !== null && report.canaries > 0) canaries.push(report.canary_ok);
  }
  for (const row of rows.values()) {
    if (row.location !== location) continue;
    lastConnectedAtMs = Math.max(lastConnectedAtMs ?? 0, row.seen_at.getTime());
    if (registry.get(row._id) !== null || !isLive(row._id)) continue;
    connectedProbes += 1;
    if (row.report !== null && row.report.canaries > 0) canaries.push(row.report.canary_ok);
  }
  return { connectedProbes, lastConnectedAtMs, canaryOk: canaries.length === 0 ? null : canaries.includes(true) };
}
