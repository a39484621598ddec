import { type Static, Type } from 'typebox';
import { EmailAddress } from '../../../http/input/email-address.js';
import { nullable } from '../../../http/input/nullable.js';
import { PageParameters } from '../../../http/paging.js';
import { idPattern } from '../../../storage/ids.js';
import { COMPONENTS_MAX, StatusPageId } from '../../schema.js';
import { LANGUAGES } from '../../words/languages.js';

const URL_CHARS_MAX = 2_048;
/** Printable ASCII without spaces. */
const NO_SPACES = '^[!-~]+$';
const SUBSCRIBER_ID = 'sub_01kf5e6q0h3v8r2m9x4t7c1z5n';
const AT = '2026-01-31T12:00:00.000Z';

const closed = { additionalProperties: false } as const;
const Time = Type.String({ format: 'date-time', examples: [AT] });
const subscriberId = Type.String({ pattern: idPattern('sub') });

export const ListSubscribers = Type.Object(PageParameters, closed);
export const SubscriberId = Type.Object({ ...StatusPageId.properties, subscriberId }, closed);

const componentIds = nullable(
  Type.Array(Type.String({ pattern: idPattern('cmp') }), { minItems: 1, maxItems: COMPONENTS_MAX, uniqueItems: true }),
  { default: null, description: 'Components of the page. null: all. What is about no component goes to everybody.' },
);
const Language = Type.Enum([...LANGUAGES], { default: 'en', description: 'The language of the e-mails.' });
const SubscriberType = Type.Enum(['email', 'webhook']);

export const AddSubscriber = Type.Object(
  {
    type: SubscriberType,
    address: Type.Optional(EmailAddress('customer@example.com')),
    url: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: URL_CHARS_MAX,
        pattern: NO_SPACES,
        examples: ['https://example.com/hooks/status'],
      }),
    ),
    language: Type.Optional(Language),
    component_ids: Type.Optional(componentIds),
  },
  {
    ...closed,
    title: 'AddStatusPageSubscriber',
    description: '`address` with type `email`, `url` with type `webhook`.',
    examples: [{ type: 'email', address: 'customer@example.com' }],
  },
);
export type AddSubscriber = Static<typeof AddSubscriber>;

const shown = {
  id: Type.String({ examples: [SUBSCRIBER_ID] }),
  type: SubscriberType,
  address: nullable(Type.String(), { description: 'Whole only with `status_pages:write`. null for a webhook.' }),
  url: nullable(Type.String(), { description: 'Whole only with `status_pages:write`. null for an address.' }),
  state: Type.Enum(['unconfirmed', 'confirmed'], { description: '`unconfirmed`: it was asked, and gets nothing yet.' }),
  language: Type.Enum([...LANGUAGES]),
  component_ids: nullable(Type.Array(Type.String())),
  created_by: nullable(Type.String(), {
    description: 'E-mail address, or the name of the API key. null: the address was entered on the page.',
  }),
  created_at: Time,
  confirmed_at: nullable(Time),
};
const EXAMPLE = {
  id: SUBSCRIBER_ID,
  type: 'email',
  address: 'customer@example.com',
  url: null,
  state: 'confirmed',
  language: 'en',
  component_ids: null,
  created_by: null,
  created_at: AT,
  confirmed_at: AT,
} as const;

export const Subscriber = Type.Object(shown, { ...closed, title: 'StatusPageSubscriber', examples: [EXAMPLE] });
export type Subscriber = Static<typeof Subscriber>;

/** The response to a creation, the only one with the signing secret of a webhook. */
export const AddedSubscriber = Type.Object(
  {
    ...shown,
    secret: Type.Optional(
      Type.String({ description: 'Of a webhook: the key of its signatures, `whsec_…`. It is not shown again.' }),
    ),
  },
  { ...closed, title: 'AddedStatusPageSubscriber', examples: [EXAMPLE] },
);
