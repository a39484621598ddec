import Type, { type Static } from 'typebox';
import { TARGET_TYPES } from '../results.js';

export const PROVIDERS_MAX = 50;
const CODES_MAX = 300;
const TEST_ENTRIES_MAX = 5;
const TEXT_CHARS_MAX = 200;
const NAME_CHARS_MAX = 253;

const open = { additionalProperties: false };
const Text = Type.String({ minLength: 1, maxLength: TEXT_CHARS_MAX });
const Name = Type.String({ minLength: 1, maxLength: NAME_CHARS_MAX });
const Url = Type.String({ pattern: '^https?://[^\\s]+$', maxLength: 500 });

/** A code, `127.0.0.4`, or a range of codes, `127.0.0.4-127.0.0.7`. */
const Codes = Type.String({ pattern: '^127(\\.\\d{1,3}){3}(-127(\\.\\d{1,3}){3})?$' });

const ListingCode = Type.Object(
  {
    code: Codes,
    meaning: Text,
    /** Shown, but opens no incident: for example a residential address. */
    policy: Type.Optional(Type.Boolean()),
  },
  open,
);

const RefusalCode = Type.Object({ code: Codes, meaning: Text }, open);

const Bit = Type.Integer({ minimum: 1, maximum: 255 });

/** For lists whose answers have a bitmask as their last octet. */
const Bitmask = Type.Object(
  {
    bits: Type.Array(Type.Object({ bit: Bit, meaning: Text, policy: Type.Optional(Type.Boolean()) }, open), {
      minItems: 1,
      maxItems: 8,
    }),
    /** Bits that make the answer a refusal, even if other bits are set. Defaults to bit 1. */
    refused: Type.Optional(Type.Array(Bit, { maxItems: 8 })),
  },
  open,
);

const TestEntries = Type.Object(
  {
    /**
     * `listed`: entries that the list always contains. `not_listed`: an entry that it never contains. Entries are IPv4
     * addresses or domains; null if there are none. If `listed` has several entries, the list must contain at least one
     * of them.
     */
    listed: Type.Union([Name, Type.Array(Name, { minItems: 1, maxItems: TEST_ENTRIES_MAX }), Type.Null()]),
    not_listed: Type.Union([Name, Type.Null()]),
    /** The codes for `listed`. Defaults to any code within 127.0.0.0/8 that is not a refusal. */
    codes: Type.Optional(Type.Array(Codes, { minItems: 1, maxItems: CODES_MAX })),
  },
  open,
);

/** One row of providers.json. Only the first six fields are required; the others default to RFC 5782. */
export const ProviderRow = Type.Object(
  {
    id: Type.String({ pattern: '^[a-z0-9]+(-[a-z0-9]+)*$', maxLength: 40 }),
    name: Text,
    /** May contain `{key}`. */
    zone: Name,
    type: Type.Enum([...TARGET_TYPES]),
    website: Url,
    delist_url: Url,
    /** Queried instead of `zone` if there is a key for the list. */
    keyed_zone: Type.Optional(Name),
    /** The zone for IPv6; null if the list has none. */
    ipv6_zone: Type.Optional(Type.Union([Name, Type.Null()])),
    /** The codes of listings. Defaults to any code within 127.0.0.0/8 that is not a refusal. */
    codes: Type.Optional(Type.Array(ListingCode, { minItems: 1, maxItems: CODES_MAX })),
    /** Refusal codes in addition to `REFUSALS` in classify.ts. */
    refusals: Type.Optional(Type.Array(RefusalCode, { maxItems: CODES_MAX })),
    /** Instead of `codes`. */
    bitmask: Type.Optional(Bitmask),
    /** The part of a domain that is queried: the registrable domain (default) or the whole host name. */
    names: Type.Optional(Type.Enum(['registrable', 'host'])),
    test: Type.Optional(Type.Union([TestEntries, Type.Null()])),
    terms: Type.Optional(Type.Object({ url: Url, summary: Type.String({ minLength: 1, maxLength: 500 }) }, open)),
  },
  open,
);
export type ProviderRow = Static<typeof ProviderRow>;
