import t from 'tap';
import { parse } from 'yaml';
import type { Scope } from '../../../control-plane/actor.js';
import type { MonitorDocument } from '../../../control-plane/monitors/documents.js';
import type { Monitor } from '../../../control-plane/monitors/schema.js';
import { systemClock } from '../../../kernel/clock.js';
import { buildKey } from '../../helpers/factories.js';
import { monitorActions } from '../../helpers/monitors/actions.js';
import { startMonitorsApp } from '../../helpers/monitors/app.js';
import { waitFor } from '../../helpers/wait.js';

const app = await startMonitorsApp();
t.teardown(() => app.stop());
const { create, stored } = monitorActions(app);
const { key: reader } = await buildKey(app.mongo, app.workspace, { scopes: ['monitors:read'] });
const { key: writer } = await buildKey(app.mongo, app.workspace, { scopes: ['monitors:read', 'monitors:write'] });

const SECRETS = /0ne-secret|tw0-secret|thr33-secret|us3r-secret|p4ss-secret/;
/** These are stored unsealed, and shown only to those who may change the monitor. */
const IN_QUERY = /qu3ry-secret/;
const URL_WITH_USER = 'https://us3r-secret:p4ss-secret@shop.example.com/cart';
const secret = {
  name: 'Shop',
  url: URL_WITH_USER,
  type: 'http',
  http: { method: 'POST', headers: { Authorization: '0ne-secret', 'X-Key': 'tw0-secret' }, body: 'thr33-secret' },
};
const SHOWN = { url: URL_WITH_USER, http: { headers: secret.http.headers, body: 'thr33-secret' } };
const MASKED = {
  url: 'https://***@shop.example.com/cart',
  http: { headers: { Authorization: '***', 'X-Key': '***' }, body: '***' },
};

/** Everything that the database contains, as text. */
async function wholeDatabase(): Promise<string> {
  const collections = await app.mongo.db.listCollections().toArray();
  const contents = await Promise.all(collections.map(({ name }) => app.mongo.db.collection(name).find().toArray()));
  return JSON.stringify(contents);
}

const get = async (id: string, key: string) => (await app.request<Monitor>('GET', `/v1/monitors/${id}`, { key })).body;
const patch = (id: string, body: object) => app.request<Monitor>('PATCH', `/v1/monitors/${id}`, { body, key: writer });
const list = (key: string, query = '') => app.request<Monitor[]>('GET', `/v1/monitors?limit=200${query}`, { key });

t.test('no collection contains a secret, and probes get the secrets', async (t) => {
  const monitor = await create(secret);
  t.match(monitor, SHOWN, 'the reply to the one who set them shows them');
  t.match(await stored(monitor.id), { ...MASKED, sealed: String });
  await app.request('POST', '/v1/monitors', { body: secret, headers: { 'idempotency-key': 'a' } });
  const url = SHOWN.url.replace('cart', 'x-path');
  await patch(monitor.id, { url, http: { headers: { Authorization: '0ne-secret2' }, body: 'thr33-secret2' } });
  t.notMatch(await wholeDatabase(), SECRETS);
  await waitFor('the change', 60_000, () => app.directory.assignment('fra', monitor.id)?.version === 2);
  t.match(app.directory.assignment('fra', monitor.id), {
    url: 'https://us3r-secret:p4ss-secret@shop.example.com/x-path',
    http: { headers: { Authorization: '0ne-secret2' }, body: 'thr33-secret2' },
  });
});

t.test('only those who may set the secrets see them, even if they ask at the same time', async (t) => {
  const { id } = await create(secret);
  t.match((await get(id, reader)).data, MASKED);
  t.match((await get(id, writer)).data, SHOWN);
  t.match((await get(id, app.key)).data, SHOWN, 'full access includes the scope');
  const lists = await Promise.all([writer, reader, writer, reader].map((key) => list(key, '&q=cart')));
  for (const [index, { text }] of lists.entries()) {
    if (index % 2 === 0) t.match(text, SECRETS);
    else t.notMatch(text, SECRETS);
  }
});

t.test('values of the query are shown only to those who may change the monitor', async (t) => {
  const url = 'https://shop.example.com/cart?page=qu3ry-secret&token=qu3ry-secret2#top';
  const shown = 'https://shop.example.com/cart?page=***&token=***#top';
  const { id } = await create({ name: 'Query', url, type: 'http' });
  t.equal((await get(id, reader)).data.url, shown);
  t.equal((await get(id, writer)).data.url, url);
  t.notMatch((await list(reader)).text, IN_QUERY);
  t.notMatch((await app.request('GET', '/v1/monitors/summary', { key: writer })).text, IN_QUERY, 'shared by all');

  const sentBack = await patch(id, { url: shown.replace('page=***', 'page=2') });
  t.equal(sentBack.body.data.url, 'https://shop.example.com/cart?page=2&token=qu3ry-secret2#top');
  await patch(id, { url });
  const entries = await app.mongo.db.collection('audit_log').find({ 'resource.id': id }).toArray();
  t.ok(entries.length >= 3);
  t.notMatch(JSON.stringify(entries), IN_QUERY);
  const created = await app.request('POST', '/v1/monitors', { body: { name: 'New', url: shown, type: 'http' } });
  t.match(created, { status: 422, body: { errors: [{ path: '/url' }] } });

  for (const part of ['qu3ry', 'cart?page=qu3ry-secret', '***']) {
    const found = (await list(reader, `&q=${encodeURIComponent(part)}`)).body.data.map((one) => one.id);
    t.equal(found.includes(id), part.includes('cart'), part);
  }
  const guess = (await list(reader, `&q=${encodeURIComponent('cart?page=wrong')}`)).body.data.map((one) => one.id);
  t.ok(guess.includes(id), 'a guess of a value finds as much as the value');
});

t.test('a search finds no secrets', async (t) => {
  await create(secret);
  for (const part of ['p4ss-secret', 'us3r', '0ne-secret', 'thr33']) {
    t.same((await list(writer, `&q=${part}`)).body.data, [], part);
  }
});

t.test('masks in an update keep the secrets; a new monitor cannot have masks', async (t) => {
  const { id } = await create(secret);
  const masked = (await get(id, reader)).data;
  const sentBack = { name: 'Renamed', url: masked.url, http: { headers: masked.http?.headers ?? {}, body: '***' } };
  t.match((await patch(id, sentBack)).body.data, { name: 'Renamed', ...SHOWN });
  t.equal((await patch(id, sentBack)).headers.get('etag'), '"2"', 'the same again changes nothing');
  const added = await patch(id, { http: { headers: { ...masked.http?.headers, 'X-New': '***' } } });
  t.match(added, { status: 422, body: { errors: [{ path: '/http/headers/X-New', message: /value itself/ }] } });
  t.match((await patch(id, { http: { headers: { 'x-key': '***' } } })).body.data.http, {
    headers: { 'x-key': 'tw0-secret' },
    body: 'thr33-secret',
  });
  const copy = await app.request('POST', '/v1/monitors', { body: { ...secret, ...MASKED } });
  t.equal(copy.status, 422);
  t.same(
    copy.body.errors?.map(({ path }) => path),
    ['/url', '/http/headers/Authorization', '/http/headers/X-Key', '/http/body'],
  );
});

t.test('pause and resume keep the secrets', async (t) => {
  const { id } = await create(secret);
  for (const verb of ['pause', 'resume']) {
    t.match((await app.request('POST', `/v1/monitors/${id}/${verb}`, { key: writer })).body.data, SHOWN, verb);
  }
  await waitFor('the resumed monitor', 60_000, () => app.directory.assignment('fra', id)?.version === 3);
  t.match(app.directory.assignment('fra', id), { url: SHOWN.url, http: { body: 'thr33-secret' } });
});

t.test('a runbook URL, which every notification contains, cannot have a password', async (t) => {
  const runbook_url = 'https://me:p4ss-secret@wiki.example.com/';
  const answer = await app.request('POST', '/v1/monitors', { body: { ...secret, runbook_url } });
  t.match(answer, { status: 422, body: { errors: [{ path: '/runbook_url', message: /user name or password/ }] } });
  t.notMatch(answer.text, SECRETS, 'an error does not repeat it');
});

t.test(
  'a monitor whose secrets cannot be opened is not checked, is shown with masks, and can be repaired',
  async (t) => {
    const { id } = await create(secret);
    await waitFor('the monitor', 60_000, () => app.directory.assignment('fra', id));
    const other = await stored((await create(secret)).id);
    t.type(other.sealed, 'string', 'the secrets of another monitor, which are sealed for that one only');
    const foreign = { sealed: other.sealed ?? null };
    await app.mongo.db.collection<MonitorDocument>('monitors').updateOne({ _id: id }, { $set: foreign });
    await app.directory.refresh([id]);
    t.equal(app.directory.assignment('fra', id), null);
    t.match((await get(id, writer)).data, MASKED);
    t.equal((await patch(id, { name: 'Other' })).status, 422);
    t.match((await patch(id, { url: SHOWN.url, http: SHOWN.http })).body.data, SHOWN);
    await waitFor('the repaired monitor', 60_000, () => app.directory.assignment('fra', id)?.url === SHOWN.url);
  },
);

t.test('an export has masks, and secrets only on request of those who may set them', async (t) => {
  await create(secret);
  for (const format of ['yaml', 'json']) {
    for (const query of ['', '&secrets=mask']) {
      const file = await app.request('GET', `/v1/monitors/export?format=${format}${query}`, { key: writer });
      t.notMatch(file.text, SECRETS);
      t.match(parse(file.text).monitors.at(-1), MASKED);
    }
    const path = `/v1/monitors/export?format=${format}&secrets=include`;
    const refused = await app.request('GET', path, { key: reader });
    t.match(refused, { status: 403, body: { code: 'insufficient_scope', required_scope: 'monitors:write' } });
    t.match(parse((await app.request('GET', path, { key: writer })).text).monitors.at(-1), SHOWN);
  }
});

t.test('a list with the secrets of several monitors is recorded, once a day for each key', async (t) => {
  let nowMs = Date.now();
  const app = await startMonitorsApp({ clock: { ...systemClock, now: () => nowMs } });
  t.teardown(() => app.stop());
  const { create } = monitorActions(app);
  const keyWith = async (scopes: Scope[]) => (await buildKey(app.mongo, app.workspace, { scopes })).key;
  const [reader, writer] = [await keyWith(['monitors:read']), await keyWith(['monitors:read', 'monitors:write'])];
  const list = (key: string, query = '') => app.request('GET', `/v1/monitors${query}`, { key });
  const entries = () => app.mongo.db.collection('audit_log').find({ action: 'monitor.secrets_read' }).toArray();

  await create(secret);
  await create({ ...secret, name: 'Without', url: 'https://example.com/', http: undefined });
  await list(writer);
  t.same(await entries(), [], 'whoever reads one secret copies nothing');
  await create({ ...secret, name: 'Token', url: 'https://example.com/?token=qu3ry-secret', http: undefined });
  await list(reader);
  t.same(await entries(), [], 'masks are no secrets');
  await Promise.all([list(writer), list(reader)]);
  await list(writer);
  t.match(await entries(), [
    { severity: 'info', actor: { email: String }, resource: { type: 'workspace' }, metadata: { monitors: 2 } },
  ]);
  nowMs += 24 * 3_600_000;
  await list(writer);
  t.equal((await entries()).length, 2);
  await list(await keyWith(['monitors:read', 'monitors:write']));
  t.equal((await entries()).length, 3, 'another key has an entry of its own');
});
