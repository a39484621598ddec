import type { IncomingMessage } from 'node:http';
import getRawBody from 'raw-body';
import type { NextTurn } from '../../../kernel/concurrency/turns.js';
import { AppError } from '../../errors.js';
import type { Sender, TextBody } from '../route.js';
import { BODY_DEPTH_MAX, isDeeperThan } from './strings.js';

const BODY_BYTES_MAX = 1024 * 1024;
/** A larger body waits for its turn: 1 MiB of fields with different names takes up to 100 ms to parse. */
const AT_ONCE_BYTES_MAX = 16 * 1024;

export type RequestBody = { kind: 'none' } | { kind: 'json'; value: unknown };

/**
 * Reads the body of a request: JSON, or text of a form that the route also accepts. The media type is checked before
 * anything is read, and the size while the body arrives, whatever Content-Length says.
 */
export async function readBody(
  req: IncomingMessage,
  textBody: TextBody | null,
  sender: Sender,
  nextTurn: NextTurn,
): Promise<RequestBody> {
  const declared = req.headers['content-length'];
  if (declared === undefined && req.headers['transfer-encoding'] === undefined) return { kind: 'none' };
  if (declared !== undefined && Number(declared) > BODY_BYTES_MAX) throw tooLarge();
  if (Number(declared) === 0) return { kind: 'none' };
  const type = mediaType(req, textBody?.types ?? []);
  if (textBody?.types.includes(type) === true) {
    let isEmpty = false;
    const receiveText = async () => {
      const text = await receive(req);
      isEmpty = text.length === 0;
      return text;
    };
    const value = await textBody.read(receiveText, sender);
    return isEmpty ? { kind: 'none' } : { kind: 'json', value };
  }
  const bytes = await receive(req);
  if (bytes.length === 0) return { kind: 'none' };
  if (bytes.length > AT_ONCE_BYTES_MAX) await nextTurn();
  return { kind: 'json', value: parseJson(decodeUtf8(bytes)) };
}

/** Reads the body of a request without interpreting it. Of a repeated header, the values are joined. */
export async function readRawBody(
  req: IncomingMessage,
  { type, headers }: { type: string; headers: readonly string[] },
): Promise<{ bytes: Buffer; headers: Record<string, string> }> {
  const declared = req.headers['content-length'];
  if (declared !== undefined && Number(declared) > BODY_BYTES_MAX) throw tooLarge();
  const isEmpty = declared === undefined && req.headers['transfer-encoding'] === undefined;
  if (!isEmpty) mediaType(req, [type]);
  return {
    bytes: isEmpty ? Buffer.alloc(0) : await receive(req),
    headers: Object.fromEntries(headers.map((name) => [name, String(req.headers[name] ?? '')])),
  };
}

function mediaType(req: IncomingMessage, textTypes: readonly string[]): string {
  const header = req.headers['content-type'] ?? '';
  const [type = '', ...parameters] = header.split(';').map((part) => part.trim().toLowerCase());
  const accepted = ['application/json', ...textTypes];
  if (!accepted.includes(type)) {
    throw unsupported(`The body must be ${accepted.join(' or ')}${type === '' ? '' : `, not ${type.slice(0, 100)}`}.`);
  }
  const charset = parameters.find((parameter) => parameter.startsWith('charset='));
  if (charset !== undefined && !['utf-8', 'utf8'].includes(charset.slice('charset='.length).replaceAll('"', ''))) {
    throw unsupported('The body must be UTF-8.');
  }
  const encoding = req.headers['content-encoding'] ?? 'identity';
  if (encoding.toLowerCase() !== 'identity') throw unsupported('The body must not be compressed.');
  return type;
}

async function receive(req: IncomingMessage): Promise<Buffer> {
  try {
    return await getRawBody(req, { limit: BODY_BYTES_MAX });
  } catch (cause) {
    if (!isTooLarge(cause)) throw new AppError('invalid_request', 'The body ended before it was complete.', { cause });
    // Discards the rest of the body, because a client reads the response only when it has sent its whole body.
    req.resume();
    throw tooLarge();
  }
}

function isTooLarge(error: unknown): boolean {
  return error instanceof Error && 'type' in error && error.type === 'entity.too.large';
}

function decodeUtf8(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw new AppError('invalid_json', 'The body is not valid UTF-8.', { cause: error });
  }
}

function parseJson(content: string): unknown {
  if (isDeeperThan(content, BODY_DEPTH_MAX)) {
    throw new AppError('invalid_json', `The body is nested more than ${BODY_DEPTH_MAX} levels deep.`);
  }
  try {
    return JSON.parse(content);
  } catch (error) {
    throw new AppError('invalid_json', 'The body is not valid JSON.', { cause: error });
  }
}

function tooLarge(): AppError {
  return new AppError('payload_too_large', 'The body is larger than 1 MiB.');
}

function unsupported(detail: string): AppError {
  return new AppError('unsupported_media_type', detail);
}
