/** Why a lookup has no records. */
export type Unanswered =
  /** `exists` is false if the name itself does not exist (NXDOMAIN), not only its records. */
  { kind: 'none'; exists?: false } | { kind: 'failed'; error: string } | { kind: 'timeout' };

/** The result of one query for A or AAAA records. */
export type Answer = { kind: 'addresses'; addresses: readonly string[] } | Unanswered;

/** The result of one query for TXT records. The strings of each record are joined. */
export type Texts = { kind: 'texts'; texts: string[] } | Unanswered;

/** The result of one query for MX records. */
export type Exchanges = { kind: 'exchanges'; exchanges: Exchange[] } | Unanswered;

/** The result of one query for the names of an address (PTR records), or for the name behind an alias (CNAME record). */
export type Names = { kind: 'names'; names: string[] } | Unanswered;

export interface Exchange {
  /** The lowest is asked first. */
  priority: number;
  /** Empty for a null MX (RFC 7505), whose name is the root. */
  exchange: string;
}
