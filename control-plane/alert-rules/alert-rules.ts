import type { Actor } from '../actor.js';
import type { Transaction } from '../storage/transaction.js';

/** What other slices may do with alert rules. */
export interface DefaultRules {
  /**
   * Gives the workspace its first rules, once: those that a person deleted do not come back. In the transaction of
   * whatever brings its first server.
   */
  ensureDefaultRules(tx: Transaction, actor: Actor): Promise<void>;
  /** As `ensureDefaultRules`, of listings; with the workspace's first blacklist monitor. */
  ensureDefaultListingRule(tx: Transaction, actor: Actor): Promise<void>;
}

/** Whether channels exist. Given by the notifications slice. */
export interface ChannelIds {
  /** Those of `ids` that are no channel of the workspace. */
  unknown(tx: Transaction, workspaceId: string, ids: readonly string[]): Promise<string[]>;
}

/** The subject of what a metric rule sees on a server. */
export function ruleSubject(ruleId: string, serverId: string): string {
  return `rule:${ruleId}:${serverId}`;
}

/** Of the server, not of a rule: two rules that see the same make one incident. */
export function offlineSubject(serverId: string): string {
  return `server:${serverId}:offline`;
}

export function diskSubject(serverId: string, mount: string): string {
  return `server:${serverId}:disk_full:${mount}`;
}

export function listingSubject(monitorId: string, provider: string): string {
  return `${listingSubjects(monitorId)}${provider}`;
}

/** What the subjects of all listings of a monitor begin with. */
export function listingSubjects(monitorId: string): string {
  return `blacklist:${monitorId}:`;
}

/** What an incident that rules made is about, as its subject says. */
export type RuleSubject =
  | { type: 'metric'; ruleId: string; serverId: string }
  | { type: 'server_offline'; serverId: string }
  | { type: 'disk_full'; serverId: string; mount: string }
  | { type: 'blacklist_listed'; monitorId: string; provider: string };

/** null for a subject that is none of these. */
export function parseSubject(subject: string): RuleSubject | null {
  const [kind, first = '', second = '', ...rest] = subject.split(':');
  if (kind === 'rule') return { type: 'metric', ruleId: first, serverId: second };
  if (kind === 'blacklist')
    return { type: 'blacklist_listed', monitorId: first, provider: [second, ...rest].join(':') };
  if (kind !== 'server') return null;
  if (second === 'offline') return { type: 'server_offline', serverId: first };
  return second === 'disk_full' ? { type: 'disk_full', serverId: first, mount: rest.join(':') } : null;
}
