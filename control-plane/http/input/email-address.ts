import { Type } from 'typebox';

/** The pattern of e-mail fields in HTML: no quoted local part, no comment, and no line break that could add a header. */
const MAILBOX_PATTERN =
  "^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?(?:\\.[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?)*$";
/** RFC 5321, 4.5.3.1.3: a path has at most 256 octets, with its brackets. */
const MAILBOX_CHARS_MAX = 254;

/** Returns the schema of one e-mail address. */
export function EmailAddress(example = 'anna@example.com') {
  return Type.String({ maxLength: MAILBOX_CHARS_MAX, pattern: MAILBOX_PATTERN, examples: [example] });
}

/** Returns the form in which addresses of people are stored and compared. */
export function canonicalEmail(address: string): string {
  return address.toLowerCase();
}
