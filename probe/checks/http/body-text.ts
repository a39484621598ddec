import { constants, createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib';
import { quoted } from '../words.js';
import { createByteCollector } from './bytes.js';
import { protocolError, type ResponseHead } from './head.js';

/** Most that is searched for a keyword, after decompression. */
export const BODY_BYTES_MAX = 2 * 1024 * 1024;
/** A body packed more often than this is an attack, not a page. */
const CODINGS_MAX = 3;
/** How far into a page its own declaration of the character set may stand (HTML standard, prescan). */
const PRESCAN_BYTES = 1024;
const OUTPUT_CHUNK_BYTES = 64 * 1024;

/** Bytes of a body; `cut` when there was more than the limit. */
export interface Body {
  bytes: Buffer;
  cut: boolean;
}

/** Undoes the content codings of a body, keeping at most 2 MiB of what comes out. */
export async function decompressed(body: Body, head: ResponseHead): Promise<Body> {
  const codings = (head.headers.get('content-encoding') ?? '')
    .toLowerCase()
    .split(',')
    .map((each) => each.trim());
  const packed = codings.filter((coding) => coding !== '' && coding !== 'identity');
  if (packed.length > CODINGS_MAX) throw protocolError(`the body is compressed ${packed.length} times over`);
  let current = body;
  for (const coding of packed.reverse()) {
    if (current.bytes.length === 0) break;
    const unpacked = await unpack(coding, current.bytes);
    current = { bytes: unpacked.bytes, cut: unpacked.cut || current.cut };
  }
  return current;
}

function decoderFor(coding: string, bytes: Buffer) {
  // Sync flush takes what a truncated stream holds, as browsers do, in place of an error.
  const zlib = { finishFlush: constants.Z_SYNC_FLUSH, chunkSize: OUTPUT_CHUNK_BYTES };
  if (coding === 'gzip' || coding === 'x-gzip') return createGunzip(zlib);
  if (coding === 'br')
    return createBrotliDecompress({ finishFlush: constants.BROTLI_OPERATION_FLUSH, chunkSize: OUTPUT_CHUNK_BYTES });
  if (coding === 'deflate') return hasZlibHeader(bytes) ? createInflate(zlib) : createInflateRaw(zlib);
  throw protocolError(`the body has an encoding that was not asked for: ${quoted(coding)}`);
}

/** `deflate` is zlib by the standard and raw in some servers; the first two bytes tell (RFC 1950). */
function hasZlibHeader(bytes: Buffer): boolean {
  const [first = 0, second = 0] = bytes;
  return (first & 0x0f) === 8 && ((first << 8) | second) % 31 === 0;
}

function unpack(coding: string, bytes: Buffer): Promise<Body> {
  const decoder = decoderFor(coding, bytes);
  const collected = createByteCollector(BODY_BYTES_MAX);
  return new Promise((resolve, reject) => {
    const finish = (cut: boolean) => {
      decoder.destroy();
      resolve({ bytes: collected.view(), cut });
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
 * Whether the text stands in the body, whatever the character set. For UTF-8, which nearly every page is, the bytes
 * are searched as they are: UTF-8 can be searched without decoding because no character's bytes hold another's.
 */
export function holds(body: Buffer, head: ResponseHead, text: string): boolean {
  const charset = charsetOf(body, head);
  if (charset === null || charset === 'utf-8') {
    const found = body.includes(text, 0, 'utf8');
    // Undeclared and not UTF-8 after all: the web's default is windows-1252.
    if (found || charset === 'utf-8') return found;
    return decodeWindows1252(body).includes(text);
  }
  if (charset === 'windows-1252') return decodeWindows1252(body).includes(text);
  return new TextDecoder(charset).decode(body).includes(text);
}

/** What windows-1252 has at 0x80 to 0x9f, where latin1 has control characters. */
const WINDOWS_1252 = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';

/** Node 20 takes windows-1252 for latin1, so that a typographic quote or a euro sign would not be found. */
function decodeWindows1252(body: Buffer): string {
  return body.toString('latin1').replace(/[\u0080-\u009f]/g, (each) => WINDOWS_1252.charAt(each.charCodeAt(0) - 0x80));
}

/** By the order of the HTML standard: byte order mark, Content-Type, the page's own declaration. null: undeclared. */
function charsetOf(body: Buffer, head: ResponseHead): string | null {
  const mark = body.subarray(0, 3).toString('hex');
  if (mark === 'efbbbf') return 'utf-8';
  if (mark.startsWith('feff')) return 'utf-16be';
  if (mark.startsWith('fffe')) return 'utf-16le';
  const declared = charsetParameter(head.headers.get('content-type') ?? '');
  if (declared !== null) return declared;
  const meta = charsetParameter(body.subarray(0, PRESCAN_BYTES).toString('latin1'));
  // A page whose ASCII declaration could be read is not UTF-16, whatever it says.
  return meta?.startsWith('utf-16') ? 'utf-8' : meta;
}

/** The canonical name of the first `charset=…` that is a known character set; XML says `encoding="…"`. */
function charsetParameter(text: string): string | null {
  const match = /(?:charset|<\?xml[^>]*\sencoding)\s*=\s*["']?(?<label>[\w.:-]+)/i.exec(text);
  const label = match?.groups?.['label'];
  if (label === undefined) return null;
  try {
    return new TextDecoder(label).encoding;
  } catch {
    // An unknown label is as good as none.
    return null;
  }
}
