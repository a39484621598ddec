import { Type } from 'typebox';
import { FIELD_ERROR_CODES } from '../../errors.js';

/** What is wrong with a field, as every answer has it. */
export const FieldErrorSchema = Type.Object(
  {
    path: Type.String({
      description: 'A JSON pointer into the body, or `/query/` and the name of a parameter.',
      examples: ['/http/expected_status'],
    }),
    message: Type.String({
      description: 'For people, after the name of the field.',
      examples: ['must be at least 100'],
    }),
    code: Type.Enum([...FIELD_ERROR_CODES], {
      description: 'What is wrong. `invalid`: only the message says it. There can be further codes in later versions.',
      examples: ['min'],
    }),
    params: Type.Optional(
      Type.Record(Type.String(), Type.Union([Type.String(), Type.Number(), Type.Array(Type.String())]), {
        description: 'The facts of the code: the limit of `min`, the values of `one_of`.',
        examples: [{ min: 100 }],
      }),
    ),
  },
  { additionalProperties: false },
);

export const FieldErrors = Type.Array(FieldErrorSchema, {
  description: 'The same as `reasons`, by field and for programs.',
});
