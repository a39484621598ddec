import type { Db } from 'mongodb';
import type { Clock } from '../../kernel/clock.js';
import type { Logger } from '../../kernel/logger.js';
import type { Actor } from '../actor.js';
import type { AuditLog } from '../audit/audit.js';
import type { Pager } from '../http/paging.js';
import type { Route } from '../http/route.js';
import type { RuleIncidents } from '../incidents/incidents.js';
import type { ChannelIds } from '../notifications/notifications.js';
import { createReferenceLock } from '../references/lock.js';
import type { Job, OpenedSlice, Slice } from '../slice.js';
import type { Ids } from '../storage/ids.js';
import type { LeaseStore } from '../storage/leases/lease-store.js';
import { createLeasedPeriodicTask, type LeasedPeriodicTask } from '../storage/leases/leased-periodic-task.js';
import type { RunTransaction } from '../storage/transaction.js';
import type { AlertRules, RuleReader } from './alert-rules.js';
import { createEnsureDefaults } from './defaults.js';
import { createHandlers } from './evaluate/handlers.js';
import { createResolveObsolete } from './evaluate/resolve-obsolete.js';
import { createRuleCache } from './evaluate/rule-cache.js';
import { createSweep } from './evaluate/sweep.js';
import { createJoin } from './join.js';
import { ruleReferences } from './references.js';
import { createAlertRuleRoutes } from './routes.js';
import type { AlertRuleType } from './rule-type.js';
import { createRuleTypes } from './rule-types.js';
import { createAlertRuleStore } from './store.js';

export interface AlertRulesNeeds {
  db: Db;
  /** Of all slices. */
  ruleTypes: readonly AlertRuleType[];
  incidents: RuleIncidents;
  channels: ChannelIds;
  /** Returns Picket itself as an actor of the workspace. */
  systemActor(workspaceId: string): Actor;
  runTransaction: RunTransaction;
  leases: LeaseStore;
  /** Names this process in leases. */
  owner: string;
  audit: AuditLog;
  pager: Pager;
  ids: Ids;
  clock: Clock;
  logger: Logger;
}

export interface OpenedAlertRules extends OpenedSlice, AlertRules {
  sweep: LeasedPeriodicTask<void>;
  routes: readonly Route[];
  jobs: readonly Job[];
  ensureIndexes(): Promise<void>;
  ready(): Promise<void>;
}

const SWEEP = {
  name: 'alert-rules-sweep',
  periodMs: 10_000,
  leaseMs: 30_000,
  failure: 'failed to sweep the incidents of alert rules; the next sweep retries',
};

/** Opens the engine of alert rules. Slices with rule types register their handlers when they are opened after it. */
function openAlertRules(needs: AlertRulesNeeds): OpenedAlertRules {
  const types = createRuleTypes(needs.ruleTypes);
  const handlers = createHandlers(types);
  const store = createAlertRuleStore(needs.db);
  const cache = createRuleCache({ ...needs, store });
  const { find, enabled, workspacesWith, newestChange, ensureIndexes } = store;
  const rules: RuleReader = { find, enabled, workspacesWith, newestChange, cached: cache.get };
  const resolveObsolete = createResolveObsolete({ ...needs, rules, handlers });
  const referenceLock = createReferenceLock(needs.db);
  const operations = { ...needs, store, cache, types, handlers, resolveObsolete, referenceLock };
  const sweep = createLeasedPeriodicTask(needs, { ...SWEEP, work: createSweep({ ...operations, rules }) });
  return {
    ...rules,
    ...{ resolveObsolete, sweep, ensureIndexes },
    register: handlers.register,
    join: createJoin(needs),
    ensureDefaults: createEnsureDefaults(operations),
    routes: createAlertRuleRoutes(operations, needs.pager),
    referenceHolders: ruleReferences(operations),
    jobs: [cache, sweep],
    ready: async () => handlers.requireAll(),
  };
}

/** The engine of alert rules. */
export const alertRulesSlice = {
  name: 'alertRules',
  idPrefixes: ['rule'],
  auditActions: ['alert_rule.created', 'alert_rule.updated', 'alert_rule.deleted'],
  open: openAlertRules,
} satisfies Slice<'alertRules', AlertRulesNeeds, OpenedAlertRules>;
