import t from 'tap';
import type { AuditVerification } from '../../../control-plane/audit/chain/verification-schema.js';
import type { AuditDocument } from '../../../control-plane/audit/documents.js';
import { auditSlice } from '../../../control-plane/audit/open.js';
import { createAuditStore } from '../../../control-plane/audit/store.js';
import { createCursors } from '../../../control-plane/storage/cursor.js';
import { createLeaseStore } from '../../../control-plane/storage/leases/lease-store.js';
import { systemClock } from '../../../kernel/clock.js';
import { createLogger } from '../../../kernel/logger.js';
import { systemRandom } from '../../../kernel/random.js';
import { startApp } from '../../helpers/app.js';
import { fillAuditLog } from '../../helpers/audit/entries.js';
import { testDatabase } from '../../helpers/database.js';
import { buildKey, buildWorkspace } from '../../helpers/factories.js';

t.test('a person who verifies the log waits only as long as for any request', async (t) => {
  const mongo = await testDatabase();
  const app = await startApp({
    mongo,
    routes: ({ audit, pager, runTransaction }) => {
      const opened = auditSlice.open({
        ...{
          audit,
          pager,
          auditStore: createAuditStore(mongo.db),
          actions: ['audit.chain_broken'],
          leases: createLeaseStore(mongo.db),
        },
        ...{ plans: { plans: async () => new Map() }, owner: 'test', cursors: createCursors(Buffer.alloc(32, 1)) },
        ...{ clock: systemClock, random: systemRandom, logger: createLogger({ name: 'test', level: 'silent' }) },
        runTransaction: () => Promise.reject(new Error('this one may take 30 s')),
        runRequestTransaction: runTransaction,
      });
      if (opened instanceof Promise) throw new Error('it has to be opened at once');
      return [...(opened.routes ?? [])];
    },
  });
  t.teardown(async () => {
    await app.close();
    await mongo.drop();
  });
  const workspace = await buildWorkspace(mongo);
  await fillAuditLog(mongo.db, workspace.id, 3, (index) => ({ atMs: Date.now() - 60_000 + index }));
  const { key } = await buildKey(mongo, workspace);
  const entries = mongo.db.collection<AuditDocument>('audit_log');
  await entries.updateOne({ workspace_id: workspace.id }, { $set: { 'resource.name': 'Another' } });

  const { body } = await app.request<AuditVerification>('GET', '/api/v1/audit-logs/verification', { key });
  t.match(body.data, { status: 'broken', problem: { kind: 'altered' } });
  t.equal(await entries.countDocuments({ workspace_id: workspace.id, action: 'audit.chain_broken' }), 1);
});
