import type { Clock } from '../../kernel/clock.js';
import { type Actor, systemActor } from '../actor.js';
import type { AuditLog } from '../audit/audit.js';
import { AppError } from '../errors.js';
import type { NewAgent } from '../nodes/nodes.js';
import type { StandingOf } from '../plans/cache.js';
import { PLANS } from '../plans/plans.js';
import { refuseOverQuota } from '../plans/quota.js';
import type { Transaction } from '../storage/transaction.js';
import { SAMPLE_INTERVAL_MS_DEFAULT } from './inventory/inventory.js';
import type { ServerStore } from './store.js';

interface EnrolNeeds {
  store: ServerStore;
  audit: AuditLog;
  clock: Clock;
  /** Returns the current workspace, because its plan may have changed since the token was created. */
  workspace(id: string): Promise<NewAgent['workspace'] | null>;
  standingOf: StandingOf;
  /** Idempotent. The request for a join token does the same, but operators can also create tokens without the API. */
  ensureDefaultRules(tx: Transaction, actor: Actor): Promise<void>;
}

/** Creates the server of a new agent, and the default alert rules with the first one of the workspace. Throws 402 `plan_limit` if the plan of the workspace has no free server, 403 while the workspace is stopped. */
export async function addEnrolledServer(
  { store, audit, clock, workspace, standingOf, ensureDefaultRules }: EnrolNeeds,
  tx: Transaction,
  agent: NewAgent,
): Promise<void> {
  const owner = (await workspace(agent.workspace.id)) ?? agent.workspace;
  if ((await standingOf(owner.id))?.stopped === true) {
    throw new AppError('forbidden', 'The workspace is suspended or is being deleted, and accepts no new server.');
  }
  refuseOverQuota(owner.plan, 'servers', await store.lockAndCount(tx, owner.id, PLANS[owner.plan].servers + 1));
  const nowMs = clock.now();
  const name = agent.hostname === '' ? agent.id : agent.hostname;
  await store.insert(tx, {
    _id: agent.id,
    workspace_id: owner.id,
    name,
    tags: [],
    hostname: agent.hostname,
    ip: null,
    os: '',
    kernel: '',
    agent_version: agent.version,
    report_interval_ms: SAMPLE_INTERVAL_MS_DEFAULT,
    inventory: null,
    status: 'pending',
    status_changed_at_ms: nowMs,
    live: null,
    dropped: { too_old: 0, values: 0 },
    agent_dropped: 0,
    created_at_ms: nowMs,
    updated_at_ms: nowMs,
    version: 1,
  });
  const actor = systemActor(owner, agent.id);
  await ensureDefaultRules(tx, actor);
  await audit.record(tx, actor, {
    action: 'server.created',
    resource: { type: 'server', id: agent.id, name },
    metadata: { agent_version: agent.version, token_made_by: agent.tokenMadeBy },
  });
}
