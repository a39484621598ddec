import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { buildKey, buildWorkspace } from '../../helpers/factories.js';
import { storePerson } from '../../helpers/team/people.js';
import { connectPlugin, startWordpressApp } from '../../helpers/wordpress/app.js';
import { range, wordfenceRecord } from '../../helpers/wordpress/feed.js';
import { PATH } from '../../helpers/wordpress/plane.js';

interface Job {
  id: string;
  kind: string;
  check: string;
  plugin: string | null;
  status: string;
  note: string | null;
}

const file = join(t.testdir(), 'feed.json');
const records = ['forms', 'gallery', 'picket-bridge'].map((slug) =>
  wordfenceRecord(slug, { x: range({ to: '1.2.3' }) }, { id: slug }),
);
await writeFile(file, JSON.stringify(Object.fromEntries(records.map((record) => [record.id, record]))));
const app = await startWordpressApp({ feed: { file } as never });
t.teardown(() => app.stop());
await app.refreshFeed();

const FORMS = { slug: 'Forms', name: 'The Forms', version: '1.2.3', active: true };
const GALLERY = { slug: 'gallery', name: 'The Gallery', version: '1.0', active: true };
const SOUND = { slug: 'sound', name: 'The Sound', version: '9', active: true };
const OWN = { slug: 'picket-bridge', name: 'Picket Bridge', version: '0.1.0', active: true };
const PLUGINS = [FORMS, GALLERY, SOUND, OWN];
const CONSENT = { consent: true };

const plugin = await connectPlugin(app);
await plugin.poll({ plugins: PLUGINS });
const change = (what: string, slug = 'forms', body: unknown = CONSENT, key?: string) =>
  app.request<Job>('POST', `${PATH}/${plugin.siteId}/plugins/${slug}/${what}`, {
    body,
    ...(key === undefined ? {} : { key }),
  });
const jobs = async () => (await app.request<Job[]>('GET', `${PATH}/sites/${plugin.siteId}/jobs`)).body.data;

t.test('nothing is queued without consent, or for another plugin than a vulnerable one', async (t) => {
  for (const what of ['update', 'deactivate']) {
    for (const body of [{}, { consent: false }, { consent: 'true' }, { ...CONSENT, code: 'x' }]) {
      t.match(await change(what, 'forms', body), { status: 422, body: { code: 'validation_failed' } });
    }
    t.match(await change(what, 'missing'), {
      status: 404,
      body: { detail: 'This site has reported no plugin “missing”.' },
    });
    t.match(await change(what, 'sound'), { status: 409, body: { detail: /no vulnerability of “The Sound”/ } });
    t.match(await change(what, 'picket-bridge'), { status: 409, body: { detail: /cannot change itself/ } });
    t.equal((await change(what, 'x'.repeat(101))).status, 404);
  }
  t.match(await change('restore', 'forms', {}), { status: 409, body: { detail: /nothing of “The Forms”/ } });
  t.same(await jobs(), []);
});

t.test('a viewer, a key that reads and a stranger change nothing', async (t) => {
  const viewer = await storePerson(app.parts.mongo, app.workspace.id, 'viewer');
  const reader = (await buildKey(app.parts.mongo, app.workspace, { scopes: ['wordpress:read'] })).key;
  const stranger = (await buildKey(app.parts.mongo, await buildWorkspace(app.parts.mongo))).key;
  for (const what of ['update', 'deactivate', 'restore']) {
    const body = what === 'restore' ? {} : CONSENT;
    t.equal((await change(what, 'forms', body, viewer.key)).status, 403);
    t.match(await change(what, 'forms', body, reader), { status: 403, body: { code: 'insufficient_scope' } });
    t.match(await change(what, 'forms', body, stranger), { status: 404, body: { code: 'not_found' } });
  }
  t.same(await jobs(), []);
});

t.test('one change at a time: the job has the slug and nothing else, and is put back within a day', async (t) => {
  const queued = await change('update', 'FORMS');
  t.match(queued, {
    status: 202,
    body: {
      data: { kind: 'update_plugin', check: 'vulnerable-plugins', plugin: 'forms', status: 'queued', note: null },
    },
  });
  const { id } = queued.body.data;
  t.equal((await change('update')).body.data.id, id, 'a second call returns the same job');
  t.match(await change('deactivate'), { status: 409, body: { detail: new RegExp(id) } });
  t.match(await change('update', 'gallery'), { status: 409, body: { detail: new RegExp(id) } });
  const { jobs: delivered } = await plugin.poll({ plugins: PLUGINS });
  t.same(delivered, [{ id, kind: 'update_plugin', check: 'vulnerable-plugins', plugin: 'forms' }]);
  const note = 'Updated from 1.2.3 to 1.2.4.';
  await plugin.poll({
    plugins: [{ ...FORMS, version: '1.2.4' }, GALLERY, SOUND, OWN],
    results: [{ job_id: id, outcome: 'applied', error: note }],
  });
  t.match(await jobs(), [{ id, status: 'applied', error: null, note }]);
  await app.parts.mongo.db
    .collection('wp_jobs')
    .updateOne({ _id: id as never }, { $set: { open: false, status: 'verified' } });
  t.match(await change('update'), { status: 409, body: { detail: /no vulnerability/ } }, 'it is sound now');
  t.match(await change('restore', 'gallery', {}), { status: 409 });
  t.match(await change('restore', 'forms', {}), {
    status: 202,
    body: { data: { kind: 'restore_plugin', plugin: 'forms' } },
  });
  const restore = (await jobs())[0]?.id ?? '';
  await plugin.poll({ results: [{ job_id: restore, outcome: 'failed', error: 'There is nothing to put back.' }] });
  const day = 24 * 3_600_000;
  await app.parts.mongo.db
    .collection('wp_jobs')
    .updateOne({ _id: id as never }, { $inc: { applied_at_ms: -day - 1_000 } });
  t.match(await change('restore', 'forms', {}), { status: 409 }, 'the copy is deleted after a day');
});

t.test('who agreed to a change is in the audit log', async (t) => {
  const entries = await app.parts.mongo.db
    .collection('audit_log')
    .find({ action: /^site\.(plugin_change_queued|job_ended)$/ })
    .sort({ _id: 1 })
    .toArray();
  t.match(entries, [
    { action: 'site.plugin_change_queued', metadata: { kind: 'update_plugin', plugin: 'forms', version: '1.2.3' } },
    { action: 'site.plugin_change_queued', metadata: { kind: 'restore_plugin', plugin: 'forms' } },
    { action: 'site.job_ended', metadata: { kind: 'restore_plugin', plugin: 'forms', status: 'failed' } },
  ]);
});
