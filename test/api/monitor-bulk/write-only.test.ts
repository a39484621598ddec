import t from 'tap';
import type { BulkChange } from '../../../control-plane/monitor-bulk/schema.js';
import { buildKey } from '../../helpers/factories.js';
import { startBulkApp } from '../../helpers/monitor-bulk/app.js';
import { monitorActions, shop } from '../../helpers/monitors/actions.js';

t.test('who may not read monitors learns nothing of them from bulk changes', async (t) => {
  const { app, bulk, work, undo, preview } = await startBulkApp();
  t.teardown(() => app.stop());
  const { create } = monitorActions(app);
  const { id } = await create({ ...shop, name: 'Hidden name', tags: ['hidden-tag'], locations: ['fra'] });
  const { key } = await buildKey(app.mongo, app.workspace, { scopes: ['monitors:write'] });
  const shows = ({ text }: { text: string }) => /hidden|mon_/i.test(text);
  const retag = { operation: 'set', filter: {}, set: { tags: ['new'] } };
  const { fingerprint } = await preview({ ...retag, set: { tags: ['new'] } });

  const changed = await bulk<BulkChange>(retag, key);
  t.match(changed, { status: 202, body: { data: { total: 1, names: [], groups: [], fields: ['tags'] } } });
  t.notOk(shows(changed));
  await work();
  const undone = await undo(changed.body.data.id, {}, key);
  t.match(undone, { status: 202, body: { data: { names: [], groups: [] } } });
  t.notOk(shows(undone));
  await work();

  const refused = await bulk({ operation: 'set', filter: {}, set: { confirmations: 5 } }, key);
  t.match(refused, { status: 422, body: { detail: /^Nothing was changed: 1 monitor would/ } });
  t.notOk(shows(refused));
  const outdated = await bulk({ ...retag, fingerprint }, key);
  t.equal(outdated.status, 412);
  t.notOk(shows(outdated));
  const again = await bulk<BulkChange>(retag, key);
  await work();
  await app.request('PATCH', `/v1/monitors/${id}`, { body: { name: 'Hidden again' } });
  const conflict = await undo(again.body.data.id, {}, key);
  t.equal(conflict.status, 409);
  t.notOk(shows(conflict));
  const named = await undo(again.body.data.id);
  t.ok(shows(named), 'who may read monitors is told');
});
