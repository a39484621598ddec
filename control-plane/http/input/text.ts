import { type TString, type TStringOptions, Type } from 'typebox';

/**
 * No C0 or C1 control character, so no line break either. Spelt with `\u` ranges, not `\p{Cc}`, because the
 * pattern stands in the OpenAPI document and clients in other languages read it.
 */
export const NO_CONTROLS_PATTERN = '^[^\\u0000-\\u001f\\u007f-\\u009f]*$';

const NAME_CHARS_MAX = 200;

/** One line of text. It arrives trimmed; the bounds count characters after trimming. */
export function Text(options: TStringOptions & { minLength: number; maxLength: number }): TString {
  return Type.String({ pattern: NO_CONTROLS_PATTERN, ...options });
}

/** The name of a thing: 1 to 200 characters. */
export function Name(options: TStringOptions = {}): TString {
  return Text({ minLength: 1, maxLength: NAME_CHARS_MAX, ...options });
}

/**
 * Text that is taken as it is, neither trimmed nor refused for its line breaks: a request body to send, a
 * password, a keyword to look for. NUL and lone surrogates are refused here too.
 */
export function Verbatim(options: TStringOptions & { maxLength: number }): TString {
  return Type.String({ ...options, verbatim: true });
}
