import type { Actor } from '../../actor.js';
import { planLimit, planRefused } from '../../plans/plan-limit.js';
import { PLANS } from '../../plans/plans.js';
import type { Transaction } from '../../storage/transaction.js';
import { count } from '../../wording.js';
import type { MonitorNeeds } from '../needs.js';

/** More than any plan allows. */
const COUNTED_MAX = 1_000_000;

/**
 * Holds room of the plan for deleted monitors that are created again part by part, so that new ones do not take it in the
 * meantime. Throws 402 when there is too little.
 */
export async function holdRoom(
  { store }: Pick<MonitorNeeds, 'store'>,
  tx: Transaction,
  actor: Actor,
  deleted: number,
): Promise<void> {
  const { plan, workspaceId } = actor;
  const allowed = PLANS[plan].monitors;
  const present = await store.count(tx, workspaceId, COUNTED_MAX);
  const over = present + deleted - allowed;
  if (over > 0) {
    const figures = `The undo creates ${count(deleted, 'monitor')} again. The workspace has ${present}, and the ${plan} plan allows ${allowed}.`;
    const way = `Delete ${count(over, 'monitor')} or change the plan, and undo the change within its 24 h.`;
    const of = { limit: 'restored_monitors', plan, allowed } as const;
    throw planRefused(planLimit(`Nothing was undone. ${figures} ${way}`, of, { present, restored: deleted, over }));
  }
  await store.hold(tx, workspaceId, deleted);
}
