import type { Clock } from '../../../kernel/clock.js';
import type { Logger } from '../../../kernel/logger.js';
import type { Actor } from '../../actor.js';
import type { AlertRules } from '../../alert-rules/alert-rules.js';
import type { RuleIncidents } from '../../incidents/incidents.js';
import type { AgentReception } from '../../nodes/nodes.js';
import type { Job, OpenedSlice, Slice } from '../../slice.js';
import type { LeaseStore } from '../../storage/leases/lease-store.js';
import { createLeasedPeriodicTask, type LeasedPeriodicTask } from '../../storage/leases/leased-periodic-task.js';
import type { RunTransaction, Transaction } from '../../storage/transaction.js';
import type { ForecastStore, MetricHistory, ServerDirectory, StatusListener } from '../servers.js';
import { createDiskCheck } from './disk/check.js';
import { createDiskIncidents } from './disk/incidents.js';
import { createServerRuleHandler } from './handler.js';
import { serverKind } from './incident/kind.js';
import { createMetricEvaluator, type MetricEvaluator } from './metric/evaluate.js';
import { createMetricIncidents } from './metric/incidents.js';
import { createServerFactsCache } from './metric/server-facts.js';
import { createOfflineIncidents } from './offline/incidents.js';
import { SERVER_DEFAULT_RULES, SERVER_RULE_TYPES } from './rule-types.js';
import { createStatusListener } from './status-listener.js';

export interface ServerRulesNeeds {
  alertRules: AlertRules;
  incidents: RuleIncidents;
  servers: ServerDirectory & ForecastStore;
  history: MetricHistory;
  /** Whether control planes could receive what agents sent. */
  reception: Pick<AgentReception, 'lost'>;
  /** Resolves to the time of the database, in milliseconds since the Unix epoch. */
  databaseTime(): Promise<number>;
  /** Returns Picket itself as an actor of the workspace. */
  systemActor(workspaceId: string): Actor;
  /** Ends early when another transaction has locked what it writes: the evaluation of other workspaces waits for it. */
  runTransaction: RunTransaction;
  leases: LeaseStore;
  /** Names this process in leases. */
  owner: string;
  clock: Clock;
  logger: Logger;
}

export interface ServerRules extends OpenedSlice {
  /** Evaluates metric rules for each sample. */
  evaluator: MetricEvaluator;
  statusListener: StatusListener;
  /** Creates the default rules of a workspace with its first server. */
  ensureDefaultRules(tx: Transaction, actor: Actor): Promise<void>;
  diskCheck: LeasedPeriodicTask<void>;
  jobs: readonly Job[];
}

const DISK_CHECK = {
  name: 'alert-rules-disks',
  periodMs: 300_000,
  leaseMs: 60_000,
  failure: 'failed to check the trends of disks; the next check retries',
};

/** Alert rules on servers: metrics beyond a threshold, offline servers and disks that fill up. */
function openServerRules(needs: ServerRulesNeeds): ServerRules {
  const { alertRules: rules } = needs;
  const facts = createServerFactsCache(needs);
  const metricIncidents = createMetricIncidents({ ...needs, rules });
  const evaluator = createMetricEvaluator({ ...needs, rules, facts, metricIncidents });
  const offline = createOfflineIncidents(needs);
  const work = createDiskCheck({ ...needs, rules, diskIncidents: createDiskIncidents(needs) });
  const diskCheck = createLeasedPeriodicTask(needs, { ...DISK_CHECK, work });
  rules.register(createServerRuleHandler({ ...needs, offline }));
  return {
    evaluator,
    statusListener: createStatusListener({ ...needs, offline, facts, evaluator }),
    ensureDefaultRules: (tx, actor) => rules.ensureDefaults(tx, actor, SERVER_DEFAULT_RULES),
    diskCheck,
    jobs: [evaluator, diskCheck],
  };
}

/** Alert rules on servers. */
export const serverRulesSlice = {
  name: 'serverRules',
  incidentKinds: [serverKind],
  ruleTypes: SERVER_RULE_TYPES,
  open: openServerRules,
} satisfies Slice<'serverRules', ServerRulesNeeds, ServerRules>;
