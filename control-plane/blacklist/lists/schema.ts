import { type Static, Type } from 'typebox';
import { nullable } from '../../http/input/nullable.js';
import { PageParameters } from '../../http/paging.js';
import { PROVIDER_EXAMPLE } from '../examples.js';
import { closed, DelistUrl, Timestamp } from '../result-schema.js';
import { TARGET_TYPES } from '../results.js';

export const BlacklistProvider = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    zone: Type.String({ description: 'The DNS zone that Picket queries.' }),
    type: Type.Enum([...TARGET_TYPES], {
      description: 'What the list contains. Lists of type `ip` are queried for the addresses of a domain.',
    }),
    website: Type.String(),
    delist_url: DelistUrl,
    ipv6: Type.Boolean({ description: 'Whether the list can be queried for IPv6 addresses.' }),
    health: Type.Enum(['untested', 'passing', 'failing'], {
      description:
        'Result of testing the list with its own test entries. While it fails them, its answers are `invalid` and excluded from scores.',
    }),
    health_reason: nullable(Type.String({ description: 'Why the list fails.' })),
    tested_at: nullable(Timestamp),
    terms: nullable(
      Type.Object(
        { url: Type.String(), summary: Type.String() },
        { ...closed, description: 'The terms of use of the list.' },
      ),
    ),
  },
  { ...closed, title: 'BlacklistProvider', examples: [PROVIDER_EXAMPLE] },
);
export type BlacklistProvider = Static<typeof BlacklistProvider>;

export const ListBlacklistProviders = Type.Object(PageParameters, closed);
