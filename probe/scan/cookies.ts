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
 * Returns the cookies of `Set-Cookie` headers, without their values. Repeated headers are joined with commas, which also are
 * in dates, so a comma ends a cookie only where a name and `=` follow.
 */
export function cookiesOf(headers: readonly string[]): SeenCookie[] {
  const found = new Map<string, SeenCookie>();
  for (const header of headers) {
    for (const text of header.split(/,\s*(?=[!#$%&'*+.^_`|~0-9A-Za-z-]{1,200}=)/)) {
      const [pair = '', ...attributes] = text.split(';');
      const name = printable(pair.split('=', 1)[0]?.trim().slice(0, NAME_CHARS_MAX) ?? '');
      if (name === '' || found.size >= COOKIES_MAX) continue;
      const set = new Map(attributes.map((attribute) => attributeOf(attribute)));
      found.set(name, {
        name,
        secure: set.has('secure'),
        httpOnly: set.has('httponly'),
        sameSite: set.get('samesite')?.slice(0, 20) ?? '',
      });
    }
  }
  return [...found.values()];
}

function attributeOf(text: string): [string, string] {
  const [name = '', value = ''] = text.split('=', 2);
  return [name.trim().toLowerCase(), printable(value.trim().toLowerCase())];
}
