import type { Actor, Scope } from '../actor.js';
import { AppError } from '../errors.js';
import { PLANS } from '../plans/plans.js';
import type { ClientStream } from './streams/client-stream.js';
import { exceededLimit, type StreamLimits, type StreamOwner, streamToReplace } from './streams/limits.js';

/** One open stream. */
export interface Subscriber extends StreamOwner {
  /** The scopes of the events that it gets. */
  scopes: ReadonlySet<Scope>;
  stream: ClientStream;
  /** When the stream ends at the latest, on the monotonic clock. */
  endsMs: number;
  /** Authenticates and authorizes the request again. Throws when the stream must end. */
  recheck(): Promise<Actor>;
}

export const STREAM_LIMITS: StreamLimits = {
  ofCredentialMax: 10,
  ofPersonMax: 100,
  ofAddressMax: 500,
  ofWorkspaceMax: {
    Free: PLANS.Free.eventStreams,
    Pro: PLANS.Pro.eventStreams,
    Enterprise: PLANS.Enterprise.eventStreams,
  },
  // A stream takes about 30 kB.
  allMax: 2_000,
  ofFreeMax: 1_500,
  reserved: 200,
};
const RETRY_S = 10;

/** The open streams of this control plane. */
export interface Subscribers {
  size(): number;
  /**
   * Throws 429 if there are too many. Where the places that all share are full, returns the stream that must end first: whoever
   * has most makes room for those who have less.
   */
  requireRoom(owner: StreamOwner): Subscriber | null;
  add(subscriber: Subscriber): void;
  remove(subscriber: Subscriber): void;
  all(): Iterable<Subscriber>;
  workspaces(): Iterable<string>;
  ofWorkspace(workspaceId: string): ReadonlySet<Subscriber>;
  /** Those of each session or key. */
  byCredential(): Iterable<readonly [string, ReadonlySet<Subscriber>]>;
}

export function createSubscribers(limits: StreamLimits): Subscribers {
  const everyone = new Set<Subscriber>();
  const workspaces = createGroups(({ workspaceId }) => workspaceId);
  const credentials = createGroups(({ credential }) => credential);
  const people = createGroups(({ userId }) => userId);
  const addresses = createGroups(({ address }) => address);
  // A workspace that changes its plan counts as before until its streams end, after an hour at most.
  const plans = createGroups(({ plan }) => plan);
  const holders = createGroups(holderOf);
  const groups = [workspaces, credentials, people, addresses, plans, holders];
  return {
    size: () => everyone.size,
    requireRoom(owner) {
      const { workspaceId, plan, credential, userId, address } = owner;
      const exceeded = exceededLimit(limits, plan, {
        ofCredential: credentials.of(credential).size,
        ofPerson: userId === null ? 0 : people.of(userId).size,
        ofAddress: addresses.of(address).size,
        ofWorkspace: workspaces.of(workspaceId).size,
        ofFree: plans.of('Free').size,
        all: everyone.size,
      });
      if (exceeded === null) return null;
      const { detail, shared } = exceeded;
      const counts = ({ plan }: StreamOwner) => shared === 'all' || plan === shared;
      const replaced = streamToReplace(
        holders.groups().map(([name, streams]) => [name, [...streams].filter(counts)] as const),
        holderOf(owner),
      );
      if (replaced !== null) return replaced;
      throw new AppError('rate_limited', detail, { headers: { 'Retry-After': String(RETRY_S) } });
    },
    add(subscriber) {
      everyone.add(subscriber);
      for (const group of groups) group.add(subscriber);
    },
    remove(subscriber) {
      everyone.delete(subscriber);
      for (const group of groups) group.remove(subscriber);
    },
    all: () => [...everyone],
    workspaces: () => workspaces.names(),
    ofWorkspace: workspaces.of,
    byCredential: credentials.groups,
  };
}

/** The person, in all workspaces. */
const holderOf = ({ userId, workspaceId }: StreamOwner): string => userId ?? workspaceId;

const NONE: ReadonlySet<Subscriber> = new Set();

/** Groups streams by a name; those without one are in no group. */
function createGroups(nameOf: (subscriber: Subscriber) => string | null) {
  const groups = new Map<string, Set<Subscriber>>();
  return {
    of: (name: string): ReadonlySet<Subscriber> => groups.get(name) ?? NONE,
    names: (): string[] => [...groups.keys()],
    groups: (): (readonly [string, ReadonlySet<Subscriber>])[] => [...groups.entries()],
    add(subscriber: Subscriber) {
      const name = nameOf(subscriber);
      if (name !== null) groups.set(name, (groups.get(name) ?? new Set()).add(subscriber));
    },
    remove(subscriber: Subscriber) {
      const name = nameOf(subscriber) ?? '';
      const group = groups.get(name);
      group?.delete(subscriber);
      if (group?.size === 0) groups.delete(name);
    },
  };
}
