import type { Clock } from '../../../kernel/clock.js';
import { queryValuesOf } from '../../../kernel/urls/query-values.js';
import type { Actor } from '../../actor.js';
import type { AuditLog } from '../../audit/audit.js';
import type { RunTransaction } from '../../storage/transaction.js';
import type { MonitorDocument } from '../documents.js';
import { seesSecrets } from './shown.js';

/** Whoever reads one monitor after another to edit it copies nothing. */
const SECRETS_MIN = 2;
/** A key or session that lists monitors again within this time has no second entry. */
const QUIET_MS = 24 * 3_600_000;
/** Beyond this number, the one that was recorded longest ago is recorded again at its next list. */
const READERS_MAX = 10_000;

/** Records that a list with the secrets of several monitors was read, before it is sent. */
export type RecordSecretReads = (actor: Actor, monitors: readonly MonitorDocument[]) => Promise<void>;

export function createSecretReads(needs: {
  audit: AuditLog;
  runTransaction: RunTransaction;
  clock: Clock;
}): RecordSecretReads {
  /** When each reader was last recorded, the longest ago first. */
  const recorded = new Map<string, number>();

  return async (actor, monitors) => {
    const reader = `${actor.workspaceId}/${actor.key?.id ?? actor.session?.id ?? actor.userId}`;
    const nowMs = needs.clock.now();
    if (!seesSecrets(actor) || nowMs < (recorded.get(reader) ?? Number.NEGATIVE_INFINITY) + QUIET_MS) return;
    const count = monitors.filter(hasSecrets).length;
    if (count < SECRETS_MIN) return;
    await needs.runTransaction((tx) =>
      needs.audit.record(tx, actor, {
        action: 'monitor.secrets_read',
        resource: { type: 'workspace', id: actor.workspaceId, name: actor.workspaceName },
        metadata: { monitors: count },
      }),
    );
    recorded.delete(reader);
    recorded.set(reader, nowMs);
    const [longestAgo] = recorded.keys();
    if (recorded.size > READERS_MAX && longestAgo !== undefined) recorded.delete(longestAgo);
  };
}

function hasSecrets({ url, sealed }: MonitorDocument): boolean {
  return (sealed !== null && sealed !== undefined) || queryValuesOf(url).size > 0;
}
