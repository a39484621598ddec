import t from 'tap';
import type { MonitorDocument } from '../../../control-plane/monitors/documents.js';
import { startDomainsApp } from '../../helpers/domain-expiry/app.js';
import { buildWorkspace } from '../../helpers/factories.js';

t.test('a workspace whose monitors cannot be read delays no other, and is read again', async (t) => {
  const app = await startDomainsApp();
  t.teardown(() => app.stop());
  const [first, last] = [await buildWorkspace(app.mongo), await buildWorkspace(app.mongo)];
  const broken = await app.monitor('https://broken.com/');
  const monitors = app.mongo.db.collection<MonitorDocument>('monitors');
  await monitors.updateOne({ _id: broken }, { $set: { type: 'gone' as never } });
  await app.monitor('https://first.com/', { workspace_id: first.id });
  await app.monitor('https://last.com/', { workspace_id: last.id });
  t.equal(await app.run(), 2);
  t.strictSame(app.rdap.asked.toSorted(), ['first.com', 'last.com']);
  t.match(
    app.lines.filter(({ msg }) => msg === 'failed to update the domains of a workspace, retrying'),
    [{ workspace: app.workspace.id, level: 40 }],
  );
  // Without a note of a change: the next run reads the workspace because it has failed.
  await monitors.updateOne({ _id: broken }, { $set: { type: 'http' } });
  t.equal(await app.run(), 1);
  t.match(await app.domains(), [{ name: 'broken.com' }]);
});
