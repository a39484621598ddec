import type { TokenBuckets } from '../../../kernel/buckets/token-buckets.js';
import { unauthenticatedActor } from '../../accounts/person-actor.js';
import type { AuditLog } from '../../audit/audit.js';
import type { Client } from '../../http/client/client.js';
import type { RunTransaction } from '../../storage/transaction.js';
import { type ActiveProvider, INSTALLATION } from './providers.js';
import { SignInRefused } from './refusal.js';

/** Refused log-ins of strangers that the audit log of one workspace gets: 30 at once, then one in ten seconds. */
export const STRANGERS_RECORDED = { burst: 30, perSecond: 0.1 };

/**
 * Returns a function that makes a `catch` handler: it records a refused log-in as `auth.login_failed` in the workspace
 * of the provider, then throws the refusal again. `email` is what the provider said; null when it said nothing valid.
 * Anybody can cause those, so the log gets only some of them.
 */
export function failureRecorder(
  { audit, strangers, runTransaction }: { audit: AuditLog; strangers: TokenBuckets; runTransaction: RunTransaction },
  { id, workspace, settings }: ActiveProvider,
  client: Client,
): (email: string | null) => (error: unknown) => Promise<never> {
  return (email) => async (error) => {
    if (!(error instanceof SignInRefused)) throw error;
    if (email === null && strangers.tryTake(workspace.id, 1) > 0) throw error;
    const resource = {
      type: 'single_sign_on_provider',
      id: id === INSTALLATION ? INSTALLATION : workspace.id,
      name: new URL(settings.issuer).host,
    };
    const metadata = { method: 'single_sign_on', reason: error.reason };
    const actor = unauthenticatedActor(workspace.id, { userId: null, email: email ?? 'unknown' }, client);
    await runTransaction((tx) => audit.record(tx, actor, { action: 'auth.login_failed', resource, metadata }));
    throw error;
  };
}
