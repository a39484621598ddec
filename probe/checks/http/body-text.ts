import { constants, createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib';
import { quoted } from '../format.js';
import { createByteCollector } from './bytes.js';
import { charsetOf, encodeWindows1252 } from './charset.js';
import { containsBytes } from './find-bytes.js';
import { protocolError, type ResponseHead } from './head.js';

/** Bytes that are searched for a keyword, after decompression. */
export const BODY_BYTES_MAX = 2 * 1024 * 1024;
/** A body that is compressed more often than this is an attack. */
const CODINGS_MAX = 3;
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
 * Returns whether the body contains the text, in any character set. A body in UTF-8, which nearly all pages use, and one
 * in windows-1252 are searched without decoding them, because in both no character is a part of the bytes of another
 * one.
 */
export function containsText(body: Buffer, head: ResponseHead, text: string): boolean {
  const charset = charsetOf(body, head);
  if (charset === null || charset === 'utf-8') {
    const found = containsBytes(body, Buffer.from(text));
    // Without a declaration the body may also be windows-1252, the default of the web.
    return found || (charset === null && containsWindows1252(body, text));
  }
  if (charset === 'windows-1252') return containsWindows1252(body, text);
  return containsBytes(Buffer.from(new TextDecoder(charset).decode(body)), Buffer.from(text));
}

function containsWindows1252(body: Buffer, text: string): boolean {
  const bytes = encodeWindows1252(text);
  return bytes !== null && containsBytes(body, bytes);
}
