import type { Context } from 'koa';
import { type FieldError, invalidFields } from '../../errors.js';
import { PING_PATH } from './token.js';

/** What a ping says. */
export interface Ping {
  kind: 'start' | 'end';
  /** Of an end: whether the job says that it succeeded. */
  success: boolean;
  exitCode: number | null;
  sizeBytes: number | null;
  /** Lower case. */
  sha256: string | null;
  log: string | null;
}

/** A ping without its log, and whose it is. */
export interface PingRequest extends Omit<Ping, 'log'> {
  token: string;
}

const SIZE_HEADER = 'x-backup-size';
const SHA256_HEADER = 'x-backup-sha256';
const EXIT_CODE_MAX = 255;
const PATH = /^\/([^/]+)(?:\/(start|fail|\d{1,3}))?$/;
const SHA256 = /^[0-9a-f]{64}$/;
const DIGITS = /^\d{1,16}$/;

/**
 * Returns what a request to `/ping/…` says; null for a path that is no ping. Throws 422 for a size or a SHA-256 that is
 * none: a ping without what it should prove is not recorded as a good one.
 */
export function readPing(ctx: Context): PingRequest | null {
  const [, token, what] = PATH.exec(ctx.path.slice(PING_PATH.length)) ?? [];
  const exitCode = what === undefined || !/^\d/.test(what) ? null : Number(what);
  if (token === undefined || (exitCode ?? 0) > EXIT_CODE_MAX) return null;
  const query = new URLSearchParams(ctx.querystring);
  const errors: FieldError[] = [];
  const parameter = (name: string, header: string) => (query.get(name) ?? ctx.get(header)).trim();
  const [size, sha256] = [parameter('size', SIZE_HEADER), parameter('sha256', SHA256_HEADER).toLowerCase()];
  if (size !== '' && (!DIGITS.test(size) || !Number.isSafeInteger(Number(size)))) {
    errors.push({ path: '/size', message: 'must be a number of bytes' });
  }
  if (sha256 !== '' && !SHA256.test(sha256)) {
    errors.push({ path: '/sha256', message: 'must be the 64 hexadecimal digits of a SHA-256' });
  }
  if (errors.length > 0) throw invalidFields(errors);
  return {
    token,
    kind: what === 'start' ? 'start' : 'end',
    success: what === undefined || exitCode === 0,
    exitCode,
    sizeBytes: size === '' ? null : Number(size),
    sha256: sha256 === '' ? null : sha256,
  };
}
