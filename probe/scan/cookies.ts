import { printable } from '../checks/format.js';

const COOKIES_MAX = 50;
const NAME_CHARS_MAX = 100;

export interface SeenCookie {
  name: string;
  secure: boolean;
  httpOnly: boolean;
  /** In lower case; empty if it is not set. */
  sameSite: string;
}

/**
 * Returns the cookies of `Set-Cookie` headers, one of each, without their values. A cookie without `=` has no name and only a
 * value (RFC 6265bis section 5.6), so it is left out.
 */
export function cookiesOf(headers: readonly string[]): SeenCookie[] {
  const found = new Map<string, SeenCookie>();
  for (const header of headers) {
    const [pair = '', ...attributes] = header.split(';');
    const nameEnd = pair.indexOf('=');
    if (nameEnd < 0) continue;
    const name = printable(pair.slice(0, nameEnd).trim().slice(0, NAME_CHARS_MAX));
    if (name === '' || found.size >= COOKIES_MAX) continue;
    const set = new Map(attributes.map((attribute) => attributeOf(attribute)));
    found.set(name, {
      name,
      secure: set.has('secure'),
      httpOnly: set.has('httponly'),
      sameSite: set.get('samesite')?.slice(0, 20) ?? '',
    });
  }
  return [...found.values()];
}

function attributeOf(text: string): [string, string] {
  const [name = '', value = ''] = text.split('=', 2);
  return [name.trim().toLowerCase(), printable(value.trim().toLowerCase())];
}
