import t from 'tap';
import type { MonitorDocument } from '../../../control-plane/monitors/documents.js';
import type { Monitor } from '../../../control-plane/monitors/schema.js';
import { sealStoredMonitors } from '../../../control-plane/monitors/secrets/seal-stored.js';
import {
  createUnsealedMonitors,
  type UnsealedMonitors,
} from '../../../control-plane/monitors/secrets/unsealed-store.js';
import { buildKey } from '../../helpers/factories.js';
import { monitorActions } from '../../helpers/monitors/actions.js';
import { startMonitorsApp } from '../../helpers/monitors/app.js';
import { logCollector } from '../../helpers/monitors/log-collector.js';
import { monitorSecrets } from '../../helpers/monitors/secrets.js';
import { created } from '../../helpers/monitors/settings.js';
import { buildMonitor } from '../../helpers/results/history.js';
import { waitFor } from '../../helpers/wait.js';

const app = await startMonitorsApp();
t.teardown(() => app.stop());
const monitors = app.mongo.db.collection<MonitorDocument>('monitors');
const unsealed = createUnsealedMonitors(app.mongo.db);
const { key: reader } = await buildKey(app.mongo, app.workspace, { scopes: ['monitors:read'] });

const SECRETS = /0ne-secret|p4ss-secret|thr33-secret/;
const url = 'https://me:p4ss-secret@shop.example.com/';
const http = { headers: { authorization: '0ne-secret' }, body: 'thr33-secret' };

/** Stores monitors as an earlier version did. */
async function storeUnsealed(count: number, over: Partial<MonitorDocument> = {}): Promise<string[]> {
  const { settings } = created({ url, http });
  const stored = Array.from({ length: count }, () =>
    buildMonitor({ workspace_id: app.workspace.id, ...settings, ...over }),
  );
  await monitors.insertMany(stored);
  const ids = stored.map(({ _id }) => _id);
  await app.directory.refresh(ids);
  return ids;
}

async function seal(store: UnsealedMonitors = unsealed) {
  const { logger, lines } = logCollector();
  await sealStoredMonitors({ unsealed: store, secrets: monitorSecrets(), logger });
  return lines;
}

const read = async (id: string, key = app.key) =>
  (await app.request<Monitor>('GET', `/v1/monitors/${id}`, { key })).body;
const document = monitorActions(app).stored;

t.test('a monitor of an earlier version is read as it is, with masks for those who may not set secrets', async (t) => {
  const [id = ''] = await storeUnsealed(1);
  t.match(app.directory.assignment('fra', id), { url, http });
  t.match((await read(id)).data, { url, http });
  t.notMatch(JSON.stringify(await read(id, reader)), SECRETS);
  const file = await app.request('GET', '/v1/monitors/export', { key: reader });
  t.notMatch(file.text, SECRETS);
  await app.request('PATCH', `/v1/monitors/${id}`, { body: { name: 'New' } });
  t.notMatch(JSON.stringify(await document(id)), SECRETS, 'the next change of its settings seals it');
});

t.test('a start seals every stored monitor, and nothing else changes', async (t) => {
  const ids = await storeUnsealed(1_200);
  const [plain = ''] = await storeUnsealed(1, { url: 'https://shop.example.com/', http: null, type: 'http' });
  const [first = ''] = ids;
  await monitors.updateOne({ _id: first }, { $set: { runbook_url: 'https://me:p4ss-secret@wiki.example.com/x' } });
  const before = await document(first);
  t.match(await seal(), [{ monitors: 1_201, msg: 'sealed the secrets of stored monitors' }]);
  t.notMatch(JSON.stringify(await monitors.find().toArray()), SECRETS);
  const { sealed, ...after } = await document(first);
  t.same(after, {
    ...before,
    url: 'https://***@shop.example.com/',
    http: { ...before.http, headers: { authorization: '***' }, body: '***' },
    runbook_url: 'https://wiki.example.com/x',
  });
  t.type(sealed, 'string');
  t.equal((await document(plain)).sealed, null);
  await app.directory.refresh(ids);
  t.match(app.directory.assignment('fra', first), { url, http, version: before.version });
  t.match((await read(first)).data, { url, http });

  const again = await document(first);
  t.same(await seal(), [], 'a second start finds nothing to do');
  t.same(await document(first), again);
});

t.test(
  'a monitor that is changed while it is sealed keeps the change; two control planes can seal at once',
  async (t) => {
    const ids = await storeUnsealed(3);
    const [raced = ''] = ids;
    let races = 1;
    const lines = await seal({
      ...unsealed,
      async seal(writes) {
        if (races-- > 0) {
          // An earlier version, which knows no seal, changes the URL.
          const change = { $set: { url: url.replace('shop', 'new') }, $inc: { version: 1 } };
          await monitors.updateOne({ _id: raced }, change);
        }
        return unsealed.seal(writes);
      },
    });
    t.match(lines, [{ monitors: 3 }], 'the next pass seals it');
    t.match((await read(raced)).data, { url: url.replace('shop', 'new'), http });

    await storeUnsealed(2);
    await Promise.all([seal(), seal()]);
    t.equal(await monitors.countDocuments({ sealed: { $exists: false } }), 0);
  },
);

t.test('a failure is logged and does not prevent the start', async (t) => {
  const page = () => Promise.reject(new Error('no database'));
  t.match(await seal({ ...unsealed, page }), [{ level: 50, msg: /next start retries/ }]);
});

t.test('an earlier version may change a sealed monitor: what it wrote counts, masks keep their secrets', async (t) => {
  const [id = ''] = await storeUnsealed(1);
  await seal();
  await monitors.updateOne(
    { _id: id },
    { $set: { url: 'https://***@new.example.com/', 'http.headers': { authorization: '***', 'x-new': '1' } } },
  );
  await app.directory.refresh([id]);
  await waitFor('the change', 60_000, async () => (await read(id)).data.url.includes('new.example.com'));
  t.match((await read(id)).data, {
    url: 'https://me:p4ss-secret@new.example.com/',
    http: { headers: { authorization: '0ne-secret', 'x-new': '1' }, body: 'thr33-secret' },
  });
});
