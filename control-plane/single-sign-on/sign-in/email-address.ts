const ADDRESS_CHARS_MAX = 254;
/** The unquoted form of RFC 5321, section 4.1.2, with a domain of at least two labels. */
const ADDRESS =
  /^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z0-9-]{2,63}$/;

/** An e-mail address in lower case, and its domain. */
export interface EmailAddress {
  email: string;
  domain: string;
}

/**
 * Returns the address in lower case; null when the value is not an e-mail address. Only ASCII is accepted: lower case
 * turns some other letters into ASCII ones (U+212A becomes `k`), so that two addresses could become the same.
 */
export function emailAddress(value: unknown): EmailAddress | null {
  if (typeof value !== 'string' || value.length > ADDRESS_CHARS_MAX || !ADDRESS.test(value)) return null;
  const email = value.toLowerCase();
  return { email, domain: email.slice(email.lastIndexOf('@') + 1) };
}
