import { isoOrNull } from '../../kernel/clock.js';
import type { Actor } from '../actor.js';
import { AppError } from '../errors.js';
import { featuresOf } from '../plans/plans.js';
import type { Account } from './schema.js';

export function accountOf(actor: Actor): Account {
  if (actor.userId === null) throw new AppError('forbidden', 'Only a person or an API key has an account.');
  return {
    id: actor.userId,
    email: actor.email,
    plan: actor.plan,
    features: featuresOf(actor.plan),
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
