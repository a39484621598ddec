import { type Static, Type } from 'typebox';
import { nullable } from '../http/input/nullable.js';
import { NO_CONTROLS_PATTERN, Text } from '../http/input/text.js';
import { PageParameters } from '../http/paging.js';
import { idPattern } from '../storage/ids.js';
import { LIST_STATUSES, RATINGS, TARGET_TYPES } from './blacklist.js';
import { FREQUENCIES } from './documents.js';
import { CHECK_EXAMPLE, INSTANT_CHECK_EXAMPLE, MONITOR_EXAMPLE, PROVIDER_EXAMPLE } from './examples.js';

/** A domain name of 253 characters and the dot at its end. */
const TARGET_CHARS_MAX = 254;
const closed = { additionalProperties: false } as const;

const Timestamp = Type.String({ format: 'date-time', examples: ['2026-01-31T12:00:00.000Z'] });
const TargetType = Type.Enum([...TARGET_TYPES]);
const ListStatus = Type.Enum([...LIST_STATUSES], {
  description:
    '`clean`: not listed. `listed`. `blocked`: the list refused to answer us. `invalid`: an answer that no list gives, or one of a list that fails its own test entries. `error`, `timeout`: no answer. Only `clean` and `listed` count as responding.',
});
const Frequency = Type.Enum([...FREQUENCIES], { examples: ['hourly'] });
const Target = Text({
  minLength: 1,
  maxLength: TARGET_CHARS_MAX,
  description: 'An IPv4 or IPv6 address, or a domain. Private and reserved addresses are refused.',
  examples: ['mail.example.com'],
});

const Provider = Type.String({ description: 'The list’s id.' });
const Name = Type.String({ description: 'The list’s name.' });
const Codes = Type.Array(Type.String(), {
  description: 'Its answer: the addresses in 127.0.0.0/8 that stand for a listing.',
});
const Meanings = Type.Array(Type.String(), { description: 'What the listing codes mean, in the list’s own terms.' });
const Policy = Type.Boolean({
  description: 'A listing by policy only, such as an address of home users: shown, and no reason for an incident.',
});
const Reason = nullable(Type.String({ description: 'The list’s own text for a listing, else what was wrong.' }));
const DelistUrl = nullable(Type.String({ description: 'Where one asks to be taken off the list.' }));

const AddressResult = Type.Object(
  { address: Type.String(), status: ListStatus, codes: Codes, reason: Reason },
  { ...closed, title: 'BlacklistAddressResult' },
);

const ListResult = Type.Object(
  {
    provider: Provider,
    name: Name,
    status: ListStatus,
    codes: Codes,
    meanings: Meanings,
    policy: Policy,
    reason: Reason,
    response_time_ms: nullable(Type.Number({ minimum: 0, description: 'null when it could not be asked.' })),
    delist_url: DelistUrl,
    addresses: Type.Array(AddressResult, {
      description: 'Of a domain on a list of addresses: the answer for each of its addresses. Else empty.',
    }),
  },
  { ...closed, title: 'BlacklistResult' },
);

const NotAsked = Type.Object(
  { provider: Provider, name: Name, reason: Type.String() },
  { ...closed, title: 'BlacklistNotAsked' },
);

const count = (description: string) => Type.Integer({ minimum: 0, description });
const score = Type.Number({ minimum: 0, maximum: 100, description: 'clean / responding × 100.' });
const rating = Type.Enum([...RATINGS], {
  description: '`excellent` from 95, `healthy` from 80, `listed` below.',
});
const LISTED = 'Lists that list it.';
const CLEAN = 'Lists that answered and do not list it.';
const RESPONDING = 'Lists that answered: clean and listed.';
const ASKED = 'Lists that were asked.';

/** Of a check that took place. */
const Figures = {
  score: nullable(score),
  rating: nullable(rating),
  listed: count(LISTED),
  clean: count(CLEAN),
  responding: count(RESPONDING),
  asked: count(ASKED),
};

const Results = Type.Array(ListResult, { description: 'One for each list that was asked, in the order of the lists.' });
const NotAskedLists = Type.Array(NotAsked, { description: 'Lists that cannot be asked for this target, and why.' });

export const BlacklistProvider = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    zone: Type.String({ description: 'The DNS zone that is asked.' }),
    type: Type.Enum([...TARGET_TYPES], {
      description: 'What it lists. A domain’s addresses are asked on lists of `ip`.',
    }),
    website: Type.String(),
    delist_url: DelistUrl,
    ipv6: Type.Boolean({ description: 'Whether IPv6 addresses can be asked.' }),
    health: Type.Enum(['untested', 'passing', 'failing'], {
      description:
        'Each list is tried with its own test entries. While it fails them its answers are `invalid` and in no score.',
    }),
    health_reason: nullable(Type.String({ description: 'Why it fails.' })),
    tested_at: nullable(Timestamp),
    terms: nullable(
      Type.Object(
        { url: Type.String(), summary: Type.String() },
        { ...closed, description: 'What its operator asks of those who use it.' },
      ),
    ),
  },
  { ...closed, title: 'BlacklistProvider', examples: [PROVIDER_EXAMPLE] },
);
export type BlacklistProvider = Static<typeof BlacklistProvider>;

export const ListBlacklistProviders = Type.Object(PageParameters, closed);

const Listing = Type.Object(
  {
    provider: Provider,
    name: Name,
    zone: Type.String(),
    codes: Codes,
    meanings: Meanings,
    policy: Policy,
    reason: Reason,
    delist_url: DelistUrl,
    addresses: Type.Array(Type.String(), { description: 'Of a domain: those of its addresses that are listed.' }),
    listed_since: Timestamp,
    seen_at: Type.String({
      format: 'date-time',
      description: 'The newest check in which the list said so; it may have been silent since.',
    }),
  },
  { ...closed, title: 'BlacklistListing' },
);

const MonitorStatus = Type.Enum(['listed', 'clean', 'unknown'], {
  description:
    '`listed`: by at least one list, other than by policy. `clean`: by none, and lists answered at the last check. `unknown`: not checked yet, or no list answered.',
});

export const BlacklistMonitor = Type.Object(
  {
    id: Type.String({ pattern: idPattern('blm') }),
    target: Type.String({ description: 'In its one form: lower case, punycode, RFC 5952.' }),
    type: TargetType,
    frequency: Frequency,
    status: MonitorStatus,
    score: nullable(score),
    rating: nullable(rating),
    listed: nullable(count(LISTED)),
    clean: nullable(count(CLEAN)),
    responding: nullable(count(RESPONDING)),
    asked: nullable(count(ASKED)),
    listings: Type.Array(Listing, {
      description:
        'What is known to list it, each confirmed by a second look. A list that is silent changes nothing here.',
    }),
    results: Results,
    not_asked: NotAskedLists,
    last_checked_at: nullable(Timestamp),
    next_check_at: Timestamp,
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  {
    ...closed,
    title: 'BlacklistMonitor',
    description: 'Before the first check all figures are null.',
    examples: [MONITOR_EXAMPLE],
  },
);
export type BlacklistMonitor = Static<typeof BlacklistMonitor>;

export const BlacklistMonitorId = Type.Object(
  { id: Type.String({ pattern: idPattern('blm'), examples: [MONITOR_EXAMPLE.id] }) },
  closed,
);

export const ListBlacklistMonitors = Type.Object(
  {
    status: Type.Optional(MonitorStatus),
    q: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: TARGET_CHARS_MAX,
        pattern: NO_CONTROLS_PATTERN,
        description: 'Part of the target.',
        examples: ['example.com'],
      }),
    ),
    ...PageParameters,
  },
  closed,
);

export const CreateBlacklistMonitor = Type.Object(
  {
    target: Target,
    frequency: Type.Enum([...FREQUENCIES], { examples: ['hourly'] }),
  },
  { ...closed, title: 'CreateBlacklistMonitor' },
);

export const UpdateBlacklistMonitor = Type.Object(
  { frequency: Type.Optional(Frequency) },
  { ...closed, minProperties: 1, title: 'UpdateBlacklistMonitor' },
);

const Change = Type.Object(
  {
    kind: Type.Enum(['listed', 'delisted', 'dropped'], {
      description:
        '`listed`, `delisted`: two looks agree. `dropped`: the list can no longer be asked for this target, or is not asked any more.',
    }),
    provider: Provider,
    name: Name,
    codes: Codes,
    meanings: Meanings,
    policy: Policy,
    reason: Reason,
    delist_url: DelistUrl,
  },
  { ...closed, title: 'BlacklistChange' },
);

export const BlacklistCheck = Type.Object(
  {
    id: Type.String({ pattern: idPattern('blc') }),
    checked_at: Timestamp,
    ...Figures,
    changes: Type.Array(Change, { description: 'Against what was known before.' }),
    results: Results,
  },
  { ...closed, title: 'BlacklistCheck', examples: [CHECK_EXAMPLE] },
);
export type BlacklistCheck = Static<typeof BlacklistCheck>;

export const ListBlacklistChecks = Type.Object(
  {
    from: Type.Optional(Timestamp),
    to: Type.Optional(Timestamp),
    changed: Type.Optional(Type.Boolean({ description: '`true`: only checks that found a change.' })),
    ...PageParameters,
  },
  closed,
);

export const CheckInstantly = Type.Object({ target: Target }, { ...closed, title: 'CheckInstantly' });

export const InstantCheckView = Type.Object(
  {
    target: Type.String({ description: 'In its one form: lower case, punycode, RFC 5952.' }),
    type: TargetType,
    ...Figures,
    results: Results,
    not_asked: NotAskedLists,
    checked_at: Timestamp,
  },
  { ...closed, title: 'InstantCheck', examples: [INSTANT_CHECK_EXAMPLE] },
);
export type InstantCheckView = Static<typeof InstantCheckView>;
