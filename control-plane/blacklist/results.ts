export const LIST_STATUSES = ['clean', 'listed', 'blocked', 'invalid', 'error', 'timeout'] as const;
/**
 * The result of querying a list. Only `clean` and `listed` are answers and count as responding.
 * - `clean`: the target is not on the list.
 * - `listed`: the list answered with a code that means a listing.
 * - `blocked`: the list refused the query: too many queries, a public resolver, no key.
 * - `invalid`: the answer is not one of a DNS list, or the list fails its own test entries.
 * - `error`, `timeout`: no answer.
 */
export type ListStatus = (typeof LIST_STATUSES)[number];

export const RATINGS = ['excellent', 'healthy', 'listed', 'unresolvable'] as const;
/** The rating of a score: 95 and above, 80 and above, below 80. `unresolvable`: the domain does not exist. */
export type Rating = (typeof RATINGS)[number];

export const TARGET_TYPES = ['ip', 'domain'] as const;
export type TargetType = (typeof TARGET_TYPES)[number];

/** A checked address or domain in canonical form: RFC 5952 for IPv6, lower-case punycode for domains. */
export interface Target {
  type: TargetType;
  name: string;
}

/** The result for one address of a domain on one IP list. */
export interface AddressResult {
  address: string;
  status: ListStatus;
  codes: string[];
  reason: string | null;
}

/** The answer of a list, with its delisting instructions. */
export interface ListAnswer {
  /** The A records of the answer, sorted: `127.0.0.2`. Kept for every status, so that it can be classified again. */
  codes: string[];
  /** The meanings of the listing codes, in the list's own terms: `SBL`, `XBL`. */
  meanings: string[];
  /** Whether all codes are policy listings, for example of residential addresses, which do not open an incident. */
  policy: boolean;
  /** The list's own text for a listing, else what failed; without control characters and of limited length. */
  reason: string | null;
  delist_url: string | null;
}

/** The result for a target on one list. For a domain on an IP list: the worst result of its addresses. */
export interface ListResult extends ListAnswer {
  /** The provider's id. */
  provider: string;
  status: ListStatus;
  /** null if the list was not queried, for example because the addresses of the domain are unknown. */
  response_time_ms: number | null;
  /** Whether the list passed its most recent test; false if no test gave a result. */
  tested: boolean;
  /** For a domain on an IP list, else empty. */
  addresses: AddressResult[];
}

/** A list that cannot be queried for a target, and why: a domain without an address, or a list without IPv6. */
export interface NotQueried {
  provider: string;
  reason: string;
}

/** The totals over all lists. Lists that did not answer do not count. */
export interface CheckFigures {
  /** clean / responding × 100, rounded to tenths; null if no list responded or the domain does not exist. */
  score: number | null;
  rating: Rating | null;
  listed: number;
  clean: number;
  /** The number of lists that answered: clean and listed. */
  responding: number;
  /** The number of lists that were queried, which is the number of `results`. */
  asked: number;
}

/** The results for a target on all lists at one time. */
export interface TargetCheck extends CheckFigures {
  target: string;
  type: TargetType;
  /** In the order of the catalogue. */
  results: ListResult[];
  not_asked: NotQueried[];
  checked_at_ms: number;
}

/** Checks a target on all lists at once. */
export type CheckTarget = (
  target: Target,
  options: {
    /**
     * `now`: each list is tested along with the query, so that a listing never depends on a list that lists everything.
     * `hourly`: the last test counts, unless it is older than an hour.
     */
    tests: 'now' | 'hourly';
    /** The ids of the lists to query; defaults to all lists. */
    only?: ReadonlySet<string>;
  },
) => Promise<TargetCheck>;
