import { type TString, type TStringOptions, Type } from 'typebox';

/**
 * Matches text without C0 and C1 control characters, so without line breaks too. It uses `\u` ranges instead of
 * `\p{Cc}` because the pattern is part of the OpenAPI document, which clients in other languages read.
 */
export const NO_CONTROLS_PATTERN = '^[^\\u0000-\\u001f\\u007f-\\u009f]*$';

/** The same for text of several lines: tabs and line breaks are no control characters here. */
export const LINES_PATTERN = '^[^\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u007f-\\u009f]*$';

const NAME_CHARS_MAX = 200;
const SEARCH_CHARS_MAX = 200;

/** Returns the schema of one line of text. The text is trimmed before its length is validated. */
export function Text(options: TStringOptions & { minLength: number; maxLength: number }): TString {
  return Type.String({ pattern: NO_CONTROLS_PATTERN, ...options });
}

/** Returns the schema of a name: 1 to 200 characters. */
export function Name(options: TStringOptions = {}): TString {
  return Text({ minLength: 1, maxLength: NAME_CHARS_MAX, ...options });
}

/** Returns the schema of what a list is searched for: 1 to 200 characters. */
export function SearchText(options: { description: string; examples?: string[] }): TString {
  return Text({ minLength: 1, maxLength: SEARCH_CHARS_MAX, ...options });
}

/**
 * Returns the schema of text that is kept unchanged, neither trimmed nor refused for line breaks: a request body to
 * send, a password, a keyword to search for. NUL and lone surrogates are refused here too.
 */
export function Verbatim(options: TStringOptions & { maxLength: number }): TString {
  return Type.String({ ...options, verbatim: true });
}
