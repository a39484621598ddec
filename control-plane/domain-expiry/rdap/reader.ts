import { Ajv2020 } from 'ajv/dist/2020.js';
import type { Static, TSchema } from 'typebox';
import { Problem } from './problem.js';

/**
 * Returns a function that reads JSON of a schema, with any other fields. Its text is as long as the caller allows. It throws
 * `Problem` for anything else: also for JSON that is nested too deeply to be read.
 */
export function createReader<S extends TSchema>(schema: S, what: string): (text: string) => Static<S> {
  const validate = new Ajv2020({ strict: true, strictTypes: false }).compile<Static<S>>(schema);
  return (text) => {
    const value = parsed(text, what);
    if (validate(value)) return value;
    const [error] = validate.errors ?? [];
    throw new Problem(`${what} is not as it should be at ${error?.instancePath || 'its top'}: ${error?.message ?? ''}`);
  };
}

function parsed(text: string, what: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Problem(`${what} is no JSON`);
  }
}
