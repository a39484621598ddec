import type { components } from '#openapi';

/** What the API says is wrong with a field. */
export type FieldProblem = NonNullable<components['schemas']['Problem']['errors']>[number];
type FieldCode = FieldProblem['code'];

/** The facts of a code, as its sentence needs them. */
export interface Facts {
  min: number;
  max: number;
  of: number;
  values: readonly string[];
  types: readonly string[];
  example: string;
  format: string;
  prefix: string;
  /** The facts by their names in the API, for codes with many. */
  all: NonNullable<FieldProblem['params']>;
  /** What the API says, in English. */
  message: string;
}

export type FieldSentences = Readonly<Record<FieldCode, (facts: Facts) => string>>;
