import { type Static, Type } from 'typebox';
import { nullable } from '../http/input/nullable.js';
import { SearchText } from '../http/input/text.js';
import { PageParameters } from '../http/paging.js';
import { EXAMPLE_MONITOR_ID } from '../monitors/schema.js';
import { idPattern } from '../storage/ids.js';
import { MONITOR_IDS_MAX, REGISTRATION_STATUSES } from './documents.js';
import { DOMAIN_EXAMPLE } from './examples.js';

const closed = { additionalProperties: false } as const;
const Timestamp = Type.String({ format: 'date-time', examples: ['2026-01-31T12:00:00.000Z'] });

/** The registered domain of one or several monitors, as the API shows it. */
export const MonitoredDomain = Type.Object(
  {
    id: Type.String({ pattern: idPattern('dmn'), examples: [DOMAIN_EXAMPLE.id] }),
    name: Type.String({ description: 'In lower-case punycode.', examples: [DOMAIN_EXAMPLE.name] }),
    status: Type.Enum([...REGISTRATION_STATUSES], {
      description:
        '`pending`: not asked yet. `known`: the registry says when the domain expires. `unsupported`: the suffix has no RDAP server. `not_told`: the registry answers without an expiry date. `not_registered`: the registry has no such domain. `unreachable`: the registry could not be asked, or its answers could not be read, for three days.',
    }),
    expires_at: nullable(Timestamp, {
      description: 'As the registry last said it, also while it cannot be asked. null if it never did.',
    }),
    days_remaining: nullable(Type.Integer(), { description: 'Whole days; negative after the expiry.' }),
    registrar: nullable(Type.String(), { description: 'As the registry writes it.' }),
    checked_at: nullable(Timestamp, { description: 'When the registry last answered.' }),
    next_check_at: Timestamp,
    problem: nullable(Type.String(), {
      description: 'Why the latest question failed, or why the registry cannot be asked; null if neither.',
    }),
    monitors: Type.Integer({ description: 'Active monitors of the domain.' }),
    monitor_ids: Type.Array(Type.String(), { description: `The oldest ${MONITOR_IDS_MAX} of them.` }),
  },
  { ...closed, title: 'MonitoredDomain', examples: [DOMAIN_EXAMPLE] },
);
export type MonitoredDomain = Static<typeof MonitoredDomain>;

export const ListMonitoredDomains = Type.Object(
  {
    q: Type.Optional(SearchText({ description: 'Part of the name.', examples: ['example'] })),
    monitor_id: Type.Optional(
      Type.String({
        pattern: idPattern('mon'),
        description: 'Only the domain of this monitor. Without one, the list is empty.',
        examples: [EXAMPLE_MONITOR_ID],
      }),
    ),
    ...PageParameters,
  },
  closed,
);
