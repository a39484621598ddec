import { type Static, Type } from 'typebox';
import { nullable } from '../../http/input/nullable.js';
import { CURSOR_CHARS_MAX } from '../../storage/cursor.js';

const Timestamp = Type.String({ format: 'date-time', examples: ['2026-01-31T12:00:00.000Z'] });
const closed = { additionalProperties: false } as const;

export const VerificationQuery = Type.Object(
  {
    cursor: Type.Optional(
      Type.String({ minLength: 1, maxLength: CURSOR_CHARS_MAX, description: '`next_cursor` of the previous part.' }),
    ),
  },
  closed,
);
export type VerificationQuery = Static<typeof VerificationQuery>;

const Problem = Type.Object(
  {
    kind: Type.Enum(
      ['altered', 'broken', 'out_of_order', 'unsealed', 'foreign', 'truncated', 'miscounted', 'headless'],
      {
        description:
          '`altered`: the content differs from what was sealed. `broken`: the entry does not follow the one before it. `out_of_order`: its id does not sort after it. `unsealed`: it has no hash. `foreign`: it belongs to another workspace. `truncated`: entries are missing at the end. `miscounted`: the number of entries is wrong. `headless`: the record of where the chain ends is missing.',
      },
    ),
    entry_id: nullable(Type.String(), {
      description: 'The entry with the problem, or the last one before missing ones; null if there is none.',
    }),
    timestamp: nullable(Timestamp),
  },
  closed,
);

export const AuditVerification = Type.Object(
  {
    status: Type.Enum(['verifying', 'intact', 'broken'], {
      description: '`verifying`: the part is intact and there is more. `intact`: the whole chain is.',
    }),
    verified: Type.Integer({ minimum: 0, description: 'Entries verified, with the previous parts.' }),
    total: Type.Integer({ minimum: 0, description: 'Sealed entries of the workspace that retention has not deleted.' }),
    verified_to: nullable(Timestamp, { description: 'Timestamp of the last verified entry of this part.' }),
    problem: nullable(Problem, { description: 'The first problem. Verification ends with it.' }),
    next_cursor: nullable(Type.String()),
  },
  {
    ...closed,
    title: 'AuditVerification',
    examples: [
      {
        ...{ status: 'intact', verified: 18_204, total: 18_204, verified_to: '2026-01-31T11:59:58.204Z' },
        ...{ problem: null, next_cursor: null },
      },
    ],
  },
);
export type AuditVerification = Static<typeof AuditVerification>;
