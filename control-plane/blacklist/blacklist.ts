import type { Actor } from '../actor.js';
import type { Transaction } from '../storage/transaction.js';
import type { BlacklistMonitorDocument, CheckDocument } from './documents.js';

export const LIST_STATUSES = ['clean', 'listed', 'blocked', 'invalid', 'error', 'timeout'] as const;
/**
 * What a list's answer came to. Only the first two are answers: they alone count as responding.
 * - `clean`: the list does not know the target.
 * - `listed`: it answered with a code that it uses for listings.
 * - `blocked`: it refused us: too many queries, a public resolver, no key.
 * - `invalid`: an answer that no list gives, or one of a list that fails its own test entries.
 * - `error`, `timeout`: no answer.
 */
export type ListStatus = (typeof LIST_STATUSES)[number];

export const RATINGS = ['excellent', 'healthy', 'listed'] as const;
/** Of a score: 95 and more, 80 and more, less. */
export type Rating = (typeof RATINGS)[number];

export const TARGET_TYPES = ['ip', 'domain'] as const;
export type TargetType = (typeof TARGET_TYPES)[number];

/** What is looked up, in the one form that it has here: RFC 5952 for IPv6, punycode in lower case for domains. */
export interface Target {
  type: TargetType;
  name: string;
}

/** One address of a domain on one list of addresses. */
export interface AddressResult {
  address: string;
  status: ListStatus;
  codes: string[];
  reason: string | null;
}

/** What a list said, and how to get off it. */
export interface Said {
  /** The A records of its answer, sorted: `127.0.0.2`. Whatever the status, so that it can be judged again. */
  codes: string[];
  /** What its listing codes mean, in the list's own terms: `SBL`, `XBL`. */
  meanings: string[];
  /** Only codes that are a policy, such as an address of home users: a listing that alerts nobody. */
  policy: boolean;
  /** The list's own text for a listing, else what was wrong; without control characters, of bounded length. */
  reason: string | null;
  delist_url: string | null;
}

/** What one list says of a target. Of a domain on a list of addresses: the worst of what it says of each of them. */
export interface ListResult extends Said {
  /** The provider's id. */
  provider: string;
  status: ListStatus;
  /** null when it was not asked, such as when the domain's addresses could not be found. */
  response_time_ms: number | null;
  /** Whether the list passed its own tests when that was last found out; false where nothing is known. */
  tested: boolean;
  /** Of a domain on a list of addresses, else empty. */
  addresses: AddressResult[];
}

/** A list that a target cannot be asked on, and why: a domain without an address, IPv6 where the list has none. */
export interface NotAsked {
  provider: string;
  reason: string;
}

/** What the results of all lists come to. Lists that did not answer count for nothing. */
export interface CheckFigures {
  /** clean / responding × 100; null when no list responded. */
  score: number | null;
  rating: Rating | null;
  listed: number;
  clean: number;
  /** Lists that answered: clean and listed. */
  responding: number;
  /** Lists that were asked: one for each of `results`. */
  asked: number;
}

/** What all lists say of a target at one moment. */
export interface TargetCheck extends CheckFigures {
  target: string;
  type: TargetType;
  /** In the order of the catalogue. */
  results: ListResult[];
  not_asked: NotAsked[];
  checked_at_ms: number;
}

/** Looks a target up on every list at once. */
export type CheckTarget = (
  target: Target,
  how: {
    /**
     * `now`: each list is tried with its test entries beside the look-up, so that a listing never rests on a list
     * that lists the world. `hourly`: the last test counts, unless it is older than an hour.
     */
    tests: 'now' | 'hourly';
    /** Ids of lists; without it all of them. */
    only?: ReadonlySet<string>;
  },
) => Promise<TargetCheck>;

/** What happens to a monitor's listings; implemented by the alert rules. */
export interface ListingListener {
  /**
   * In the transaction that notes a check; `monitor` is as it is from now on. Called after every check of a monitor
   * that is listed, or that was until now.
   */
  checked(tx: Transaction, monitor: BlacklistMonitorDocument, check: CheckDocument): Promise<void>;
  /** A person removed it. */
  deleted(tx: Transaction, actor: Actor, monitor: BlacklistMonitorDocument): Promise<void>;
}

/** A monitor without the results of its newest check, which are most of it. */
export type ListedMonitor = Pick<BlacklistMonitorDocument, '_id' | 'workspace_id' | 'target' | 'listings'>;

/** What other slices may ask of blacklist monitors. Within the workspace but for `listed`, which is for jobs. */
export interface BlacklistDirectory {
  find(workspaceId: string, id: string, tx?: Transaction): Promise<BlacklistMonitorDocument | null>;
  /** In no order; those that there are. */
  findMany(workspaceId: string, ids: readonly string[], tx?: Transaction): Promise<ListedMonitor[]>;
  /** Of all workspaces, those with a listing that is no policy; by id, after `afterId`. */
  listed(afterId: string | null, limit: number): Promise<ListedMonitor[]>;
}
