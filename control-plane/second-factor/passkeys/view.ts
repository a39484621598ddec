import { isoOrNull, toIso } from '../../../kernel/clock.js';
import type { PasskeyDocument } from '../documents.js';
import type { Passkey } from './schema.js';

export function passkeyOf({ _id, name, backed_up, created_at_ms, last_used_at_ms }: PasskeyDocument): Passkey {
  return {
    id: _id,
    name,
    backed_up,
    created_at: toIso(created_at_ms),
    last_used_at: isoOrNull(last_used_at_ms),
  };
}
