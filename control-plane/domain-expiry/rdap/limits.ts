const KIB = 1_024;
const DAY_MS = 86_400_000;

/** IANA's file had some 60 kB in 2026. */
export const BOOTSTRAP_BYTES_MAX = 2_048 * KIB;
/** Of the file. There are some 1,500 top-level domains. */
export const BOOTSTRAP_SUFFIXES_MAX = 10_000;
/** RFC 9224 asks clients to keep the file. */
export const BOOTSTRAP_KEPT_MS = 7 * DAY_MS;
export const BOOTSTRAP_RETRY_MS = 3_600_000;
/** An answer about one domain has some 10 kB. */
export const ANSWER_BYTES_MAX = 256 * KIB;
export const REDIRECTS_MAX = 3;
export const REQUEST_TIMEOUT_MS = 10_000;
/** Between two questions to one server, of the whole installation: 86,400 domains of a registry a day. */
export const SERVER_PAUSE_MS = 1_000;
/** A check waits at most this long for its turn at a server; otherwise the domain becomes due again later. */
export const TURN_WAIT_MS_MAX = 5_000;
/** A server that fails without asking for a pause gets one once it failed for this many names in a row. */
export const FAILED_NAMES_MAX = 3;
/** After a failure of a server. */
export const SERVER_BACKOFF = { firstMs: 60_000, maxMs: 6 * 3_600_000 } as const;
/** After a failure or an answer about one domain that cannot be read. Without jitter: the turns at the server spread the questions. */
export const DOMAIN_BACKOFF = { firstMs: 3_600_000, maxMs: DAY_MS, jitter: 'none' } as const;
export const RETRY_AFTER_MS_MAX = DAY_MS;
/** A registry is asked for a domain once in this time. */
export const ASK_PERIOD_MS = DAY_MS;
/** A workspace looks at each of its domains up to this much later, at random. */
export const ASK_SPREAD_MS = 3_600_000;
/** Domains of a workspace whose registry is asked for the first time on a day in UTC: so many, or so many for each monitor that its plan allows. */
export const FIRST_QUESTIONS_PER_DAY = 100;
export const FIRST_QUESTIONS_PER_DAY_AND_MONITOR = 2;
/** What a registry said counts as confirmed for this long after its answer. */
export const CONFIRMED_MS = 3 * DAY_MS;
/** An earlier date that would open an incident is asked for again after this time. */
export const DOUBT_MS = 3_600_000;
/** An answer, and what is known of a server, are deleted this long after the last use. */
export const KEPT_MS = 30 * DAY_MS;
