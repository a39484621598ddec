import { type Actor, hasScope } from '../../actor.js';
import type { Transaction } from '../../storage/transaction.js';
import { requireRoomForImages } from '../kept.js';
import type { BulkNeeds } from '../needs.js';
import { planOf, rowsOf } from '../plan.js';
import type { BulkOrder } from '../request.js';
import type { BulkPreview, BulkRequest } from '../schema.js';
import { alertsOf } from './alerts.js';

const ROWS_DEFAULT = 50;
/** Of a dry run, from its start: then the replay of results stops. It is less than a dry run may take. */
const REPLAY_UNTIL_MS = 3_500;

/** Returns what a change would do. Writes nothing. Throws the reason of `signal` soon after that is aborted. */
export async function previewOf(
  needs: BulkNeeds,
  tx: Transaction,
  actor: Actor,
  { body, order, signal }: { body: BulkRequest; order: BulkOrder; signal: AbortSignal },
): Promise<BulkPreview> {
  const { clock } = needs;
  const startedMs = clock.monotonic();
  const plan = await planOf(needs, tx, actor, order, signal);
  await requireRoomForImages(needs, tx, actor.workspaceId, plan.images);
  const { limit = ROWS_DEFAULT, offset = 0 } = body;
  const rows = rowsOf(plan, offset, limit);
  const rowsInAll = plan.refused.length + plan.changed.length;
  const budgetMs = Math.max(0, REPLAY_UNTIL_MS - (clock.monotonic() - startedMs));
  const showsAlerts = offset === 0 && hasScope(actor, 'alerts:read');
  return {
    dry_run: true,
    operation: body.operation,
    fingerprint: plan.fingerprint,
    selected: order.type === 'add' ? order.monitors.length : plan.selected.length,
    changed: plan.changed.length,
    unchanged: plan.unchanged,
    refused: plan.refused.length,
    not_found: plan.notFound,
    groups: plan.groups,
    rows,
    next_offset: offset + rows.length < rowsInAll ? offset + rows.length : null,
    alerts: showsAlerts ? await alertsOf(needs, actor, order, plan, { budgetMs, signal }) : null,
  };
}
