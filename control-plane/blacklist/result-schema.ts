import { Type } from 'typebox';
import { nullable } from '../http/input/nullable.js';
import { Text } from '../http/input/text.js';
import { LIST_STATUSES, RATINGS, TARGET_TYPES } from './results.js';

/** A domain name of 253 characters with a trailing dot. */
export const TARGET_CHARS_MAX = 254;
export const closed = { additionalProperties: false } as const;

export const Timestamp = Type.String({ format: 'date-time', examples: ['2026-01-31T12:00:00.000Z'] });
export const TargetType = Type.Enum([...TARGET_TYPES]);
const ListStatus = Type.Enum([...LIST_STATUSES], {
  description:
    '`clean`: not listed. `listed`: listed. `blocked`: the list refused the query. `invalid`: the answer is not one of a DNS list, or the list fails its own test entries. `error`, `timeout`: no answer. Only `clean` and `listed` count as responding.',
});
export const Target = Text({
  minLength: 1,
  maxLength: TARGET_CHARS_MAX,
  description: 'An IPv4 or IPv6 address, or a domain. Private and reserved addresses are refused.',
  examples: ['mail.example.com'],
});

export const Provider = Type.String({ description: 'The list’s id.' });
export const Name = Type.String({ description: 'The list’s name.' });
export const Codes = Type.Array(Type.String(), {
  description: 'The answer of the list: addresses in 127.0.0.0/8, each the code of a listing.',
});
export const Meanings = Type.Array(Type.String(), {
  description: 'The meanings of the listing codes, in the list’s own terms.',
});
export const Policy = Type.Boolean({
  description:
    'Whether this is a policy listing only, for example of a residential address. It is shown, but opens no incident.',
});
export const Reason = nullable(Type.String({ description: 'The list’s own text for a listing, else what failed.' }));
export const DelistUrl = nullable(Type.String({ description: 'Delisting instructions of the list.' }));

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
    response_time_ms: nullable(Type.Number({ minimum: 0, description: 'null if the list was not queried.' })),
    delist_url: DelistUrl,
    addresses: Type.Array(AddressResult, {
      description: 'For a domain on an IP list: the result for each of its addresses. Else empty.',
    }),
  },
  { ...closed, title: 'BlacklistResult' },
);

const NotQueried = Type.Object(
  { provider: Provider, name: Name, reason: Type.String() },
  { ...closed, title: 'BlacklistNotAsked' },
);

const count = (description: string) => Type.Integer({ minimum: 0, description });
const score = Type.Number({ minimum: 0, maximum: 100, description: 'clean / responding × 100, to one decimal.' });
const rating = Type.Enum([...RATINGS], {
  description:
    '`excellent`: 95 and above. `healthy`: 80 and above. `listed`: below 80. `unresolvable`: the domain does not exist and no list lists it; it has no score.',
});
const LISTED = 'Number of lists that list the target.';
const CLEAN = 'Number of lists that answered and do not list the target.';
const RESPONDING = 'Number of lists that answered: clean and listed.';
const ASKED = 'Number of lists that were queried.';

/** The totals of a completed check. */
export const Figures = {
  score: nullable(score),
  rating: nullable(rating),
  listed: count(LISTED),
  clean: count(CLEAN),
  responding: count(RESPONDING),
  asked: count(ASKED),
};

/** The totals of the latest check; null before the first one. */
export const LatestFigures = {
  score: nullable(score),
  rating: nullable(rating),
  listed: nullable(count(LISTED)),
  clean: nullable(count(CLEAN)),
  responding: nullable(count(RESPONDING)),
  asked: nullable(count(ASKED)),
};

export const Results = Type.Array(ListResult, { description: 'One for each queried list, in the order of the lists.' });
export const NotQueriedLists = Type.Array(NotQueried, {
  description: 'Lists that cannot be queried for this target, and why.',
});
