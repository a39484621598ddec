import type { Clock } from '../../kernel/clock.js';
import type { Logger } from '../../kernel/logger.js';
import { createRounds } from '../../kernel/rounds.js';
import { createLook, NEWS_MS } from '../storage/look-for-news.js';
import type { AlertRuleDocument } from './documents.js';
import type { AlertRuleStore } from './store.js';

/** The enabled rules of workspaces, in memory. What another control plane changes is seen within two seconds. */
export interface RuleCache {
  get(workspaceId: string): Promise<readonly AlertRuleDocument[]>;
  /** The rules were changed: they are read again the next time. */
  forget(workspaceId: string): void;
  start(): void;
  stop(): Promise<void>;
}

interface Entry {
  /** Of the changes that `rules` holds; null while they are being read. */
  count: number | null;
  rules: Promise<readonly AlertRuleDocument[]>;
}

const WORKSPACES_MAX = 10_000;

export function createRuleCache(deps: { store: AlertRuleStore; clock: Clock; logger: Logger }): RuleCache {
  const { store, clock, logger } = deps;
  const entries = new Map<string, Entry>();
  const look = createLook({ newest: store.newestChange, read: dropOutdated, clock });

  /** The count first: a change that comes in between is then read once too often, never missed. */
  async function read(workspaceId: string, entry: Entry): Promise<readonly AlertRuleDocument[]> {
    const counts = await store.changeCounts([workspaceId]);
    const rules = await store.enabled(workspaceId);
    entry.count = counts.get(workspaceId) ?? 0;
    return rules;
  }

  function enter(workspaceId: string): Entry {
    const entry: Entry = { count: null, rules: Promise.resolve([]) };
    entry.rules = read(workspaceId, entry);
    entry.rules.catch(() => {
      if (entries.get(workspaceId) === entry) entries.delete(workspaceId);
    });
    entries.set(workspaceId, entry);
    const [oldest] = entries.keys();
    if (entries.size > WORKSPACES_MAX && oldest !== undefined) entries.delete(oldest);
    return entry;
  }

  async function dropOutdated(): Promise<void> {
    const known = [...entries].filter(([, entry]) => entry.count !== null);
    if (known.length === 0) return;
    const counts = await store.changeCounts(known.map(([workspaceId]) => workspaceId));
    for (const [workspaceId, entry] of known) {
      const isOutdated = entry.count !== (counts.get(workspaceId) ?? 0);
      if (isOutdated && entries.get(workspaceId) === entry) entries.delete(workspaceId);
    }
  }

  return {
    get: (workspaceId) => (entries.get(workspaceId) ?? enter(workspaceId)).rules,
    forget: (workspaceId) => void entries.delete(workspaceId),
    ...createRounds({
      clock,
      periodMs: NEWS_MS,
      round: look,
      failed: (error) => logger.warn({ err: error }, 'alert rules of others cannot be looked for now'),
    }),
  };
}
