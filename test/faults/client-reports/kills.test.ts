import { createHash } from 'node:crypto';
import t from 'tap';
import type { ReportDocument, ReportPartDocument } from '../../../control-plane/client-reports/documents.js';
import { testDatabase } from '../../helpers/database.js';
import { lockDocument } from '../../helpers/locked-monitor.js';
import { startControlPlane } from '../../helpers/processes/control-plane.js';
import { waitFor } from '../../helpers/wait.js';

const PATH = '/api/v1/client-reports';
const QUEUED = 10;
/** A process that is killed in a transaction leaves its locks to the database for a minute. */
const CONTINUED_MS_MAX = 120_000;

t.test('kill -9 while reports are generated: the next control plane generates all of them, each once', async (t) => {
  const mongo = await testDatabase();
  const reports = mongo.db.collection<ReportDocument>('client_reports');
  const parts = mongo.db.collection<ReportPartDocument>('client_report_parts');
  let plane = await startControlPlane(mongo.uri);
  const installation = { ...plane.env };
  t.teardown(async () => {
    await plane.remove();
    await mongo.drop();
  });
  const create = async (title: string): Promise<string> =>
    (await plane.api('POST', PATH, { title, client_name: 'Example Ltd' })).body.data.id;

  const killed: string[] = [];
  for (let kill = 0; kill < 2; kill++) {
    // A report that is completed before it is locked was too fast, so another one is tried.
    for (;;) {
      const id = await create(`Killed ${kill}`);
      await waitFor('its generation', 60_000, async () => ((await reports.findOne({ _id: id }))?.attempts ?? 0) > 0, 1);
      // Nothing can complete it now.
      const unlock = await lockDocument(mongo.uri, 'client_reports', id);
      if ((await reports.findOne({ _id: id }))?.status === 'generating') {
        for (let index = 0; index < QUEUED; index++) await create(`Queued ${kill}.${index}`);
        await plane.kill();
        await unlock();
        killed.push(id);
        break;
      }
      await unlock();
    }
    plane = await startControlPlane(mongo.uri, installation);
  }

  await waitFor('all reports', CONTINUED_MS_MAX, async () => (await reports.countDocuments({ open: true })) === 0);
  const all = await reports.find().toArray();
  t.ok(all.length >= 2 * (QUEUED + 1));
  for (const { _id, title, status, sha256, size_bytes } of all) {
    const stored = await parts.find({ report_id: _id, file: 'pdf' }).sort({ _id: 1 }).toArray();
    const bytes = Buffer.concat(stored.map((part) => part.bytes.value()));
    t.match({ status, size_bytes }, { status: 'completed', size_bytes: bytes.length }, title);
    t.equal(createHash('sha256').update(bytes).digest('hex'), sha256, 'one whole file, stored once');
  }
  for (const id of killed) t.ok(((await reports.findOne({ _id: id }))?.attempts ?? 0) >= 2, 'begun again');
  t.equal(await mongo.db.collection('audit_log').countDocuments({ action: 'report.created' }), all.length);
});
