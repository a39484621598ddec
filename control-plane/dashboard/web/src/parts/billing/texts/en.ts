import { duration, list, number } from '../../../texts/format.ts';
import type { PlanLimits } from '../limits.ts';

export const en = {
  title: 'Billing',
  state: (plan: string, full: string[]) =>
    full.length === 0
      ? `The ${plan} plan. Nothing is at its limit.`
      : `The ${plan} plan. At the limit: ${list(full)}. No further ones can be added.`,
  usage: 'Use of the plan',
  quotas: {
    monitors: 'monitors',
    servers: 'servers',
    blacklist_monitors: 'blacklist monitors',
    backup_jobs: 'backup jobs',
    email_domains: 'e-mail domains',
    status_pages: 'status pages',
    status_page_subscribers: 'subscribers of status pages',
    report_schedules: 'report schedules',
    scans_per_day: 'security scans today',
    api_keys: 'API keys',
    scoped_api_keys: 'API keys with limited rights',
    members: 'members',
    single_sign_on: 'identity providers',
  } as Record<string, string>,
  of: (used: string, limit: string) => `${used} of ${limit}`,
  noLimit: (used: string) => `${used}, no limit`,
  perMonitor: (interval: string, locations: number) =>
    `The shortest interval of a monitor is ${interval}; it is checked from up to ${locations} locations.`,
  next: 'Next',
  nextChange: {
    none: () => '',
    renewal: (at: string) => `The subscription renews on ${at}.`,
    cancellation: (at: string) => `The subscription ends on ${at}; the plan is Free from then on.`,
    downgrade: (at: string, plan: string) => `The plan becomes ${plan} on ${at}.`,
  },
  retention: 'History',
  kept: (raw: string, hours: string, audit: string) =>
    `Single results are kept for ${raw}, hourly values for ${hours}, the audit log for ${audit}.`,
  retentionUntil: 'Until',
  keptAs: (plan: string, at: string) => `${at}, history is kept as in the ${plan} plan.`,
  plans: 'Plans',
  current: 'your plan',
  planHelp: ({ monitors, intervalSecondsMin, locationsPerMonitor, servers, singleSignOn }: PlanLimits) =>
    `${number(monitors)} monitors, checked every ${duration(intervalSecondsMin * 1_000)} from ${locationsPerMonitor} locations; ${number(servers)} servers${singleSignOn ? '; single sign-on, API keys with limited rights' : ''}.`,
  buy: (plan: string) => `Buy ${plan}`,
  changeTo: (plan: string) => `Change to ${plan}`,
  changed: (plan: string) => `The plan is ${plan}.`,
  willChange: (plan: string) => `The plan becomes ${plan} at the end of the paid period.`,
  askOperator: 'The operators of this installation set the plans. Ask them for another plan.',
  askOwner: 'Only owners of the workspace change the plan.',
  overTitle: (plan: string) => `More than the ${plan} plan allows`,
  overText: 'Nothing is deleted: what exists keeps working within the limits, and nothing further can be added.',
  overLimit: (what: string, count: number, limit: number) =>
    `${what}: ${number(count)} more than the ${number(limit)} of the plan`,
  notIncluded: (what: string, count: number) => `${what}: not in the plan (${number(count)})`,
  overSettings: {
    monitor_interval: (count: number) => `Checked more often than the plan allows: ${number(count)}`,
    monitor_locations: (count: number) => `Checked from more locations than the plan allows: ${number(count)}`,
  } as Record<string, (count: number) => string>,
  examples: 'For example:',
  changeAnyway: 'Change anyway',
  keep: 'Keep the plan',
  portal: 'Payments and invoices',
  invoices: 'Invoices',
  invoiceStatus: { paid: 'paid', payment_failed: 'payment failed' },
};
