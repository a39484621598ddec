import type { Clock } from '../../../kernel/clock.js';
import type { NodeStatus } from '../documents.js';
import type { LocationPresence } from '../nodes.js';
import type { LocalProbe, ProbeSessions } from '../probes/sessions.js';
import type { AgedPresence, PresenceStore } from './store.js';

/** A row that was not renewed for this long is invalid: its control plane has stopped. */
const PRESENCE_MS_MAX = 30_000;

/** `seenAtMs` is `seen_at` by the clock of this control plane, which those who read `lastCheckingAtMs` compare it with. */
type PresenceRow = AgedPresence & { seenAtMs: number };

/**
 * Which probes are connected to any control plane: the streams of this one, and those of the others as of the last
 * read.
 */
export interface Presence {
  refresh(): Promise<void>;
  /** Updates the members from the streams of this control plane, without a read. */
  localChanged(): void;
  row(nodeId: string): AgedPresence | null;
  isLive(nodeId: string): boolean;
  /** Returns the probes that share the location's monitors: live and not drained, sorted. */
  members(location: string): readonly string[];
  of(location: string): LocationPresence;
  connectedProbes(): number;
  /** Returns the last status of each live probe that has sent one. */
  statuses(): { nodeId: string; location: string; status: NodeStatus }[];
  onMembersChanged(listener: (location: string) => void): void;
}

export function createPresence(needs: {
  store: Pick<PresenceStore, 'all'>;
  sessions: ProbeSessions;
  controlPlane: string;
  clock: Pick<Clock, 'now'>;
}): Presence {
  const { store, sessions, controlPlane, clock } = needs;
  const listeners: ((location: string) => void)[] = [];
  let rows = new Map<string, PresenceRow>();
  let members = new Map<string, string[]>();

  /** Uses the age at the last read, so that no monitor moves to another probe while the database is unavailable. */
  function isLive(nodeId: string): boolean {
    if (sessions.get(nodeId) !== null) return true;
    const row = rows.get(nodeId);
    if (row === undefined || row.control_plane === controlPlane) return false;
    return row.connected && row.age_ms <= PRESENCE_MS_MAX;
  }
  function localChanged(): void {
    const before = members;
    members = membersByLocation(rows, sessions, isLive);
    for (const location of new Set([...before.keys(), ...members.keys()])) {
      if (before.get(location)?.join() === members.get(location)?.join()) continue;
      for (const listener of listeners) listener(location);
    }
  }
  return {
    async refresh() {
      const read = await store.all();
      const nowMs = clock.now();
      rows = new Map(read.map((row) => [row._id, { ...row, seenAtMs: nowMs - row.age_ms }]));
      localChanged();
    },
    localChanged,
    row: (nodeId) => rows.get(nodeId) ?? null,
    isLive,
    members: (location) => members.get(location) ?? [],
    of: (location) => locationPresence(location, rows, sessions, isLive),
    connectedProbes: () => new Set([...rows.keys(), ...sessions.all().map(nodeIdOf)].filter(isLive)).size,
    statuses: () => [
      ...sessions.all().flatMap(({ session }) => statusOf(session.node, session.status())),
      ...[...rows.values()]
        .filter((row) => sessions.get(row._id) === null && isLive(row._id))
        .flatMap((row) => statusOf({ nodeId: row._id, location: row.location }, row.report)),
    ],
    onMembersChanged: (listener) => void listeners.push(listener),
  };
}

const nodeIdOf = (local: LocalProbe) => local.session.node.nodeId;

function statusOf({ nodeId, location }: { nodeId: string; location: string }, status: NodeStatus | null) {
  return status === null ? [] : [{ nodeId, location, status }];
}

function membersByLocation(
  rows: ReadonlyMap<string, AgedPresence>,
  sessions: ProbeSessions,
  isLive: (nodeId: string) => boolean,
): Map<string, string[]> {
  const members = new Map<string, string[]>();
  const add = (location: string, nodeId: string) => {
    members.set(location, [...(members.get(location) ?? []), nodeId].sort());
  };
  for (const local of sessions.all()) if (!local.drained) add(local.session.node.location, nodeIdOf(local));
  for (const row of rows.values()) {
    if (sessions.get(row._id) === null && !row.drained && isLive(row._id)) add(row.location, row._id);
  }
  return members;
}

function locationPresence(
  location: string,
  rows: ReadonlyMap<string, PresenceRow>,
  sessions: ProbeSessions,
  isLive: (nodeId: string) => boolean,
): LocationPresence {
  let connectedProbes = 0;
  let checkingProbes = 0;
  let lastCheckingAtMs: number | null = null;
  const canaries: boolean[] = [];
  const here = sessions.all().filter((local) => local.session.node.location === location);
  for (const { session, drained } of here) {
    connectedProbes += 1;
    if (!drained) checkingProbes += 1;
    const status = session.status();
    if (status !== null && status.canaries > 0) canaries.push(status.canary_ok);
  }
  for (const row of rows.values()) {
    if (row.location !== location) continue;
    if (!row.drained) lastCheckingAtMs = Math.max(lastCheckingAtMs ?? 0, row.seenAtMs);
    if (sessions.get(row._id) !== null || !isLive(row._id)) continue;
    connectedProbes += 1;
    if (!row.drained) checkingProbes += 1;
    if (row.report !== null && row.report.canaries > 0) canaries.push(row.report.canary_ok);
  }
  const canaryOk = canaries.length === 0 ? null : canaries.includes(true);
  return { connectedProbes, checkingProbes, lastCheckingAtMs, canaryOk };
}
