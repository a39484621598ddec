import type { Actor } from '../actor.js';
import type { AuditLog } from '../audit/audit.js';
import { deviceOf } from '../sessions/devices/device.js';
import type { Sessions } from '../sessions/sessions.js';
import type { Transaction } from '../storage/transaction.js';

export type LogOut = (tx: Transaction, actor: Actor) => Promise<void>;

export function createLogOut({ sessions, audit }: { sessions: Sessions; audit: AuditLog }): LogOut {
  return async (tx, actor) => {
    const id = actor.session?.id ?? '';
    // Of two log-outs at once, the second finds nothing to end.
    if (!(await sessions.end(tx, actor.userId ?? '', id))) return;
    await audit.record(tx, actor, {
      action: 'auth.logout',
      resource: { type: 'session', id, name: deviceOf(actor.userAgent) },
    });
  };
}
