import { toIso } from '../../kernel/clock.js';
import type { WorkspaceDocument } from '../accounts/documents.js';
import { retentionPlanOf } from '../accounts/standing/standing.js';
import type { Actor } from '../actor.js';
import { PLANS, type PlanLimits, type PlanName } from '../plans/plans.js';
import type { Quota } from '../plans/quotas.js';
import { ROLE_RIGHTS } from '../roles.js';
import { count } from '../wording.js';
import type { BillingAccountDocument, InvoiceDocument } from './documents.js';
import type { BillingNeeds } from './needs.js';
import type { Billing } from './schema.js';
import { isLive } from './stripe/subscription.js';

const INVOICES_MAX = 24;

/** Returns the plan of a workspace, what it uses and what happens next. */
export async function billingOf(
  needs: Pick<BillingNeeds, 'store' | 'quotas' | 'stripe' | 'clock'>,
  workspace: WorkspaceDocument,
  reader: Pick<Actor, 'role'>,
): Promise<Billing> {
  const { store, clock } = needs;
  const [account, invoices, quotas] = await Promise.all([
    store.account(workspace._id),
    store.invoices(workspace._id, INVOICES_MAX),
    quotaUse(needs.quotas(), workspace),
  ]);
  const limits = PLANS[workspace.plan];
  const { intervalSecondsMin: interval_seconds_min, locationsPerMonitor: locations_per_monitor } = limits;
  return {
    plan: workspace.plan,
    description: describePlan(limits),
    intervals: { interval_seconds_min, locations_per_monitor },
    quotas,
    retention: retentionOf(workspace, clock.now()),
    next: nextOf(workspace, account),
    stripe: {
      connected: needs.stripe !== null,
      customer: account !== null,
      subscription: account?.subscription?.status ?? null,
    },
    invoices: invoices.map((invoice) => invoiceView(invoice, reader)),
  };
}

/** Returns what the workspace uses of each quota that counts things. */
export async function quotaUse(
  quotas: readonly Quota[],
  { _id, plan }: Pick<WorkspaceDocument, '_id' | 'plan'>,
): Promise<Billing['quotas']> {
  const counted = await Promise.all(
    quotas.map(async ({ name, label, limit, used }) => {
      if (used === null) return [];
      const most = limit(PLANS[plan]);
      return [{ name, label, used: await used(_id), limit: Number.isFinite(most) ? most : null }];
    }),
  );
  return counted.flat();
}

function describePlan(limits: PlanLimits): string {
  const { monitors, intervalSecondsMin, locationsPerMonitor, servers, sites, blacklistMonitors } = limits;
  const checks = `${count(monitors, 'monitor')}, checked every ${intervalSecondsMin} s from ${count(locationsPerMonitor, 'location')}`;
  const others = [
    count(servers, 'server'),
    count(sites, 'WordPress site'),
    count(blacklistMonitors, 'blacklist monitor'),
  ];
  return `${checks}; ${others.join(', ')}.`;
}

function retentionOf(workspace: WorkspaceDocument, nowMs: number): Billing['retention'] {
  const plan = retentionPlanOf(workspace, nowMs);
  const limits = PLANS[plan];
  const untilMs = plan === workspace.plan ? null : (workspace.plan_kept?.until_ms ?? null);
  return {
    plan,
    until: untilMs === null ? null : toIso(untilMs),
    raw_seconds: limits.rawSeconds,
    minutes_seconds: limits.minutesSeconds,
    hours_seconds: limits.hoursSeconds,
    audit_seconds: limits.auditSeconds,
  };
}

function nextOf({ plan }: { plan: PlanName }, account: BillingAccountDocument | null): Billing['next'] {
  const subscription = account?.subscription ?? null;
  if (!isLive(subscription)) return { change: 'none', at: null, plan };
  const { ends_at_ms, pending, period_end_ms } = subscription;
  if (ends_at_ms !== null) return { change: 'cancellation', at: toIso(ends_at_ms), plan: 'Free' };
  if (pending !== null) return { change: 'downgrade', at: toIso(pending.at_ms), plan: pending.plan };
  return { change: 'renewal', at: toIso(period_end_ms), plan };
}

/** The link opens the invoice with the address of the company for everybody who has it, so only those who pay get it. */
function invoiceView(invoice: InvoiceDocument, { role }: Pick<Actor, 'role'>): Billing['invoices'][number] {
  const { _id: id, number, status, currency, amount, created_at_ms } = invoice;
  const url = ROLE_RIGHTS[role].own ? invoice.url : null;
  return { id, number, status, currency, amount, created_at: toIso(created_at_ms), url };
}
