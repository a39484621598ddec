import { text } from 'node:stream/consumers';
import t from 'tap';
import type { AuditDocument } from '../../../control-plane/audit/documents.js';
import { fillAuditLog } from '../../helpers/audit/entries.js';
import { testDatabase } from '../../helpers/database.js';
import { buildWorkspace } from '../../helpers/factories.js';
import { builtProcess } from '../../helpers/processes/control-plane.js';
import { wrongClock } from '../../helpers/processes/wrong-clock.js';

const DAY_MS = 86_400_000;

t.test('a broken chain is recorded at the time of the database, whatever the clock of the machine says', async (t) => {
  const mongo = await testDatabase();
  t.teardown(() => mongo.drop());
  const { id } = await buildWorkspace(mongo);
  await fillAuditLog(mongo.db, id, 3, (index) => ({ atMs: Date.now() - 60_000 + index }));
  const entries = mongo.db.collection<AuditDocument>('audit_log');
  await entries.updateOne({ workspace_id: id }, { $set: { 'resource.name': 'Another name' } });
  const env = { PICKET_MONGODB_URI: mongo.uri, PICKET_DATA_DIR: '/nowhere', ...wrongClock(DAY_MS) };
  const beforeMs = Date.now();
  const child = builtProcess('control-plane/cli.js', ['audit', 'verify'], env);
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const out = child.stdout === null ? '' : await text(child.stdout);
  t.equal(await ended, 1, out);
  const entry = await entries.findOne({ workspace_id: id, action: 'audit.chain_broken' });
  t.ok(entry !== null && beforeMs <= entry.at_ms && entry.at_ms <= Date.now(), `recorded at ${entry?.at_ms}`);
});
