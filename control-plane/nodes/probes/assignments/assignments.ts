import type { Clock, Timer } from '../../../../kernel/clock.js';
import type { Random } from '../../../../kernel/random.js';
import type { MonitorAssignment } from '../../../../proto/generated/picket/link/v1/MonitorAssignment.js';
import type { AssignmentSource } from '../../nodes.js';
import { createRendezvous } from '../rendezvous.js';
import type { ProbeShares } from '../shares.js';
import { batchChanges } from './change-batches.js';
import { distribute } from './distribution.js';
import { type AssignmentReceiver, createFeed, type Feed, type HeldAssignments } from './feed.js';
import { createSlicedWork } from './sliced-work.js';

/**
 * The set of a probe is remembered this long after its stream has ended. If it reconnects, it gets only the difference.
 */
const HELD_KEPT_MS = 600_000;
const CATCH_UP_CHECK_MS = 500;
/** More changes at once are found by a pass over all monitors of their locations, in slices. */
const CHANGES_MAX = 500;
/** A revision is its time of creation and a random number below this, so that no two control planes create the same. */
const REVISION_RANDOM = 1_024;

/** Keeps the assignments of each connected probe up to date, with snapshots and differences. */
export interface AssignmentFeeds {
  /** `heldRevision` is the revision that the probe has; 0 for none. */
  open(receiver: AssignmentReceiver, heldRevision: number): void;
  close(receiver: AssignmentReceiver): void;
  /** Distributes the location's monitors again. */
  membersChanged(location: string): void;
  stop(): void;
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
  const { members, shares, clock } = needs;
  const feeds = new Map<string, Feed>();
  const kept = createKeptAssignments(clock, shares.forget);
  const nextRevision = createRevisions(needs);
  const feedsAt = (location: string) =>
    [...feeds.values()].filter(({ receiver }) => receiver.node.location === location);
  const passes = createPasses(needs, feedsAt);

  const batches = batchChanges(needs, (changes) => {
    const count = [...changes.values()].reduce((sum, { size }) => sum + size, 0);
    for (const [location, changed] of changes) {
      if (count > CHANGES_MAX) passes.request(location);
      else sendChanges(feedsAt(location), changed, members(location));
    }
  });
  const catchUp = clock.every(CATCH_UP_CHECK_MS, () => {
    for (const { receiver, state } of feeds.values()) {
      if (state() === 'behind' && receiver.backlog() === 0) passes.request(receiver.node.location);
    }
  });
  return {
    open(receiver, heldRevision) {
      const { nodeId, location } = receiver.node;
      feeds.get(nodeId)?.close();
      const known = kept.take(nodeId) ?? feeds.get(nodeId)?.held ?? { versions: new Map(), revision: 0 };
      const isKnown = heldRevision !== 0 && known.revision === heldRevision;
      feeds.set(
        nodeId,
        isKnown
          ? createFeed(receiver, known, 'current', nextRevision)
          : createFeed(receiver, { versions: new Map(), revision: known.revision }, 'waiting', nextRevision),
      );
      shares.open(nodeId, members(location));
      passes.request(location);
    },
    close(receiver) {
      const { nodeId } = receiver.node;
      const feed = feeds.get(nodeId);
      if (feed === undefined || feed.receiver !== receiver) return;
      feed.close();
      feeds.delete(nodeId);
      kept.put(nodeId, feed.held);
    },
    membersChanged(location) {
      for (const { receiver } of feedsAt(location)) shares.change(receiver.node.nodeId, members(location));
      passes.request(location);
    },
    stop() {
      batches.stop();
      catchUp.cancel();
      passes.stop();
      kept.stop();
    },
  };
}

/** Returns what starts passes: one at a time, and for each location at most one that waits. */
function createPasses({ source, members, clock }: FeedsNeeds, feedsAt: (location: string) => Feed[]) {
  const work = createSlicedWork(clock);
  const waiting = new Set<string>();

  function* pass(location: string): Generator<void> {
    waiting.delete(location);
    const sharing = members(location);
    const key = sharing.join();
    for (const _step of distribute(source, location, sharing, feedsAt(location))) {
      yield;
      // Changes are already sent to the new members, and `membersChanged` has requested the next pass.
      if (members(location).join() !== key) return;
    }
  }

  return {
    request(location: string): void {
      if (waiting.has(location)) return;
      waiting.add(location);
      work.add(pass(location));
    },
    stop: work.stop,
  };
}

/** Sends the changes of a location's monitors to the probes that have them or had them. */
function sendChanges(
  feeds: readonly Feed[],
  changed: ReadonlyMap<string, MonitorAssignment | null>,
  members: readonly string[],
): void {
  if (feeds.length === 0) return;
  const owner = createRendezvous(members);
  const owners = [...changed].map(([id, assignment]) => ({ id, assignment, ownerId: owner(id) }));
  for (const feed of feeds) {
    const { nodeId } = feed.receiver.node;
    feed.change(owners.map(({ id, assignment, ownerId }) => [id, ownerId === nodeId ? assignment : null]));
  }
}

/** Remembers what disconnected probes have, for some time. */
function createKeptAssignments(clock: Clock, forget: (nodeId: string) => void) {
  const kept = new Map<string, { held: HeldAssignments; expiry: Timer }>();
  return {
    put(nodeId: string, held: HeldAssignments): void {
      const expiry = clock.after(HELD_KEPT_MS, () => {
        kept.delete(nodeId);
        forget(nodeId);
      });
      kept.set(nodeId, { held, expiry });
    },
    take(nodeId: string): HeldAssignments | null {
      const found = kept.get(nodeId);
      found?.expiry.cancel();
      kept.delete(nodeId);
      return found?.held ?? null;
    },
    stop(): void {
      for (const { expiry } of kept.values()) expiry.cancel();
    },
  };
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
