import { toIso } from '../../kernel/clock.js';
import type { Actor } from '../actor.js';
import { AppError } from '../errors.js';
import type { ApiKeyDocument } from './documents.js';
import type { Account, ApiKey } from './schema.js';

export function accountOf(actor: Actor): Account {
  if (actor.userId === null) throw new AppError('forbidden', 'Only a person or an API key has an account.');
  return {
    id: actor.userId,
    email: actor.email,
    plan: actor.plan,
    role: actor.role,
    operator: actor.operator,
    workspace: { id: actor.workspaceId, name: actor.workspaceName },
    api_key:
      actor.key === null
        ? null
        : {
            id: actor.key.id,
            name: actor.key.name,
            scopes: [...actor.scopes],
            last_used_at: isoOrNull(actor.key.lastUsedAt),
            expires_at: isoOrNull(actor.key.expiresAt),
          },
  };
}

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

function isoOrNull(atMs: number | null): string | null {
  return atMs === null ? null : toIso(atMs);
}
