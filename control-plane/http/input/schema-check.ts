import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { Static, TSchema } from 'typebox';
import type { FieldError } from '../../errors.js';
import { closedSchema } from './closed-schema.js';
import { normalized } from './normalize.js';
import { outlineOf } from './schema-outline.js';
import { parseTimestamp } from './time/timestamp.js';
import { fieldErrors } from './validation-errors.js';

/** A value of the schema, or what is wrong with it. */
export type Checked<Value> = { ok: true; value: Value } | { ok: false; errors: FieldError[] };

/** A compiled schema. */
export interface SchemaCheck<Value> {
  /**
   * Normalizes the value, in place, and validates it, in time proportional to its size whatever is wrong with it.
   * Nothing is coerced and no default is filled in. Unknown fields are errors.
   */
  read(value: unknown): Checked<Value>;
}

/**
 * Returns a compiler of schemas. A schema is compiled when its first value is read: compiling those of all routes takes a
 * second of CPU, which no start should pay for. The strict mode finds a misspelt keyword in a schema; a test reads all of them.
 */
export function createSchemaCompiler(): <S extends TSchema>(schema: S) => SchemaCheck<Static<S>> {
  const ajv = new Ajv2020({
    allErrors: true,
    strict: true,
    strictTypes: false,
    strictTuples: false,
    strictRequired: false,
  });
  addFormats.default(ajv);
  ajv.addFormat('date-time', (text) => parseTimestamp(text) !== null);
  ajv.addKeyword('verbatim');
  return <S extends TSchema>(schema: S) => {
    const compile = () => {
      const closed = closedSchema(schema);
      return { closed, validate: ajv.compile<Static<S>>(closed), outline: outlineOf(closed) };
    };
    let compiled: ReturnType<typeof compile> | null = null;
    return {
      read(input) {
        compiled ??= compile();
        const { closed, validate, outline } = compiled;
        const { value, errors, complete } = normalized(input, outline);
        if (validate(value) && complete && errors.length === 0) return { ok: true, value };
        const found = [...errors, ...fieldErrors(validate.errors ?? [], closed)];
        return {
          ok: false,
          errors: found.length > 0 ? found : [{ path: '', message: 'is too large', code: 'too_large' }],
        };
      },
    };
  };
}
