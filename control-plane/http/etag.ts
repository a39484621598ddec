import { AppError } from '../errors.js';

const ENTITY_TAG = /^(?:W\/)?"([\x21\x23-\x7e\x80-\xff]*)"$/;
const VERSION = /^(0|[1-9]\d{0,14})$/;

/** No object has this version, so a condition on it fails. */
const NO_VERSION = -1;

export function etagOf(version: number): string {
  return `"${version}"`;
}

/**
 * Returns the version in `If-Match`; null without the header and for `*`. An entity tag that Picket did not
 * create matches no version. The weak prefix `W/` is ignored, because proxies that compress add it.
 */
export function ifMatchVersion(header: string | undefined): number | null {
  if (header === undefined || header.trim() === '*') return null;
  const tag = ENTITY_TAG.exec(header.trim());
  if (tag === null) throw new AppError('invalid_request', 'If-Match must be one entity tag, such as "3", or *.');
  const version = tag[1] ?? '';
  return VERSION.test(version) ? Number(version) : NO_VERSION;
}

/** Throws 412 when the object no longer has the version that the client has read. */
export function requireVersion(ifVersion: number | null, version: number): void {
  if (ifVersion !== null && ifVersion !== version) {
    const detail = 'The object has changed since you read it. Read it again and retry with its new ETag.';
    throw new AppError('precondition_failed', detail, { headers: { ETag: etagOf(version) } });
  }
}
