import type { Clock } from '../../../kernel/clock.js';
import type { Logger } from '../../../kernel/logger.js';
import { createPeriodicTask } from '../../../kernel/periodic-task.js';
import { createChangePoll, POLL_CHANGES_MS } from '../../storage/poll-changes.js';
import type { AlertRuleDocument } from '../documents.js';
import type { AlertRuleStore } from '../store.js';

/** The enabled rules of workspaces, in memory. Changes by other control planes are seen within two seconds. */
export interface RuleCache {
  get(workspaceId: string): Promise<readonly AlertRuleDocument[]>;
  /** Makes the next `get` read the rules again. */
  invalidate(workspaceId: string): void;
  start(): void;
  stop(): Promise<void>;
}

interface Entry {
  /** The change count of `rules`; null while they are being read. */
  count: number | null;
  rules: Promise<readonly AlertRuleDocument[]>;
}

interface RuleCacheNeeds {
  store: Pick<AlertRuleStore, 'enabled' | 'changeCounts' | 'newestChange'>;
  clock: Clock;
  logger: Logger;
}

const WORKSPACES_MAX = 10_000;

export function createRuleCache({ store, clock, logger }: RuleCacheNeeds): RuleCache {
  const entries = new Map<string, Entry>();

  /** Reads the count first: a change between the two reads then causes a needless read, but is never missed. */
  async function read(workspaceId: string, entry: Entry): Promise<readonly AlertRuleDocument[]> {
    const counts = await store.changeCounts([workspaceId]);
    const rules = await store.enabled(workspaceId);
    entry.count = counts.get(workspaceId) ?? 0;
    return rules;
  }

  function add(workspaceId: string): Entry {
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
    get: (workspaceId) => (entries.get(workspaceId) ?? add(workspaceId)).rules,
    invalidate: (workspaceId) => void entries.delete(workspaceId),
    ...createPeriodicTask({
      clock,
      periodMs: POLL_CHANGES_MS,
      run: createChangePoll({ newest: store.newestChange, read: dropOutdated, clock }),
      onFailure: (error) =>
        logger.warn({ err: error }, 'failed to poll for changed alert rules; the next poll retries'),
    }),
  };
}
