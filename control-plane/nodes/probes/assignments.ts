import { isDeepStrictEqual } from 'node:util';
import type { Clock, Timer } from '../../../kernel/clock.js';
import type { Random } from '../../../kernel/random.js';
import type { Assignments } from '../../../proto/generated/picket/link/v1/Assignments.js';
import type { MonitorAssignment } from '../../../proto/generated/picket/link/v1/MonitorAssignment.js';
import type { AssignmentChange, AssignmentSource, ProbeIdentity } from '../nodes.js';
import { splitAssignments } from './assignment-messages.js';
import { rendezvousOwner } from './rendezvous.js';

/** Changes within this time go out together: an import of a thousand monitors is a few messages. */
const GATHER_MS = 25;
/** What a node holds is remembered this long after its stream ended, to greet it with a difference only. */
const HELD_KEPT_MS = 600_000;
/** A node this far behind is sent no more differences, but one over all of them once it has caught up. */
const BACKLOG_MESSAGES_MAX = 50;
const CATCH_UP_LOOK_MS = 500;
/** A revision is the time it was made at and this much chance, so that no two control planes make the same. */
const REVISION_CHANCE = 1_024;

/** A stream that assignments are sent on. */
export interface AssignmentReceiver {
  node: ProbeIdentity;
  send(assignments: Assignments): void;
  /** Messages that the node has not been able to take yet. */
  backlog(): number;
}

/** Who checks what: keeps each connected node's set as it should be, by snapshot and differences. */
export interface AssignmentFeeds {
  /** `heldRevision` is what the node says it holds; 0 for nothing. */
  open(receiver: AssignmentReceiver, heldRevision: number): void;
  close(receiver: AssignmentReceiver): void;
  /** Shares the location's monitors out anew. */
  membersChanged(location: string): void;
  stop(): void;
}

/** What was sent to one node, kept by reference to the source's own objects. */
interface Feed {
  location: string;
  receiver: AssignmentReceiver | null;
  held: Map<string, MonitorAssignment>;
  revision: number;
  forget: Timer | null;
  /** Changes were left out: the node was too far behind. */
  behind: boolean;
}

/** A monitor's new assignment; null: it is the location's no more. */
type Change = [monitorId: string, assignment: MonitorAssignment | null];

interface Dependencies {
  source: AssignmentSource;
  members(location: string): readonly string[];
  clock: Clock;
  random: Random;
}

export function createAssignmentFeeds(dependencies: Dependencies): AssignmentFeeds {
  const { members, clock } = dependencies;
  const feeds = new Map<string, Feed>();
  const nextRevision = createRevisions(dependencies);

  /** Sends what differs from what the node holds. */
  function update(feed: Feed, changes: Iterable<Change>): void {
    if (feed.receiver !== null && feed.receiver.backlog() > BACKLOG_MESSAGES_MAX) {
      feed.behind = true;
      return;
    }
    const { put, remove } = applyChanges(feed.held, changes);
    if (put.length === 0 && remove.length === 0) return;
    feed.revision = nextRevision(feed.revision);
    for (const message of splitAssignments(feed.revision, false, put, remove)) feed.receiver?.send(message);
  }
  function replaceAll(nodeId: string, feed: Feed): void {
    const set = shareOf(nodeId, feed.location, dependencies);
    const gone = [...feed.held.keys()].filter((id) => !set.has(id));
    update(feed, [...gone.map((id): [string, null] => [id, null]), ...set]);
  }
  const gathering = gatherChanges(dependencies, (changes) => {
    for (const [nodeId, feed] of feeds) {
      const changed = changes.get(feed.location);
      if (feed.receiver === null || changed === undefined) continue;
      const sharers = members(feed.location);
      const mine = (id: string) => sharers.includes(nodeId) && rendezvousOwner(id, sharers) === nodeId;
      update(
        feed,
        [...changed].map(([id, assignment]) => [id, mine(id) ? assignment : null]),
      );
    }
  });
  const catchUp = clock.every(CATCH_UP_LOOK_MS, () => {
    for (const [nodeId, feed] of feeds) {
      if (!feed.behind || feed.receiver === null || feed.receiver.backlog() > 0) continue;
      feed.behind = false;
      replaceAll(nodeId, feed);
    }
  });
  return {
    open(receiver, heldRevision) {
      const { nodeId, location } = receiver.node;
      const known = feeds.get(nodeId);
      known?.forget?.cancel();
      if (known !== undefined && heldRevision !== 0 && known.revision === heldRevision) {
        const feed = { ...known, receiver, forget: null, behind: false };
        feeds.set(nodeId, feed);
        return replaceAll(nodeId, feed);
      }
      const held = shareOf(nodeId, location, dependencies);
      const revision = nextRevision(known?.revision ?? 0);
      const feed: Feed = { location, receiver, held, revision, forget: null, behind: false };
      feeds.set(nodeId, feed);
      for (const message of splitAssignments(feed.revision, true, [...held.values()], [])) receiver.send(message);
    },
    close(receiver) {
      const { nodeId } = receiver.node;
      const feed = feeds.get(nodeId);
      if (feed === undefined || feed.receiver !== receiver) return;
      feed.receiver = null;
      feed.forget = clock.after(HELD_KEPT_MS, () => void feeds.delete(nodeId));
    },
    membersChanged(location) {
      for (const [nodeId, feed] of feeds) {
        if (feed.location === location && feed.receiver !== null) replaceAll(nodeId, feed);
      }
    },
    stop() {
      gathering.stop();
      catchUp.cancel();
      for (const feed of feeds.values()) feed.forget?.cancel();
    },
  };
}

/** The node's part of its location's monitors. */
function shareOf(nodeId: string, location: string, { source, members }: Dependencies): Map<string, MonitorAssignment> {
  const sharers = members(location);
  const share = new Map<string, MonitorAssignment>();
  if (!sharers.includes(nodeId)) return share;
  for (const assignment of source.assignments(location)) {
    const id = assignment.monitorId;
    if (id !== undefined && rendezvousOwner(id, sharers) === nodeId) share.set(id, assignment);
  }
  return share;
}

/** Notes the changes in what is held, and returns those that make a difference. */
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

/** By location and monitor. */
type GatheredChanges = Map<string, Map<string, MonitorAssignment | null>>;

/** Hands on what the source changes, together with what it changes shortly after. */
function gatherChanges({ source, clock }: Dependencies, flush: (changes: GatheredChanges) => void): { stop(): void } {
  let gathered: GatheredChanges = new Map();
  let timer: Timer | null = null;
  const unsubscribe = source.subscribe((change) => {
    gather(gathered, change);
    timer ??= clock.after(GATHER_MS, () => {
      const changes = gathered;
      timer = null;
      gathered = new Map();
      flush(changes);
    });
  });
  return {
    stop() {
      unsubscribe();
      timer?.cancel();
    },
  };
}

function gather(gathered: GatheredChanges, change: AssignmentChange): void {
  const note = (location: string, monitorId: string, assignment: MonitorAssignment | null) => {
    const changes = gathered.get(location) ?? new Map<string, MonitorAssignment | null>();
    gathered.set(location, changes.set(monitorId, assignment));
  };
  for (const { location, monitorId } of change.remove) note(location, monitorId, null);
  for (const { location, assignment } of change.put) {
    if (assignment.monitorId !== undefined) note(location, assignment.monitorId, assignment);
  }
}

/** Always higher than the node's last; and a number that no other control plane, or this one restarted, ever sent it. */
function createRevisions({ clock, random }: Dependencies): (last: number) => number {
  return (last) => {
    const made = Math.trunc(clock.now()) * REVISION_CHANCE + Math.floor(random.fraction() * REVISION_CHANCE);
    return made > last ? made : last + 1 + Math.floor(random.fraction() * REVISION_CHANCE);
  };
}
