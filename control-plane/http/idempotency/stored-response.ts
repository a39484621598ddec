import { gunzipSync, gzipSync } from 'node:zlib';
import { AppError } from '../../errors.js';
import type { HttpResponse } from '../response.js';

/** A longer body is stored compressed. */
const PLAIN_BYTES_MAX = 16 * 1024;
/**
 * A body that is longer even when compressed is not stored: with a new key for each request, a client could fill the
 * database. An import of 2,000 monitors, the longest ordinary response, has half of it.
 */
const STORED_BYTES_MAX = 128 * 1024;
/** More than any response to a request of 1 MiB. */
const BODY_BYTES_MAX = 64 * 1024 * 1024;

interface StoredResponse extends TextResponse {
  /** The compressed body in base64. */
  gzip?: string;
  /** The body is too long to be stored, or the workspace has stored too much. */
  omitted?: true | 'over_budget';
}

/** A response with text or without a body. */
export type TextResponse = HttpResponse & { body: string | null };

/** Returns a response as text for storage. */
export function packedResponse({ status, headers, body }: TextResponse): string {
  return JSON.stringify({ status, headers, ...packedBody(body) } satisfies StoredResponse);
}

/** Returns the same without its body, for a workspace that has stored too much. */
export function omittedResponse({ status, headers }: TextResponse): string {
  return JSON.stringify({ status, headers, body: null, omitted: 'over_budget' } satisfies StoredResponse);
}

/** Returns the response of such a text. Throws `conflict`, with its `Location`, when its body was not stored. */
export function unpackedResponse(text: string): TextResponse {
  const { status, headers, body, gzip, omitted }: StoredResponse = JSON.parse(text);
  if (omitted !== undefined) {
    const why =
      omitted === true ? 'is too long to be repeated' : 'was not stored, because this workspace stores too much';
    const { Location } = headers;
    throw new AppError(
      'conflict',
      `The first request with this Idempotency-Key was carried out. Its response ${why}.`,
      {
        headers: Location === undefined ? {} : { Location },
      },
    );
  }
  if (gzip === undefined) return { status, headers, body };
  const plain = gunzipSync(Buffer.from(gzip, 'base64'), { maxOutputLength: BODY_BYTES_MAX });
  return { status, headers, body: plain.toString('utf8') };
}

function packedBody(body: string | null): Pick<StoredResponse, 'body' | 'gzip' | 'omitted'> {
  if (body === null || Buffer.byteLength(body) <= PLAIN_BYTES_MAX) return { body };
  const compressed = gzipSync(body);
  if (compressed.length > STORED_BYTES_MAX) return { body: null, omitted: true };
  return { body: null, gzip: compressed.toString('base64') };
}
