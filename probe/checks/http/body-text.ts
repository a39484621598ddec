import { constants, createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib';
import { quoted } from '../format.js';
import { createByteCollector } from './bytes.js';
import { protocolError, type ResponseHead } from './head.js';

/** Bytes that are searched for a keyword, after decompression. */
export const BODY_BYTES_MAX = 2 * 1024 * 1024;
/** A body that is compressed more often than this is an attack. */
const CODINGS_MAX = 3;
/** A page must declare its character set within this many bytes (HTML standard, prescan). */
const PRESCAN_BYTES = 1024;
const OUTPUT_CHUNK_BYTES = 64 * 1024;

/** The bytes of a body. `truncated` if it is larger than the limit. */
export interface Body {
  bytes: Buffer;
  truncated: boolean;
}

/** Returns the body without its content codings, at most 2 MiB of it. */
export async function decompressed(body: Body, head: ResponseHead): Promise<Body> {
  const codings = (head.headers.get('content-encoding') ?? '')
    .toLowerCase()
    .split(',')
    .map((each) => each.trim());
  const applied = codings.filter((coding) => coding !== '' && coding !== 'identity');
  if (applied.length > CODINGS_MAX) throw protocolError(`the body is compressed ${applied.length} times`);
  let current = body;
  for (const coding of applied.reverse()) {
    if (current.bytes.length === 0) break;
    const output = await decompress(coding, current.bytes);
    current = { bytes: output.bytes, truncated: output.truncated || current.truncated };
  }
  return current;
}

function decoderFor(coding: string, bytes: Buffer) {
  // With a sync flush a truncated stream yields its available data, like in browsers, instead of an error.
  const zlib = { finishFlush: constants.Z_SYNC_FLUSH, chunkSize: OUTPUT_CHUNK_BYTES };
  if (coding === 'gzip' || coding === 'x-gzip') return createGunzip(zlib);
  if (coding === 'br')
    return createBrotliDecompress({ finishFlush: constants.BROTLI_OPERATION_FLUSH, chunkSize: OUTPUT_CHUNK_BYTES });
  if (coding === 'deflate') return hasZlibHeader(bytes) ? createInflate(zlib) : createInflateRaw(zlib);
  throw protocolError(`the body has an unsupported encoding: ${quoted(coding)}`);
}

/** By the standard `deflate` has a zlib header (RFC 1950), but some servers send it without one. */
function hasZlibHeader(bytes: Buffer): boolean {
  const [first = 0, second = 0] = bytes;
  return (first & 0x0f) === 8 && ((first << 8) | second) % 31 === 0;
}

function decompress(coding: string, bytes: Buffer): Promise<Body> {
  const decoder = decoderFor(coding, bytes);
  const collected = createByteCollector(BODY_BYTES_MAX);
  return new Promise((resolve, reject) => {
    const finish = (truncated: boolean) => {
      decoder.destroy();
      resolve({ bytes: collected.view(), truncated });
    };
    decoder.on('data', (chunk: Buffer) => {
      if (!collected.add(chunk)) finish(true);
    });
    decoder.on('end', () => finish(false));
    decoder.on('error', () => reject(protocolError(`the body is not valid ${coding} data`)));
    decoder.end(bytes);
  });
}

/**
 * Returns whether the body contains the text, in any character set. A body in UTF-8, which nearly all pages use, is
 * searched without decoding it, because in UTF-8 no character is a part of the bytes of another one.
 */
export function containsText(body: Buffer, head: ResponseHead, text: string): boolean {
  const charset = charsetOf(body, head);
  if (charset === null || charset === 'utf-8') {
    const found = body.includes(text, 0, 'utf8');
    // Without a declaration the body may also be windows-1252, the default of the web.
    if (found || charset === 'utf-8') return found;
    return decodeWindows1252(body).includes(text);
  }
  if (charset === 'windows-1252') return decodeWindows1252(body).includes(text);
  return new TextDecoder(charset).decode(body).includes(text);
}

/** The characters of windows-1252 from 0x80 to 0x9f, where latin1 has control characters. */
const WINDOWS_1252 = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';

/** Node 20 decodes windows-1252 as latin1, so it would not find a typographic quote or a euro sign. */
function decodeWindows1252(body: Buffer): string {
  return body.toString('latin1').replace(/[\u0080-\u009f]/g, (each) => WINDOWS_1252.charAt(each.charCodeAt(0) - 0x80));
}

/** Returns the first of byte order mark, Content-Type and declaration in the page (HTML standard); null without any. */
function charsetOf(body: Buffer, head: ResponseHead): string | null {
  const mark = body.subarray(0, 3).toString('hex');
  if (mark === 'efbbbf') return 'utf-8';
  if (mark.startsWith('feff')) return 'utf-16be';
  if (mark.startsWith('fffe')) return 'utf-16le';
  const declared = charsetParameter(head.headers.get('content-type') ?? '');
  if (declared !== null) return declared;
  const meta = charsetParameter(body.subarray(0, PRESCAN_BYTES).toString('latin1'));
  // A page with a declaration in ASCII cannot be UTF-16.
  return meta?.startsWith('utf-16') ? 'utf-8' : meta;
}

/** Returns the canonical name in the first `charset=…`, or `encoding="…"` of XML; null if unknown or missing. */
function charsetParameter(text: string): string | null {
  const match = /(?:charset|<\?xml[^>]*\sencoding)\s*=\s*["']?(?<label>[\w.:-]+)/i.exec(text);
  const label = match?.groups?.['label'];
  if (label === undefined) return null;
  try {
    return new TextDecoder(label).encoding;
  } catch {
    // An unknown label counts as missing.
    return null;
  }
}
