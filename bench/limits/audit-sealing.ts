import { createAuditSealer } from '../../control-plane/audit/chain/sealer.js';
import type { AuditDocument } from '../../control-plane/audit/documents.js';
import { createAuditLog } from '../../control-plane/audit/record.js';
import { createAuditStore } from '../../control-plane/audit/store.js';
import { createIds } from '../../control-plane/storage/ids.js';
import { createLeaseStore } from '../../control-plane/storage/leases/lease-store.js';
import { createRunTransaction } from '../../control-plane/storage/transaction.js';
import { systemClock } from '../../kernel/clock.js';
import { createLogger } from '../../kernel/logger.js';
import { systemRandom } from '../../kernel/random.js';
import { testDatabase } from '../../test/helpers/database.js';
import { actorOf, buildWorkspace } from '../../test/helpers/factories.js';
import { waitFor } from '../../test/helpers/wait.js';
import type { Limit } from './limit.js';

/** `docs/architecture.md` promises it for `audit_log`. */
export const auditSealing: Limit = {
  name: 'the longest time until an audit entry is sealed, of 20',
  unit: 'ms',
  atMost: 2_000,
  async measure() {
    const mongo = await testDatabase();
    const store = createAuditStore(mongo.db);
    await store.ensureIndexes();
    const runTransaction = createRunTransaction(mongo.client);
    const workspace = await buildWorkspace(mongo);
    const audit = createAuditLog({ store, ids: createIds(systemClock, systemRandom) });
    const sealer = createAuditSealer({
      ...{ store, leases: createLeaseStore(mongo.db), runTransaction, clock: systemClock, random: systemRandom },
      ...{ logger: createLogger({ name: 'bench', level: 'silent' }), owner: 'bench' },
    });
    sealer.start();
    const entries = mongo.db.collection<AuditDocument>('audit_log');
    let longestMs = 0;
    for (let index = 0; index < 20; index++) {
      const resource = { type: 'monitor', id: 'mon_1', name: `entry ${index}` } as const;
      await runTransaction((tx) => audit.record(tx, actorOf(workspace), { action: 'monitor.created', resource }));
      const startedMs = performance.now();
      await waitFor('a sealed entry', 60_000, async () => (await entries.countDocuments({ unsealed: true })) === 0, 5);
      longestMs = Math.max(longestMs, performance.now() - startedMs);
    }
    await sealer.stop();
    await mongo.drop();
    return longestMs;
  },
};
