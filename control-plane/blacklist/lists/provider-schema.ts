import Type, { type Static } from 'typebox';
import { TARGET_TYPES } from '../blacklist.js';

export const PROVIDERS_MAX = 50;
const CODES_MAX = 300;
const TEST_ENTRIES_MAX = 5;
const TEXT_CHARS_MAX = 200;
const NAME_CHARS_MAX = 253;

const open = { additionalProperties: false };
const Text = Type.String({ minLength: 1, maxLength: TEXT_CHARS_MAX });
const Name = Type.String({ minLength: 1, maxLength: NAME_CHARS_MAX });
const Url = Type.String({ pattern: '^https?://[^\\s]+$', maxLength: 500 });

/** `127.0.0.4`, or from one to another: `127.0.0.4-127.0.0.7`. */
const Codes = Type.String({ pattern: '^127(\\.\\d{1,3}){3}(-127(\\.\\d{1,3}){3})?$' });

const ListingCode = Type.Object(
  {
    code: Codes,
    meaning: Text,
    /** Informs but alerts nobody: an address of home users. */
    policy: Type.Optional(Type.Boolean()),
  },
  open,
);

const RefusalCode = Type.Object({ code: Codes, meaning: Text }, open);

const Bit = Type.Integer({ minimum: 1, maximum: 255 });

/** The last octet of an answer is a sum of these. */
const Bitmask = Type.Object(
  {
    bits: Type.Array(Type.Object({ bit: Bit, meaning: Text, policy: Type.Optional(Type.Boolean()) }, open), {
      minItems: 1,
      maxItems: 8,
    }),
    /** Bits that make the whole answer a refusal, whatever else is set. Without it 1 alone. */
    refused: Type.Optional(Type.Array(Bit, { maxItems: 8 })),
  },
  open,
);

const TestEntries = Type.Object(
  {
    /**
     * What the list always lists and what it never lists: an IPv4 address or a domain. null where it has none. Of
     * several that it may list, one is enough.
     */
    listed: Type.Union([Name, Type.Array(Name, { minItems: 1, maxItems: TEST_ENTRIES_MAX }), Type.Null()]),
    not_listed: Type.Union([Name, Type.Null()]),
    /** What `listed` is answered with. Without it, anything within 127.0.0.0/8 that is no refusal. */
    codes: Type.Optional(Type.Array(Codes, { minItems: 1, maxItems: CODES_MAX })),
  },
  open,
);

/** One row of providers.json. Only the first six members are needed; the others default to RFC 5782. */
export const ProviderRow = Type.Object(
  {
    id: Type.String({ pattern: '^[a-z0-9]+(-[a-z0-9]+)*$', maxLength: 40 }),
    name: Text,
    /** May hold `{key}`. */
    zone: Name,
    type: Type.Enum([...TARGET_TYPES]),
    website: Url,
    delist_url: Url,
    /** Asked in place of `zone` where there is a key for the list. */
    keyed_zone: Type.Optional(Name),
    /** Where IPv6 is asked. null: nowhere. */
    ipv6_zone: Type.Optional(Type.Union([Name, Type.Null()])),
    /** Without it anything within 127.0.0.0/8 that is no refusal is a listing. */
    codes: Type.Optional(Type.Array(ListingCode, { minItems: 1, maxItems: CODES_MAX })),
    /** Beside the refusals that every list may give. */
    refusals: Type.Optional(Type.Array(RefusalCode, { maxItems: CODES_MAX })),
    /** In place of `codes`. */
    bitmask: Type.Optional(Bitmask),
    /** What of a domain is asked: all of it, or the part that somebody registered. */
    names: Type.Optional(Type.Enum(['registrable', 'host'])),
    test: Type.Optional(Type.Union([TestEntries, Type.Null()])),
    terms: Type.Optional(Type.Object({ url: Url, summary: Type.String({ minLength: 1, maxLength: 500 }) }, open)),
  },
  open,
);
export type ProviderRow = Static<typeof ProviderRow>;
