import { isoOrNull, toIso } from '../../../kernel/clock.js';
import type { ApiKeyDocument } from './documents.js';
import type { ApiKey } from './schema.js';

/** `emails` are the addresses of people by id. */
export function apiKeyOf(document: ApiKeyDocument, emails: ReadonlyMap<string, string>): ApiKey {
  return {
    id: document._id,
    name: document.name,
    last_four: document.last_four,
    scopes: document.scopes,
    created_at: toIso(document.created_at_ms),
    created_by: { id: document.user_id, email: emails.get(document.user_id) ?? null },
    last_used_at: isoOrNull(document.last_used_at_ms),
    last_used_network: document.last_used_network ?? null,
    expires_at: isoOrNull(document.expires_at_ms),
    replaced_by: document.replaced_by ?? null,
  };
}
