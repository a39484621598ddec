import { type Static, Type } from 'typebox';
import { nullable } from '../http/input/nullable.js';
import { NO_CONTROLS_PATTERN } from '../http/input/text.js';
import { PageParameters } from '../http/paging.js';
import { idPattern } from '../storage/ids.js';
import { FREQUENCIES } from './documents.js';
import { CHECK_EXAMPLE, MONITOR_EXAMPLE } from './examples.js';
import {
  Codes,
  closed,
  DelistUrl,
  Figures,
  LatestFigures,
  Meanings,
  Name,
  NotQueriedLists,
  Policy,
  Provider,
  Reason,
  Results,
  TARGET_CHARS_MAX,
  Target,
  TargetType,
  Timestamp,
} from './result-schema.js';

const Frequency = Type.Enum([...FREQUENCIES], { examples: ['hourly'] });

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
    addresses: Type.Array(Type.String(), { description: 'The listed addresses of a domain.' }),
    listed_since: Timestamp,
    seen_at: Type.String({
      format: 'date-time',
      description: 'The latest check with this listing. The list may not have answered since.',
    }),
  },
  { ...closed, title: 'BlacklistListing' },
);

const MonitorStatus = Type.Enum(['listed', 'clean', 'unknown'], {
  description:
    '`listed`: at least one listing that is not a policy listing. `clean`: no such listing, and lists answered at the last check. `unknown`: not checked yet, no list answered, or the domain does not exist.',
});

export const BlacklistMonitor = Type.Object(
  {
    id: Type.String({ pattern: idPattern('blm') }),
    target: Type.String({ description: 'In canonical form: lower-case punycode, or RFC 5952 for IPv6.' }),
    type: TargetType,
    frequency: Frequency,
    status: MonitorStatus,
    ...LatestFigures,
    listings: Type.Array(Listing, {
      description: 'Listings that two consecutive checks confirmed. A list that does not answer changes nothing here.',
    }),
    results: Results,
    not_asked: NotQueriedLists,
    last_checked_at: nullable(Timestamp),
    next_check_at: Timestamp,
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  {
    ...closed,
    title: 'BlacklistMonitor',
    description: 'All figures are null before the first check.',
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
        '`listed`, `delisted`: two consecutive checks agree. `dropped`: the list was removed, or can no longer be queried for this target.',
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
    changes: Type.Array(Change, { description: 'Changes since the previous check.' }),
    results: Results,
  },
  { ...closed, title: 'BlacklistCheck', examples: [CHECK_EXAMPLE] },
);
export type BlacklistCheck = Static<typeof BlacklistCheck>;

export const ListBlacklistChecks = Type.Object(
  {
    from: Type.Optional(Timestamp),
    to: Type.Optional(Timestamp),
    changed: Type.Optional(Type.Boolean({ description: '`true`: only checks with changes.' })),
    ...PageParameters,
  },
  closed,
);
