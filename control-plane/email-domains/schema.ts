import { type Static, Type } from 'typebox';
import { nullable } from '../http/input/nullable.js';
import { SearchText, Text } from '../http/input/text.js';
import { PageParameters } from '../http/paging.js';
import { idPattern } from '../storage/ids.js';
import { AREA_STATUSES, AREAS, FINDING_LEVELS } from './areas/area.js';
import { EMAIL_DOMAIN_DAY_EXAMPLE, EMAIL_DOMAIN_EXAMPLE, EMAIL_DOMAIN_WITH_AREAS_EXAMPLE } from './examples.js';

const closed = { additionalProperties: false } as const;
const NAME_CHARS_MAX = 253;
const SELECTORS_MAX = 10;
const SELECTOR_CHARS_MAX = 63;
const SELECTOR_PATTERN = '^[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?$';

const Timestamp = Type.String({ format: 'date-time', examples: ['2026-01-31T12:00:00.000Z'] });
const Id = Type.String({ pattern: idPattern('eml'), examples: [EMAIL_DOMAIN_EXAMPLE.id] });
const Area = Type.Enum([...AREAS], { examples: ['spf'] });
const Status = Type.Enum([...AREA_STATUSES], {
  description:
    '`passing`. `warning`: it works, and should be better. `failing`: it does not do what it is for. `unknown`: it could not be looked up. `not_measured`: it cannot be measured from here, or the domain does not need it.',
});
const Score = nullable(Type.Integer({ minimum: 0, maximum: 100 }), {
  description:
    'The latest known score. A failed lookup never changes it. null until every area has been known. docs/email-domains.md has the formula.',
});
const Statuses = Type.Array(Type.Object({ area: Area, status: Status }, closed), {
  description: 'Empty before the first check.',
});
const Name = Type.String({ description: 'In lower-case punycode.', examples: [EMAIL_DOMAIN_EXAMPLE.name] });
const DkimSelectors = Type.Array(Type.String(), { examples: [EMAIL_DOMAIN_EXAMPLE.dkim_selectors] });

const Properties = {
  id: Id,
  name: Name,
  dkim_selectors: DkimSelectors,
  status: Type.Enum(['passing', 'warning', 'failing', 'unknown'], {
    description: 'The worst of what the areas count as. `unknown` before the first check.',
  }),
  score: Score,
  statuses: Statuses,
  last_checked_at: nullable(Timestamp),
  next_check_at: Timestamp,
  created_at: Timestamp,
  updated_at: Timestamp,
};

export const EmailDomain = Type.Object(Properties, {
  ...closed,
  title: 'EmailDomain',
  examples: [EMAIL_DOMAIN_EXAMPLE],
});
export type EmailDomain = Static<typeof EmailDomain>;

const Finding = Type.Object(
  {
    code: Type.String({ examples: ['spf_too_many_lookups'] }),
    level: Type.Enum([...FINDING_LEVELS]),
    message: Type.String(),
    next_step: nullable(Type.String(), { description: 'null where there is nothing to do.' }),
  },
  { ...closed, title: 'EmailDomainFinding' },
);

const CheckedArea = Type.Object(
  {
    area: Area,
    status: Status,
    counted_as: Type.Enum(['passing', 'warning', 'failing', 'unknown', 'left_out'], {
      description:
        'What the area counts as in the score: its latest known status. `left_out`: it cannot be measured or is not needed, and is no part of the score.',
    }),
    points: nullable(Type.Number(), { description: 'null if the area is no part of the score.' }),
    points_max: Type.Integer(),
    findings: Type.Array(Finding),
    evidence: Type.Array(Type.Object({ label: Type.String(), value: Type.String() }, closed), {
      description: 'What Picket read. Anyone may have written it.',
    }),
    proposal: nullable(
      Type.Object(
        { type: Type.Enum(['TXT', 'MX']), name: Type.String(), value: Type.String() },
        { ...closed, title: 'EmailDomainRecordProposal' },
      ),
      { description: 'A DNS record to publish. Adapt it before you do. null where Picket proposes none.' },
    ),
  },
  { ...closed, title: 'EmailDomainArea' },
);

export const EmailDomainWithAreas = Type.Object(
  { ...Properties, areas: Type.Array(CheckedArea, { description: 'Empty before the first check.' }) },
  { ...closed, title: 'EmailDomainWithAreas', examples: [EMAIL_DOMAIN_WITH_AREAS_EXAMPLE] },
);
export type EmailDomainWithAreas = Static<typeof EmailDomainWithAreas>;

const Selectors = Type.Array(
  Type.String({ minLength: 1, maxLength: SELECTOR_CHARS_MAX, pattern: SELECTOR_PATTERN, examples: ['s1'] }),
  {
    maxItems: SELECTORS_MAX,
    uniqueItems: true,
    description:
      'The DKIM selectors that your mail servers sign with. Keys under common selectors are found without it.',
  },
);

export const CreateEmailDomain = Type.Object(
  {
    name: Text({
      minLength: 1,
      maxLength: NAME_CHARS_MAX,
      description: 'A public domain, also in other scripts.',
      examples: ['example.com'],
    }),
    dkim_selectors: Type.Optional(Selectors),
  },
  { ...closed, title: 'CreateEmailDomain' },
);

export const UpdateEmailDomain = Type.Object(
  { dkim_selectors: Type.Optional(Selectors) },
  { ...closed, minProperties: 1, title: 'UpdateEmailDomain' },
);

export const EmailDomainId = Type.Object({ id: Id }, closed);

export const ListEmailDomains = Type.Object(
  {
    q: Type.Optional(SearchText({ description: 'Part of the name.', examples: ['example'] })),
    ...PageParameters,
  },
  closed,
);

export const ListEmailDomainDays = Type.Object(PageParameters, closed);

export const EmailDomainDay = Type.Object(
  { date: Type.String({ format: 'date' }), score: Score, statuses: Statuses, checked_at: Timestamp },
  { ...closed, title: 'EmailDomainDay', examples: [EMAIL_DOMAIN_DAY_EXAMPLE] },
);
export type EmailDomainDay = Static<typeof EmailDomainDay>;
