import type { AssignmentSource } from '../../nodes.js';
import { createRendezvous, type Rendezvous } from '../rendezvous.js';
import type { Feed } from './feed.js';

/** Monitors of one step. It takes a fraction of a millisecond. */
const STEP_MONITORS_MAX = 50;

type Source = Pick<AssignmentSource, 'monitors' | 'assignment'>;

/**
 * Gives each feed its share of the monitors of the location among these members, in steps: after each the caller may do
 * other work, or end the distribution. A step visits at most 50 monitors and sends at most one message. A monitor that
 * changes meanwhile must be sent by the feeds' `change`; each step uses the current state of the monitors. A monitor
 * that moves to another probe is put there before it is removed from the first one, so that no slot is left out.
 */
export function* distribute(
  source: Source,
  location: string,
  members: readonly string[],
  feeds: readonly Feed[],
): Generator<void> {
  const owner = createRendezvous(members);
  for (const feed of feeds) {
    feed.begin();
    yield;
  }
  yield* putOwned(source, location, owner, feeds);
  for (const feed of feeds) {
    feed.endOfPuts();
    yield;
  }
  for (const feed of feeds) {
    yield* removeOthers(source, location, owner, feed);
    feed.flush();
    yield;
  }
}

function* putOwned(source: Source, location: string, owner: Rendezvous, feeds: readonly Feed[]): Generator<void> {
  const byOwner = new Map<string | null, Feed>(feeds.map((feed) => [feed.receiver.node.nodeId, feed]));
  let visited = 0;
  for (const { id, version } of source.monitors(location)) {
    const feed = byOwner.get(owner(id));
    const assignment = feed?.lacks(id, version) === true ? source.assignment(location, id) : null;
    const isSent = assignment !== null && feed?.put(assignment) === true;
    visited += 1;
    if (isSent || visited % STEP_MONITORS_MAX === 0) yield;
  }
}

/** Removes the monitors of other members, and those that the location stopped checking while the probe was away. */
function* removeOthers(source: Source, location: string, owner: Rendezvous, feed: Feed): Generator<void> {
  const { nodeId } = feed.receiver.node;
  let visited = 0;
  for (const id of feed.held.versions.keys()) {
    const isOwn = owner(id) === nodeId && source.assignment(location, id) !== null;
    const isSent = !isOwn && feed.remove(id);
    visited += 1;
    if (isSent || visited % STEP_MONITORS_MAX === 0) yield;
  }
}
