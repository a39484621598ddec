import { Type } from 'typebox';

const closed = { additionalProperties: false };

/** Documents that are named in one answer; there can be more. */
export const REFERRERS_NAMED_MAX = 100;

const EXAMPLE = { type: 'monitor', id: 'mon_01kf5e6q0h3v8r2m9x4t7c1z5n', name: 'Shop' };

/** What names a thing by its id: how many, and the first of those that the caller may read. */
const Referrers = Type.Object(
  {
    total: Type.Integer({ minimum: 0 }),
    items: Type.Array(
      Type.Object(
        {
          type: Type.String({
            description:
              '`monitor`, `alert_rule`, `incident`, `maintenance_window`, `dependency`, `status_page`, `report_schedule` or `channel`.',
            examples: [EXAMPLE.type],
          }),
          id: Type.String({ examples: [EXAMPLE.id] }),
          name: Type.String({ examples: [EXAMPLE.name] }),
        },
        closed,
      ),
      { maxItems: REFERRERS_NAMED_MAX, description: `The first ${REFERRERS_NAMED_MAX} that you may read.` },
    ),
  },
  closed,
);

/** The answer to a change after which channels reach nobody, because an address of theirs is no member's any more. */
export const MutedChannels = Type.Object(
  {
    notify_nobody: Type.Object(Referrers.properties, {
      ...closed,
      description:
        'The channels that reach nobody any more, until one of their addresses has confirmed or they get another one.',
    }),
  },
  {
    ...closed,
    title: 'MutedChannels',
    examples: [
      {
        notify_nobody: {
          total: 1,
          items: [{ type: 'channel', id: 'chn_01kf5e6q0h3v8r2m9x4t7c1z5n', name: 'Night shift' }],
        },
      },
    ],
  },
);

/** The answer to a deletion that removed references to the deleted thing. */
export const DetachedReferences = Type.Object(
  {
    detached: Type.Object(Referrers.properties, { ...closed, description: 'What named it, and no longer does.' }),
    notify_nobody: Type.Object(Referrers.properties, {
      ...closed,
      description: 'Those of them that notify nobody any more. Incidents of theirs open, but nobody is notified.',
    }),
  },
  {
    ...closed,
    title: 'DetachedReferences',
    examples: [{ detached: { total: 1, items: [EXAMPLE] }, notify_nobody: { total: 1, items: [EXAMPLE] } }],
  },
);

/** The query of a deletion that can remove the references to what it deletes. */
export const DetachQuery = Type.Object(
  {
    detach: Type.Optional(
      Type.Boolean({
        default: false,
        description: 'Also removes it from everything that names it. Without it, the response is then 409.',
      }),
    ),
  },
  closed,
);
