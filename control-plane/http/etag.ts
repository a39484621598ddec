import { AppError } from '../errors.js';

const ENTITY_TAG = /^(?:W\/)?"([\x21\x23-\x7e\x80-\xff]*)"$/;
const VERSION = /^(0|[1-9]\d{0,14})$/;

/** No object has this version, so a condition on it always fails. */
const NO_VERSION = -1;

export function etagOf(version: number): string {
  return `"${version}"`;
}

/**
 * The version that `If-Match` names; null without the header and for `*`. An entity tag that is none of ours
 * matches nothing. A weak mark is overlooked: proxies that compress put it there.
 */
export function ifMatchVersion(header: string | undefined): number | null {
  if (header === undefined || header.trim() === '*') return null;
  const tag = ENTITY_TAG.exec(header.trim());
  if (tag === null) throw new AppError('invalid_request', 'If-Match must be one entity tag, such as "3", or *.');
  const version = tag[1] ?? '';
  return VERSION.test(version) ? Number(version) : NO_VERSION;
}

/** Refuses a change of another version than the client has seen. */
export function requireVersion(ifVersion: number | null, version: number): void {
  if (ifVersion !== null && ifVersion !== version) {
    throw new AppError('precondition_failed', 'The object has changed since the version that If-Match names.', {
      headers: { ETag: etagOf(version) },
    });
  }
}
