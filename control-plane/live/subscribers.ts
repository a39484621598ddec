import type { Actor, Scope } from '../actor.js';
import { AppError } from '../errors.js';
import type { ClientStream } from './client-stream.js';

/** One open stream. */
export interface Subscriber {
  workspaceId: string;
  /** Names the session or key. */
  credential: string;
  /** The scopes of the events that it gets. */
  scopes: ReadonlySet<Scope>;
  stream: ClientStream;
  /** Authenticates and authorizes the request again. Throws when the stream must end. */
  recheck(): Promise<Actor>;
}

/** Browsers need one; the rest is for windows side by side and for programs. */
const OF_CREDENTIAL_MAX = 10;
const OF_WORKSPACE_MAX = 500;
/** Of one control plane. A stream takes about 30 kB. */
const ALL_MAX = 2_000;
const RETRY_S = 10;

/** The open streams of this control plane. */
export interface Subscribers {
  size(): number;
  /** Throws 429 if there are too many. */
  requireRoom(of: Pick<Subscriber, 'workspaceId' | 'credential'>): void;
  add(subscriber: Subscriber): void;
  remove(subscriber: Subscriber): void;
  all(): Iterable<Subscriber>;
  workspaces(): Iterable<string>;
  ofWorkspace(workspaceId: string): ReadonlySet<Subscriber>;
  /** Those of each session or key. */
  byCredential(): Iterable<readonly [string, ReadonlySet<Subscriber>]>;
}

export function createSubscribers(): Subscribers {
  const everyone = new Set<Subscriber>();
  const ofWorkspaces = createGroups();
  const ofCredentials = createGroups();
  return {
    size: () => everyone.size,
    requireRoom({ workspaceId, credential }) {
      if (ofCredentials.of(credential).size >= OF_CREDENTIAL_MAX) throw full(OF_CREDENTIAL_MAX, 'this session or key');
      if (ofWorkspaces.of(workspaceId).size >= OF_WORKSPACE_MAX) throw full(OF_WORKSPACE_MAX, 'this workspace');
      if (everyone.size >= ALL_MAX) throw full(ALL_MAX, 'all workspaces');
    },
    add(subscriber) {
      everyone.add(subscriber);
      ofWorkspaces.add(subscriber.workspaceId, subscriber);
      ofCredentials.add(subscriber.credential, subscriber);
    },
    remove(subscriber) {
      everyone.delete(subscriber);
      ofWorkspaces.remove(subscriber.workspaceId, subscriber);
      ofCredentials.remove(subscriber.credential, subscriber);
    },
    all: () => [...everyone],
    workspaces: () => ofWorkspaces.names(),
    ofWorkspace: ofWorkspaces.of,
    byCredential: ofCredentials.groups,
  };
}

function full(max: number, whose: string): AppError {
  return new AppError('rate_limited', `There are ${max} open event streams of ${whose} already.`, {
    headers: { 'Retry-After': String(RETRY_S) },
  });
}

const NONE: ReadonlySet<Subscriber> = new Set();

function createGroups() {
  const groups = new Map<string, Set<Subscriber>>();
  return {
    of: (name: string): ReadonlySet<Subscriber> => groups.get(name) ?? NONE,
    names: (): string[] => [...groups.keys()],
    groups: (): (readonly [string, ReadonlySet<Subscriber>])[] => [...groups.entries()],
    add(name: string, subscriber: Subscriber) {
      const group = groups.get(name) ?? new Set();
      groups.set(name, group.add(subscriber));
    },
    remove(name: string, subscriber: Subscriber) {
      const group = groups.get(name);
      group?.delete(subscriber);
      if (group?.size === 0) groups.delete(name);
    },
  };
}
