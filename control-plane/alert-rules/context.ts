import type { Clock } from '../../kernel/clock.js';
import type { Actor } from '../actor.js';
import type { AuditLog } from '../audit/audit.js';
import type { BlacklistDirectory } from '../blacklist/blacklist.js';
import { AppError, invalidField, notFound } from '../errors.js';
import { requireVersion } from '../http/etag.js';
import type { ServerDirectory } from '../servers/servers.js';
import type { Ids } from '../storage/ids.js';
import type { Transaction } from '../storage/transaction.js';
import type { ChannelIds } from './alert-rules.js';
import type { AlertRuleDocument, RuleSettings } from './documents.js';
import type { RuleCache } from './rule-cache.js';
import type { MetricOfSeries } from './settings.js';
import type { AlertRuleStore } from './store.js';
import type { ResolveUnfounded } from './unfounded.js';

/** What the verbs of alert rules work with. */
export interface RuleContext {
  store: AlertRuleStore;
  cache: RuleCache;
  servers: Pick<ServerDirectory, 'findMany'>;
  blacklist: Pick<BlacklistDirectory, 'findMany'>;
  channels: ChannelIds;
  metricOfSeries: MetricOfSeries;
  resolveUnfounded: ResolveUnfounded;
  audit: AuditLog;
  ids: Ids;
  clock: Clock;
}

/** Rules of one workspace: more than anybody reads, and few enough to hold against each report. */
const RULES_MAX = 500;

export async function loadRule(
  context: RuleContext,
  tx: Transaction,
  actor: Actor,
  id: string,
  ifVersion: number | null,
): Promise<AlertRuleDocument> {
  const rule = await context.store.find(actor.workspaceId, id, tx);
  if (rule === null) throw notFound('alert rule');
  requireVersion(ifVersion, rule.version);
  return rule;
}

/** Refuses servers, blacklist monitors and channels that the workspace does not have. */
export async function checkReferences(
  context: RuleContext,
  tx: Transaction,
  actor: Actor,
  references: Partial<Pick<RuleSettings, 'server_ids' | 'blacklist_monitor_ids' | 'channels'>>,
): Promise<void> {
  const { server_ids: servers, blacklist_monitor_ids: monitors, channels } = references;
  if (servers !== undefined && servers !== null) {
    const found = await context.servers.findMany(actor.workspaceId, servers, tx);
    refuseUnknown('server_ids', 'a server', servers, found);
  }
  if (monitors !== undefined && monitors !== null) {
    const found = await context.blacklist.findMany(actor.workspaceId, monitors, tx);
    refuseUnknown('blacklist_monitor_ids', 'a blacklist monitor', monitors, found);
  }
  if (channels === undefined || channels === null || channels.length === 0) return;
  const [unknown] = await context.channels.unknown(tx, actor.workspaceId, channels);
  if (unknown !== undefined) {
    throw invalidField(`/channels/${channels.indexOf(unknown)}`, 'must be a channel of this workspace');
  }
}

function refuseUnknown(
  member: 'server_ids' | 'blacklist_monitor_ids',
  what: string,
  ids: readonly string[],
  found: readonly { _id: string }[],
): void {
  const known = new Set(found.map(({ _id }) => _id));
  const index = ids.findIndex((id) => !known.has(id));
  if (index >= 0) throw invalidField(`/${member}/${index}`, `must be ${what} of this workspace: ${ids[index]}`);
}

/** Throws 409 where the workspace would have too many. Called after `announce`, which makes it certain. */
export async function refuseTooMany(context: RuleContext, tx: Transaction, workspaceId: string): Promise<void> {
  const present = await context.store.count(tx, workspaceId, RULES_MAX + 1);
  if (present < RULES_MAX) return;
  throw new AppError('conflict', `A workspace may have ${RULES_MAX} alert rules, and all are in use.`);
}

/** Tells every control plane; this one's cache is right as soon as the change is committed. */
export async function announce(context: RuleContext, tx: Transaction, workspaceId: string): Promise<void> {
  await context.store.noteChange(tx, workspaceId);
  tx.afterCommit(() => context.cache.forget(workspaceId));
}
