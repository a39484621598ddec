import { Type } from 'typebox';
import type { RuleField } from '../../alert-rules/rule-type.js';
import { nullable } from '../../http/input/nullable.js';
import { Text } from '../../http/input/text.js';
import { idPattern } from '../../storage/ids.js';

const OPERATORS = ['>', '>=', '<', '<='] as const;
export type Operator = (typeof OPERATORS)[number];
/** Other spellings that requests can use, and that older versions of Picket stored. */
const OPERATOR_WORDS: Readonly<Record<string, Operator>> = { gt: '>', gte: '>=', lt: '<', lte: '<=' };

const FOR_SECONDS_MAX = 86_400;
const WITHIN_HOURS_DEFAULT = 24;
const WITHIN_HOURS_MAX = 168;
const SERVERS_MAX = 500;
const TAGS_MAX = 20;
const TAG_CHARS_MAX = 50;

const Operators = nullable(Type.Enum(OPERATORS));
const Numbers = nullable(Type.Number());
const Integers = nullable(Type.Integer());
const Texts = nullable(Type.Array(Type.String()));

export const operator: RuleField<typeof Operators> = {
  value: Operators,
  input: nullable(Type.Enum([...OPERATORS, ...Object.keys(OPERATOR_WORDS)]), {
    description: 'Only for type `metric`. Responses show the symbol: `gt` becomes `>`.',
  }),
  default: null,
  canonical: (value) => operatorSymbol(typeof value === 'string' ? value : null),
};

/** Returns the operator as a symbol; null for none. */
export function operatorSymbol(written: string | null): Operator | null {
  return OPERATORS.find((symbol) => symbol === written) ?? OPERATOR_WORDS[written ?? ''] ?? null;
}

export const threshold: RuleField<typeof Numbers> = {
  value: Numbers,
  input: nullable(Type.Number({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }), {
    description: 'Only for type `metric`; in the unit of the metric.',
  }),
  default: null,
};

/** `metric`: how long every sample must be beyond the threshold. `server_offline`: how long in addition to the usual silence. */
export const forSeconds: RuleField<typeof Integers> = {
  value: Integers,
  input: nullable(Type.Integer({ minimum: 0, maximum: FOR_SECONDS_MAX }), {
    description:
      '`metric`: how long every sample must be beyond the threshold; with 0, one sample is enough. `server_offline`: seconds in addition to the three missed samples. Defaults to 0.',
  }),
  default: 0,
};

/** `disk_full`: the rule fires when the disk will be full within this time. */
export const withinHours: RuleField<typeof Integers> = {
  value: Integers,
  input: nullable(Type.Integer({ minimum: 1, maximum: WITHIN_HOURS_MAX }), {
    description: `Only for type \`disk_full\`: fires if the disk will be full within this many hours. Defaults to ${WITHIN_HOURS_DEFAULT}.`,
  }),
  default: WITHIN_HOURS_DEFAULT,
};

/** The servers that a rule applies to; null together with null tags means all servers. */
export const serverIds: RuleField<typeof Texts> = {
  value: Texts,
  input: nullable(
    Type.Array(Type.String({ pattern: idPattern('srv') }), { maxItems: SERVERS_MAX, uniqueItems: true }),
    {
      description:
        'Servers that the rule applies to; `[]`, after the deletion of all of them, means none. Cannot be combined with `tags`. Without both, the rule applies to all servers. Only for rules on servers.',
    },
  ),
  default: null,
  refersTo: 'server',
};

/** The rule applies to servers with one of these tags. */
export const tags: RuleField<typeof Texts> = {
  value: Texts,
  input: nullable(
    Type.Array(Text({ minLength: 1, maxLength: TAG_CHARS_MAX }), {
      minItems: 1,
      maxItems: TAGS_MAX,
      uniqueItems: true,
    }),
    {
      description:
        'The rule applies to servers with one of these tags. Cannot be combined with `server_ids`. Only for rules on servers.',
    },
  ),
  default: null,
};
