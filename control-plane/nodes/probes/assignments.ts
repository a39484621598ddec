import { isDeepStrictEqual } from 'node:util';
import type { Clock, Timer } from '../../../kernel/clock.js';
import type { Random } from '../../../kernel/random.js';
import type { Assignments } from '../../../proto/generated/picket/link/v1/Assignments.js';
import type { MonitorAssignment } from '../../../proto/generated/picket/link/v1/MonitorAssignment.js';
import type { AssignmentSource, ProbeIdentity } from '../nodes.js';
import { splitAssignments } from './assignment-messages.js';
import { batchChanges, type Change } from './change-batches.js';
import { rendezvousOwner } from './rendezvous.js';
import type { ProbeShares } from './shares.js';

/**
 * The set of a probe is remembered this long after its stream has ended. If it reconnects, it gets only the difference.
 */
const HELD_KEPT_MS = 600_000;
/** A probe with more waiting messages gets no further differences until it has read all of them. */
const BACKLOG_MESSAGES_MAX = 50;
const CATCH_UP_CHECK_MS = 500;
/** A revision is its time of creation and a random number below this, so that no two control planes create the same. */
const REVISION_RANDOM = 1_024;

/** A stream that assignments are sent on. */
export interface AssignmentReceiver {
  node: ProbeIdentity;
  send(assignments: Assignments): void;
  /** Returns the number of messages that wait until the probe reads. */
  backlog(): number;
}

/** Keeps the assignments of each connected probe up to date, with snapshots and differences. */
export interface AssignmentFeeds {
  /** `heldRevision` is the revision that the probe has; 0 for none. */
  open(receiver: AssignmentReceiver, heldRevision: number): void;
  close(receiver: AssignmentReceiver): void;
  /** Distributes the location's monitors again. */
  membersChanged(location: string): void;
  stop(): void;
}

/** The assignments that were sent to one probe, as references to the source's own objects. */
interface Feed {
  location: string;
  receiver: AssignmentReceiver | null;
  held: Map<string, MonitorAssignment>;
  revision: number;
  /** Removes the feed of a disconnected probe. */
  expiry: Timer | null;
  /** Changes were skipped because too many messages were waiting. */
  behind: boolean;
}

interface FeedsNeeds {
  source: AssignmentSource;
  members(location: string): readonly string[];
  /** Remembers what is assigned to whom. */
  shares: Pick<ProbeShares, 'open' | 'change' | 'forget'>;
  clock: Clock;
  random: Random;
}

export function createAssignmentFeeds(needs: FeedsNeeds): AssignmentFeeds {
  const { clock, shares } = needs;
  const feeds = new Map<string, Feed>();
  const nextRevision = createRevisions(needs);
  const update = createUpdate(nextRevision);
  const replaceAll = (nodeId: string, feed: Feed) => {
    const share = shareOf(nodeId, feed.location, needs);
    const removed = [...feed.held.keys()].filter((id) => !share.has(id));
    update(feed, [...removed.map((id): Change => [id, null]), ...share]);
  };
  const batches = batchChanges(needs, (changes) => {
    for (const [nodeId, feed] of feeds) {
      const changed = changes.get(feed.location);
      if (feed.receiver !== null && changed !== undefined) update(feed, sharedChanges(nodeId, feed, changed, needs));
    }
  });
  const catchUp = clock.every(CATCH_UP_CHECK_MS, () => {
    for (const [nodeId, feed] of feeds) {
      if (!feed.behind || feed.receiver === null || feed.receiver.backlog() > 0) continue;
      feed.behind = false;
      replaceAll(nodeId, feed);
    }
  });
  return {
    open: createOpen({ ...needs, feeds, nextRevision, replaceAll }),
    close(receiver) {
      const { nodeId } = receiver.node;
      const feed = feeds.get(nodeId);
      if (feed === undefined || feed.receiver !== receiver) return;
      feed.receiver = null;
      feed.expiry = clock.after(HELD_KEPT_MS, () => {
        feeds.delete(nodeId);
        shares.forget(nodeId);
      });
    },
    membersChanged(location) {
      for (const [nodeId, feed] of feeds) {
        if (feed.location !== location || feed.receiver === null) continue;
        shares.change(nodeId, needs.members(location));
        replaceAll(nodeId, feed);
      }
    },
    stop() {
      batches.stop();
      catchUp.cancel();
      for (const feed of feeds.values()) feed.expiry?.cancel();
    },
  };
}

/**
 * Returns the function that starts a feed: with a difference for a probe that has the last revision, else with a
 * snapshot.
 */
function createOpen(
  needs: FeedsNeeds & {
    feeds: Map<string, Feed>;
    nextRevision(last: number): number;
    replaceAll(nodeId: string, feed: Feed): void;
  },
): AssignmentFeeds['open'] {
  const { feeds, nextRevision, replaceAll } = needs;
  return (receiver, heldRevision) => {
    const { nodeId, location } = receiver.node;
    const known = feeds.get(nodeId);
    known?.expiry?.cancel();
    needs.shares.open(nodeId, needs.members(location));
    if (known !== undefined && heldRevision !== 0 && known.revision === heldRevision) {
      const feed = { ...known, receiver, expiry: null, behind: false };
      feeds.set(nodeId, feed);
      return replaceAll(nodeId, feed);
    }
    const held = shareOf(nodeId, location, needs);
    const revision = nextRevision(known?.revision ?? 0);
    feeds.set(nodeId, { location, receiver, held, revision, expiry: null, behind: false });
    for (const message of splitAssignments(revision, true, [...held.values()], [])) receiver.send(message);
  };
}

/** Returns the function that sends the changes that differ from what the probe has. */
function createUpdate(nextRevision: (last: number) => number): (feed: Feed, changes: Iterable<Change>) => void {
  return (feed, changes) => {
    if (feed.receiver !== null && feed.receiver.backlog() > BACKLOG_MESSAGES_MAX) {
      feed.behind = true;
      return;
    }
    const { put, remove } = applyChanges(feed.held, changes);
    if (put.length === 0 && remove.length === 0) return;
    feed.revision = nextRevision(feed.revision);
    for (const message of splitAssignments(feed.revision, false, put, remove)) feed.receiver?.send(message);
  };
}

/** Returns the changes of a location as changes of one probe: monitors of other probes are removed. */
function sharedChanges(nodeId: string, feed: Feed, changed: Iterable<Change>, { members }: FeedsNeeds): Change[] {
  const sharing = members(feed.location);
  const isOwn = (id: string) => sharing.includes(nodeId) && rendezvousOwner(id, sharing) === nodeId;
  return [...changed].map(([id, assignment]) => [id, isOwn(id) ? assignment : null]);
}

/** Returns the probe's share of its location's monitors. */
function shareOf(nodeId: string, location: string, { source, members }: FeedsNeeds): Map<string, MonitorAssignment> {
  const sharing = members(location);
  const share = new Map<string, MonitorAssignment>();
  if (!sharing.includes(nodeId)) return share;
  for (const assignment of source.assignments(location)) {
    const id = assignment.monitorId;
    if (id !== undefined && rendezvousOwner(id, sharing) === nodeId) share.set(id, assignment);
  }
  return share;
}

/** Applies the changes to `held` and returns those that make a difference. */
function applyChanges(held: Feed['held'], changes: Iterable<Change>): { put: MonitorAssignment[]; remove: string[] } {
  const put: MonitorAssignment[] = [];
  const remove: string[] = [];
  for (const [id, assignment] of changes) {
    const before = held.get(id);
    if (assignment === null) {
      if (held.delete(id)) remove.push(id);
    } else {
      held.set(id, assignment);
      if (before !== assignment && !isDeepStrictEqual(before, assignment)) put.push(assignment);
    }
  }
  return { put, remove };
}

/**
 * Returns a function that returns a revision higher than the last one, and different from those of every other control
 * plane or start.
 */
function createRevisions({ clock, random }: FeedsNeeds): (last: number) => number {
  return (last) => {
    const fresh = Math.trunc(clock.now()) * REVISION_RANDOM + Math.floor(random.fraction() * REVISION_RANDOM);
    return fresh > last ? fresh : last + 1 + Math.floor(random.fraction() * REVISION_RANDOM);
  };
}
