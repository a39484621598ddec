import type { FieldError, FieldErrorCode, FieldErrorParams } from '../../errors.js';
import { printable } from '../../printable.js';

/** More errors in one response would not help. */
export const FIELD_ERRORS_MAX = 50;
/** The names of unknown fields come from the client, so a pointer to one is cut. */
const PATH_CHARS_MAX = 200;
const MESSAGE_CHARS_MAX = 500;
const FACT_CHARS_MAX = 200;
const FACT_VALUES_MAX = 40;
/** A character takes up to four bytes, so the size of all errors together has a limit too. */
const ERRORS_BYTES_MAX = 48 * 1024;

/** An error as a response has it. */
export type CodedError = FieldError & { code: FieldErrorCode };

/** Returns the errors that a response lists: the first ones, each of limited length and without control characters. */
export function boundedErrors(errors: readonly FieldError[]): CodedError[] {
  const bounded: CodedError[] = [];
  let bytes = 0;
  for (const { path, message, code = 'invalid', params } of errors.slice(0, FIELD_ERRORS_MAX)) {
    const error: CodedError = {
      ...{ path: printable(path, PATH_CHARS_MAX), message: printable(message, MESSAGE_CHARS_MAX), code },
      ...(params === undefined ? {} : { params: boundedParams(params) }),
    };
    bytes += Buffer.byteLength(JSON.stringify(error));
    if (bytes > ERRORS_BYTES_MAX) break;
    bounded.push(error);
  }
  return bounded;
}

function boundedParams(params: FieldErrorParams): FieldErrorParams {
  const bounded = (fact: FieldErrorParams[string]): FieldErrorParams[string] => {
    if (typeof fact === 'number') return fact;
    if (typeof fact === 'string') return printable(fact, FACT_CHARS_MAX);
    return fact.slice(0, FACT_VALUES_MAX).map((value) => printable(value, FACT_CHARS_MAX));
  };
  return Object.fromEntries(Object.entries(params).map(([name, fact]) => [name, bounded(fact)]));
}
