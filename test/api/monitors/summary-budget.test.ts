import t from 'tap';
import type { MonitorDocument } from '../../../control-plane/monitors/documents.js';
import type { MonitorSummary } from '../../../control-plane/monitors/summary/schema.js';
import { testClock } from '../../helpers/clock.js';
import { buildKey, buildWorkspace } from '../../helpers/factories.js';
import { monitorActions } from '../../helpers/monitors/actions.js';
import { startMonitorsApp } from '../../helpers/monitors/app.js';

const clock = testClock(Date.now());
const app = await startMonitorsApp({ clock });
t.teardown(() => app.stop());
const { create, stored, monitors } = monitorActions(app);
const PATH = '/v1/monitors/summary';
const template = await stored((await create()).id);

/** The most rows of each read, as the database was asked. */
const reads: number[] = [];
const { summaryRows } = app.context.store;
app.context.store.summaryRows = (...parts) => {
  reads.push(parts[3]);
  return summaryRows(...parts);
};

/** A workspace with this many monitors, and a function that reads their summary. */
async function workspaceWith(count: number, fields: Partial<MonitorDocument> = {}) {
  const workspace = await buildWorkspace(app.mongo);
  const { key } = await buildKey(app.mongo, workspace);
  await monitors.insertMany(
    Array.from({ length: count }, (_, n) => ({
      ...template,
      ...fields,
      _id: `mon_${workspace.id.slice(-10)}${String(n).padStart(16, '0')}`,
      workspace_id: workspace.id,
    })),
  );
  const read = (query = '') => app.request<MonitorSummary[]>('GET', `${PATH}${query}`, { key });
  return { read };
}

t.test('a list that is too large to keep is charged by its size, and displaces nobody', async (t) => {
  const [row] = (await app.request<MonitorSummary[]>('GET', PATH)).body.data;
  await monitors.updateOne({ _id: template._id }, { $set: { url: 'https://read-again.example/' } });
  // Together a bit more than 15 MB, which count as 30,000 rows.
  const { read } = await workspaceWith(10, { tags: ['x'.repeat(1_500_000)] });
  const statuses: number[] = [];
  while (!statuses.includes(429) && statuses.length < 15) statuses.push((await read()).status);
  t.same(statuses, [...Array(10).fill(200), 429], 'the whole list too, when it has to be read');
  const refused = await read();
  t.match(refused.body, { code: 'rate_limited', detail: /too many rows/ });
  t.equal(refused.headers.get('retry-after'), '1');
  const [still] = (await app.request<MonitorSummary[]>('GET', PATH)).body.data;
  t.equal(still?.url, row?.url, 'what others read is still kept');

  t.comment('a small page of it costs a small part');
  clock.stall(10_000);
  reads.length = 0;
  for (let page = 0; page < 15; page++) t.equal((await read('?limit=1')).status, 200);
  t.same(reads, Array(15).fill(2));
});

t.test('an answer ends before it is too large, and the next page continues there', async (t) => {
  const { read } = await workspaceWith(10, { tags: ['ü'.repeat(1_500_000)] });
  const first = await read();
  t.equal(first.body.data.length, 6, '3 MB each, and an answer of 16 MB is too large');
  const rest = await read(`?cursor=${first.body.next_cursor}`);
  t.equal(rest.body.data.length, 4);
  t.equal(rest.body.next_cursor, null);
  const ids = [...first.body.data, ...rest.body.data].map(({ id }) => id);
  t.same(ids, ids.toSorted().reverse());
  t.equal(new Set(ids).size, 10);

  t.comment('selected monitors too, and what changed is read whole');
  const selected = await read(`?ids=${ids.join(',')}`);
  t.equal(selected.body.data.length, 6);
});

t.test('a later page of more monitors than a page has reads only its own rows', async (t) => {
  const { read } = await workspaceWith(10_001);
  const first = await read();
  t.equal(first.body.data.length, 10_000);
  reads.length = 0;
  const cursor = first.body.next_cursor ?? '';
  const [last] = (await read(`?limit=1&cursor=${cursor}`)).body.data;
  t.equal(last?.status, 'up');
  await monitors.updateOne({ _id: last?.id ?? '' }, { $set: { 'state.status': 'down' } });
  t.equal((await read(`?limit=1&cursor=${cursor}`)).body.data[0]?.status, 'down');
  t.equal((await read('?limit=1')).body.data.length, 1);
  t.same(reads, [2, 2, 2]);
});

t.test('a later page of a list that is not kept any more reads only its own rows', async (t) => {
  const { read } = await workspaceWith(3);
  const { body } = await read('?limit=1');
  t.same(reads.splice(0).slice(-1), [10_001], 'the first page reads all, for the next ones');
  t.equal((await read(`?limit=1&cursor=${body.next_cursor}`)).status, 200);
  t.same(reads, []);
  t.comment('answers of others take its place');
  for (let other = 0; other < 5; other++) {
    const { read } = await workspaceWith(4, { tags: ['x'.repeat(1_300_000)] });
    t.equal((await read()).status, 200);
  }
  reads.length = 0;
  t.equal((await read(`?limit=1&cursor=${body.next_cursor}`)).status, 200);
  t.same(reads, [2]);
});
