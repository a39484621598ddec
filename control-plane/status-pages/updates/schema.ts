import { type Static, Type } from 'typebox';
import { nullable } from '../../http/input/nullable.js';
import { LINES_PATTERN, Name, Verbatim } from '../../http/input/text.js';
import { PageParameters } from '../../http/paging.js';
import { idPattern } from '../../storage/ids.js';
import { COMPONENTS_MAX, StatusPageId } from '../schema.js';
import { IMPACTS } from './documents.js';

const TITLE_CHARS_MAX = 150;
const UPDATE_CHARS_MAX = 4_000;
const INCIDENT_ID = 'spi_01kf5e6q0h3v8r2m9x4t7c1z5n';
const UPDATE_ID = 'upd_01kf5e6q0h3v8r2m9x4t7c1z5n';
const COMPONENT_ID = 'cmp_01kf5e6q0h3v8r2m9x4t7c1z5n';
const AT = '2026-01-31T12:00:00.000Z';

const closed = { additionalProperties: false } as const;
const Time = Type.String({ format: 'date-time', examples: [AT] });
const State = Type.Enum(['investigating', 'identified', 'monitoring', 'resolved']);
const Impact = Type.Enum([...IMPACTS], {
  description: 'The state that its components have on the page until it is resolved, if theirs is better.',
});

export const ListPageIncidents = Type.Object(PageParameters, closed);
const incidentId = Type.String({ pattern: idPattern('spi') });
export const PageIncidentId = Type.Object({ ...StatusPageId.properties, incidentId }, closed);
export const PageUpdateId = Type.Object(
  { ...StatusPageId.properties, incidentId, updateId: Type.String({ pattern: idPattern('upd') }) },
  closed,
);

const UpdateText = Verbatim({
  minLength: 1,
  maxLength: UPDATE_CHARS_MAX,
  pattern: LINES_PATTERN,
  description: 'Public plain text, may have several lines. Addresses that begin with http:// or https:// become links.',
  examples: ['The provider restarts the load balancer.'],
});
const Title = Name({ maxLength: TITLE_CHARS_MAX, description: 'Public.', examples: ['Payments fail'] });
const componentIds = Type.Array(Type.String({ pattern: idPattern('cmp') }), {
  maxItems: COMPONENTS_MAX,
  uniqueItems: true,
  description:
    'The affected components of the page. Outages of these that Picket finds meanwhile are not shown as well.',
});

export const CreatePageIncident = Type.Object(
  {
    title: Title,
    text: UpdateText,
    state: Type.Optional(
      Type.Enum(['investigating', 'identified', 'monitoring', 'resolved'], { default: 'investigating' }),
    ),
    impact: Type.Optional(Type.Enum([...IMPACTS], { default: 'none' })),
    component_ids: Type.Optional(componentIds),
  },
  {
    ...closed,
    title: 'CreateStatusPageIncident',
    examples: [{ title: 'Payments fail', text: 'We look into it.', impact: 'outage', component_ids: [COMPONENT_ID] }],
  },
);
export type CreatePageIncident = Static<typeof CreatePageIncident>;

export const UpdatePageIncident = Type.Object(
  {
    title: Type.Optional(Title),
    impact: Type.Optional(Impact),
    component_ids: Type.Optional(componentIds),
  },
  { ...closed, title: 'UpdateStatusPageIncident', examples: [{ impact: 'degraded' }] },
);
export type UpdatePageIncident = Static<typeof UpdatePageIncident>;

export const PostUpdate = Type.Object(
  { state: State, text: UpdateText },
  { ...closed, title: 'PostStatusPageUpdate', examples: [{ state: 'identified', text: 'A provider is down.' }] },
);
export type PostUpdate = Static<typeof PostUpdate>;

export const EditUpdate = Type.Object(
  { text: UpdateText },
  { ...closed, title: 'EditStatusPageUpdate', examples: [{ text: 'Our payment provider is down.' }] },
);

const Update = Type.Object(
  {
    id: Type.String(),
    state: State,
    text: Type.String(),
    at: Time,
    author: Type.String({ description: 'E-mail address, or the name of the API key. Not public.' }),
    edited_at: nullable(Time),
    earlier: Type.Array(Type.Object({ text: Type.String(), until: Time, author: Type.String() }, closed), {
      description: 'The texts before each edit, oldest first, and who edited them. Not public.',
    }),
  },
  closed,
);

export const PageIncident = Type.Object(
  {
    id: Type.String({ examples: [INCIDENT_ID] }),
    title: Type.String(),
    state: State,
    impact: Impact,
    component_ids: Type.Array(Type.String()),
    updates: Type.Array(Update, { description: 'The newest first.' }),
    started_at: Time,
    resolved_at: nullable(Time),
    created_by: Type.String({ description: 'E-mail address, or the name of the API key. Not public.' }),
    updated_at: Time,
  },
  {
    ...closed,
    title: 'StatusPageIncident',
    examples: [
      {
        id: INCIDENT_ID,
        title: 'Payments fail',
        state: 'investigating',
        impact: 'outage',
        component_ids: [COMPONENT_ID],
        updates: [
          {
            id: UPDATE_ID,
            state: 'investigating',
            text: 'We look into it.',
            at: AT,
            author: 'ada@example.com',
            edited_at: null,
            earlier: [],
          },
        ],
        started_at: AT,
        resolved_at: null,
        created_by: 'ada@example.com',
        updated_at: AT,
      },
    ],
  },
);
export type PageIncident = Static<typeof PageIncident>;
