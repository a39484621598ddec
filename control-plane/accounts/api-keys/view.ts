import { toIso } from '../../../kernel/clock.js';
import type { ApiKeyDocument } from './documents.js';
import type { ApiKey } from './schema.js';

export function apiKeyOf(document: ApiKeyDocument): ApiKey {
  return {
    id: document._id,
    name: document.name,
    last_four: document.last_four,
    scopes: document.scopes,
    created_at: toIso(document.created_at_ms),
    last_used_at: isoOrNull(document.last_used_at_ms),
    expires_at: isoOrNull(document.expires_at_ms),
  };
}

export function isoOrNull(atMs: number | null): string | null {
  return atMs === null ? null : toIso(atMs);
}
