import type { Assignments } from '../../../../proto/generated/picket/link/v1/Assignments.js';
import type { MonitorAssignment } from '../../../../proto/generated/picket/link/v1/MonitorAssignment.js';
import type { ProbeIdentity } from '../../nodes.js';
import { type AssignmentChanges, createChangeCollector } from './assignment-messages.js';

/** A stream that assignments are sent on. */
export interface AssignmentReceiver {
  node: ProbeIdentity;
  send(assignments: Assignments): void;
  /** Returns the number of messages that wait until the probe reads. */
  backlog(): number;
}

/** What a probe has when it has read everything that was sent to it. */
export interface HeldAssignments {
  /** The version of each monitor. */
  versions: Map<string, number>;
  revision: number;
}

/**
 * `waiting`: nothing was sent; a pass will send a snapshot. `snapshot`: the pass is sending it. `current`: changes are
 * sent. `behind`: changes were skipped, because too many messages were waiting; a pass will send what is missing.
 * `closed`: the stream has ended.
 */
type FeedState = 'waiting' | 'snapshot' | 'current' | 'behind' | 'closed';

/** The assignments of one stream of a probe. Changes are collected into messages and sent in order. */
export interface Feed {
  readonly receiver: AssignmentReceiver;
  readonly held: HeldAssignments;
  state(): FeedState;
  /** A pass over all monitors of the location begins. It puts, then it removes. */
  begin(): void;
  /** Whether the monitor must be put. */
  lacks(monitorId: string, version: number): boolean;
  /** Returns whether a message was sent. */
  put(assignment: MonitorAssignment): boolean;
  /** Returns whether a message was sent. */
  remove(monitorId: string): boolean;
  /** Sends what was collected. */
  flush(): void;
  /** The pass has put everything that the probe must have. Sends what was collected and completes a snapshot. */
  endOfPuts(): void;
  /** Sends changes of monitors, `null` for one that the probe must not have. They may happen during a pass. */
  change(changes: Iterable<[monitorId: string, assignment: MonitorAssignment | null]>): void;
  close(): void;
}

/** A probe with more waiting messages gets no further differences until it has read all of them. */
const BACKLOG_MESSAGES_MAX = 50;

/**
 * Returns a feed. It begins as `current` when the probe has `held`, and as `waiting` when it needs a snapshot and `held`
 * is empty.
 */
export function createFeed(
  receiver: AssignmentReceiver,
  held: HeldAssignments,
  begins: 'waiting' | 'current',
  nextRevision: (last: number) => number,
): Feed {
  let state: FeedState = begins;
  const collector = createChangeCollector(send);

  function send(changes: AssignmentChanges): void {
    if (changes.put.length + changes.remove.length === 0) return;
    const snapshot = state === 'snapshot';
    // Each difference has its own revision, so that a probe that has read only some of them can say so.
    if (!snapshot) held.revision = nextRevision(held.revision);
    receiver.send({ revision: held.revision, snapshot, last: !snapshot, ...changes });
  }

  /** Whether a change may be sent now. */
  function accepts(): boolean {
    if (state === 'current' && receiver.backlog() > BACKLOG_MESSAGES_MAX) state = 'behind';
    return state === 'current' || state === 'snapshot';
  }

  function flush(): void {
    if (state !== 'closed') send(collector.take());
  }

  const feed: Feed = {
    receiver,
    held,
    state: () => state,
    begin() {
      // The previous pass may have ended early, because the members changed.
      flush();
      if (state === 'behind') state = 'current';
      if (state !== 'waiting') return;
      state = 'snapshot';
      held.revision = nextRevision(held.revision);
    },
    lacks: (monitorId, version) => held.versions.get(monitorId) !== version,
    put(assignment) {
      const { monitorId, version = 0 } = assignment;
      if (monitorId === undefined || !feed.lacks(monitorId, version) || !accepts()) return false;
      held.versions.set(monitorId, version);
      return collector.put(assignment);
    },
    remove(monitorId) {
      if (!held.versions.has(monitorId) || !accepts()) return false;
      held.versions.delete(monitorId);
      return collector.remove(monitorId);
    },
    flush,
    endOfPuts() {
      if (state !== 'snapshot') return flush();
      receiver.send({ revision: held.revision, snapshot: true, last: true, ...collector.take() });
      state = 'current';
    },
    change(changes) {
      // What a pass has collected was decided before, and a message names a monitor once.
      flush();
      for (const [monitorId, assignment] of changes) {
        if (assignment === null) feed.remove(monitorId);
        else feed.put(assignment);
      }
      flush();
    },
    close() {
      const unsent = collector.take();
      // The probe does not have `held`, so it must not get a difference from it.
      if (unsent.put.length + unsent.remove.length > 0) held.revision = nextRevision(held.revision);
      state = 'closed';
    },
  };
  return feed;
}
