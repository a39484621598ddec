import { lookup } from 'node:dns';
import { createWorkspacesStore } from '../../../control-plane/accounts/workspaces-store.js';
import type { AuditEvent, AuditSeverity } from '../../../control-plane/audit/audit.js';
import { sealEntries } from '../../../control-plane/audit/chain/seal.js';
import type { AuditDocument, AuditHeadDocument } from '../../../control-plane/audit/documents.js';
import { type Forwarding, forwardingSlice } from '../../../control-plane/audit/forward/open.js';
import { createIds } from '../../../control-plane/storage/ids.js';
import { createLeaseStore } from '../../../control-plane/storage/leases/lease-store.js';
import type { Mongo } from '../../../control-plane/storage/mongo.js';
import { type Clock, systemClock } from '../../../kernel/clock.js';
import { createTargetGuard } from '../../../kernel/guard/target-guard.js';
import { createLogger } from '../../../kernel/logger.js';
import { systemRandom } from '../../../kernel/random.js';
import type { TestParts } from '../app.js';

const ids = createIds(systemClock, systemRandom);

/** Forwarding whose delivery a test starts and stops. */
export interface TestForwarding extends Omit<Forwarding, 'jobs'> {
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** Opens the forwarding of a control plane with the parts of a test app and with shorter times. */
export function buildForwarding(
  parts: Pick<TestParts, 'mongo' | 'audit' | 'secretBox' | 'pager'>,
  options: { owner?: string; settleMs?: number; heartbeatMs?: number; allowPrivate?: boolean; clock?: Clock } = {},
): TestForwarding {
  const { owner = 'one', settleMs = 500, heartbeatMs = 600_000, allowPrivate = true, clock = systemClock } = options;
  const { jobs, ...opened } = forwardingSlice.open({
    db: parts.mongo.db,
    audit: parts.audit,
    box: parts.secretBox,
    pager: parts.pager,
    guard: createTargetGuard({ allowPrivate }),
    lookup,
    leases: createLeaseStore(parts.mongo.db),
    plans: createWorkspacesStore(parts.mongo.db),
    ids,
    clock,
    random: systemRandom,
    logger: createLogger({ name: 'test', level: 'silent' }),
    owner,
    version: '1.2.3',
    publicUrl: 'http://picket.test',
    settleMs,
    heartbeatMs,
  });
  return {
    ...opened,
    async start() {
      for (const job of jobs) await job.start();
    },
    async stop() {
      for (const job of jobs) await job.stop();
    },
  };
}

/** Writes sealed entries directly to the database. Returns their IDs. */
export async function sealedEntries(
  mongo: Mongo,
  workspaceId: string,
  events: readonly (Pick<AuditEvent, 'action' | 'metadata'> & {
    name: string;
    severity?: AuditSeverity;
    ip?: string | null;
  })[],
): Promise<string[]> {
  const heads = mongo.db.collection<AuditHeadDocument>('audit_heads');
  const head = await heads.findOne({ _id: workspaceId });
  const waiting = events.map(
    ({ action, severity = 'info', metadata = {}, name, ip = '192.0.2.7' }): AuditDocument => ({
      _id: ids.next('evt'),
      workspace_id: workspaceId,
      at_ms: Date.now(),
      action,
      severity,
      actor: { id: 'usr_01jjwzmz000000000000000000', email: 'owner@example.com', ip },
      resource: { type: 'monitor', id: 'mon_01jjwzmz000000000000000000', name },
      metadata,
      request_id: 'req_test',
      hash: null,
      previous_hash: null,
      unsealed: true,
    }),
  );
  const chain = sealEntries(head, waiting, { workspaceId, fence: head?.fence ?? 1, idAt: () => ids.next('evt') });
  if (chain === null) return [];
  const entries = chain.sealed.map(({ entry }) => entry);
  // The entries come first, because a forwarder reads up to the head.
  await mongo.db.collection<AuditDocument>('audit_log').insertMany(entries);
  await heads.replaceOne({ _id: workspaceId }, chain.head, { upsert: true });
  return entries.map(({ _id }) => _id);
}
