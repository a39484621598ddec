import type { ResponseHead } from './head.js';

/** A page must declare its character set within this many bytes (HTML standard, prescan). */
const PRESCAN_BYTES = 1024;

const PARAMETER = /charset\s*=\s*["']?(?<label>[\w.:-]+)/i;
/** Only for the start of a page: on a longer text its time would grow with the square of the length. */
const DECLARATION = /(?:charset|<\?xml[^>]*\sencoding)\s*=\s*["']?(?<label>[\w.:-]+)/i;

/** Returns the first of byte order mark, Content-Type and declaration in the page (HTML standard); null without any. */
export function charsetOf(body: Buffer, head: ResponseHead): string | null {
  const mark = body.subarray(0, 3).toString('hex');
  if (mark === 'efbbbf') return 'utf-8';
  if (mark.startsWith('feff')) return 'utf-16be';
  if (mark.startsWith('fffe')) return 'utf-16le';
  const declared = charsetIn(head.headers.get('content-type') ?? '', PARAMETER);
  if (declared !== null) return declared;
  const meta = charsetIn(body.subarray(0, PRESCAN_BYTES).toString('latin1'), DECLARATION);
  // A page with a declaration in ASCII cannot be UTF-16.
  return meta?.startsWith('utf-16') ? 'utf-8' : meta;
}

/** Returns the canonical name of the first label; null if it is unknown or missing. */
function charsetIn(text: string, pattern: RegExp): string | null {
  const label = pattern.exec(text)?.groups?.['label'];
  if (label === undefined) return null;
  try {
    return new TextDecoder(label).encoding;
  } catch {
    // An unknown label counts as missing.
    return null;
  }
}

/** The characters of windows-1252 from 0x80 to 0x9f, where latin1 has control characters. */
const WINDOWS_1252 = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';

/**
 * Returns the text as bytes of windows-1252; null if it has a character that windows-1252 lacks. Node 20 decodes
 * windows-1252 as latin1, so it would not find a typographic quote or a euro sign in a decoded body.
 */
export function encodeWindows1252(text: string): Buffer | null {
  const bytes = Buffer.alloc(text.length);
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    const special = WINDOWS_1252.indexOf(text.charAt(index));
    if (special === -1 && (code > 0xff || (code >= 0x80 && code < 0xa0))) return null;
    bytes[index] = special === -1 ? code : 0x80 + special;
  }
  return bytes;
}
