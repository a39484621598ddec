import type { IncomingMessage } from 'node:http';
import { AppError } from '../../errors.js';
import { BODY_DEPTH_MAX, isDeeperThan } from './strings.js';

export const BODY_BYTES_MAX = 1024 * 1024;

export type RequestBody =
  | { kind: 'none' }
  | { kind: 'json'; value: unknown }
  | { kind: 'text'; type: string; content: string };

/**
 * Reads a request's body: JSON, or text of one of `textTypes`. The media type is judged first, so that a body
 * that nobody would read is not even received, and the size while it arrives, whatever Content-Length says.
 */
export async function readBody(req: IncomingMessage, textTypes: readonly string[]): Promise<RequestBody> {
  const declared = req.headers['content-length'];
  if (declared === undefined && req.headers['transfer-encoding'] === undefined) return { kind: 'none' };
  if (declared !== undefined && Number(declared) > BODY_BYTES_MAX) throw tooLarge();
  if (Number(declared) === 0) return { kind: 'none' };
  const type = mediaType(req, textTypes);
  const bytes = await receive(req);
  if (bytes.length === 0) return { kind: 'none' };
  const content = decodeUtf8(bytes);
  return type === 'application/json' ? { kind: 'json', value: parseJson(content) } : { kind: 'text', type, content };
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

function receive(req: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const onData = (chunk: Buffer) => {
      length += chunk.length;
      if (length <= BODY_BYTES_MAX) return void chunks.push(chunk);
      leave();
      // The rest runs into the void, so that the client, who is still sending, gets to read the answer.
      req.resume();
      reject(tooLarge());
    };
    const onEnd = () => {
      leave();
      resolve(Buffer.concat(chunks, length));
    };
    const onBroken = (cause?: unknown) => {
      leave();
      reject(new AppError('invalid_request', 'The body ended before it was complete.', { cause }));
    };
    const leave = () => void req.off('data', onData).off('end', onEnd).off('error', onBroken).off('close', onBroken);
    req.on('data', onData).on('end', onEnd).on('error', onBroken).on('close', onBroken);
  });
}

function decodeUtf8(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw new AppError('invalid_json', 'The body is not valid UTF-8.', { cause: error });
  }
}

function parseJson(content: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(content);
  } catch (error) {
    throw new AppError('invalid_json', 'The body is not valid JSON.', { cause: error });
  }
  if (isDeeperThan(value, BODY_DEPTH_MAX)) {
    throw new AppError('invalid_json', `The body is nested more than ${BODY_DEPTH_MAX} levels deep.`);
  }
  return value;
}

function tooLarge(): AppError {
  return new AppError('payload_too_large', 'The body is larger than 1 MiB.');
}

function unsupported(detail: string): AppError {
  return new AppError('unsupported_media_type', detail);
}
