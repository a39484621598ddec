import type { FieldError } from '../../errors.js';
import { printable } from '../../printable.js';

/** More errors in one response would not help. */
export const FIELD_ERRORS_MAX = 50;
/** The names of unknown fields come from the client, so a pointer to one is cut. */
const PATH_CHARS_MAX = 200;
const MESSAGE_CHARS_MAX = 500;
/** A character takes up to four bytes, so the size of all errors together has a limit too. */
const ERRORS_BYTES_MAX = 48 * 1024;

/** Returns the errors that a response lists: the first ones, each of limited length and without control characters. */
export function boundedErrors(errors: readonly FieldError[]): FieldError[] {
  const bounded: FieldError[] = [];
  let bytes = 0;
  for (const { path, message } of errors.slice(0, FIELD_ERRORS_MAX)) {
    const error = { path: printable(path, PATH_CHARS_MAX), message: printable(message, MESSAGE_CHARS_MAX) };
    bytes += Buffer.byteLength(JSON.stringify(error));
    if (bytes > ERRORS_BYTES_MAX) break;
    bounded.push(error);
  }
  return bounded;
}
