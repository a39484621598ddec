import { platformActor } from '../../actor.js';
import type { Transaction } from '../../storage/transaction.js';
import { alertEvent } from '../audited.js';
import { FIRING, type IncidentChange, SYSTEM } from '../change.js';
import type { IncidentDocument } from '../documents.js';
import type { OpeningNeeds } from '../needs.js';
import { onTimeline } from '../on-timeline.js';
import type { IncidentTarget } from '../store.js';
import { heldEvent, holdNow } from './hold.js';

/**
 * Does what follows when neither a person nor maintenance silences an incident any more: a monitor that it depends on may keep it
 * silent; otherwise it fires, and its channels are notified. An incident that does not match the target stays as it is.
 */
export async function afterSilence(
  needs: OpeningNeeds,
  tx: Transaction,
  incident: IncidentDocument,
  of: { target: IncidentTarget; change: IncidentChange; message: string; nowMs: number },
): Promise<void> {
  const { target, change, message, nowMs } = of;
  const hold = await holdNow(needs, tx, incident, nowMs);
  if (hold !== null) {
    const silent = { ...change, maintenance: null, dependency: hold };
    const held = await needs.store.change(tx, target, silent, heldEvent(hold, nowMs));
    if (held !== null) await onTimeline(needs, tx, [held]);
    return;
  }
  const event = { at_ms: nowMs, type: 'unsilenced' as const, message, actor: SYSTEM };
  const fired = await needs.store.change(tx, target, { ...FIRING, ...change }, event);
  if (fired === null) return;
  await needs.audit.record(tx, platformActor(target.workspaceId), alertEvent('alert.unsilenced', fired));
  await needs.notifier.enqueue(tx, [fired], 'unsilenced');
  await onTimeline(needs, tx, [fired]);
}
