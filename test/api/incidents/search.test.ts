import t from 'tap';
import type { IncidentDocument } from '../../../control-plane/incidents/documents.js';
import { incidentRoutes } from '../../../control-plane/incidents/routes.js';
import type { Incident } from '../../../control-plane/incidents/schema.js';
import { SEARCHED_MAX } from '../../../control-plane/incidents/search/store.js';
import { createIncidents } from '../../../control-plane/incidents/service.js';
import { createIncidentStore } from '../../../control-plane/incidents/store.js';
import { createTimelineStore } from '../../../control-plane/timeline/store.js';
import { startApp } from '../../helpers/app.js';
import { testClock } from '../../helpers/clock.js';
import { testDatabase } from '../../helpers/database.js';
import { NO_DEPENDENCIES } from '../../helpers/dependencies/none.js';
import { buildKey, buildWorkspace } from '../../helpers/factories.js';
import { KINDS, RULE_KINDS } from '../../helpers/incidents/kinds.js';
import { NO_MAINTENANCE } from '../../helpers/maintenance/none.js';

const MONITOR = 'mon_01kf5e6q0h3v8r2m9x4t7c1z5n';
/** More than one request looks at. */
const INCIDENTS = SEARCHED_MAX + 2_500;
const SECOND_MS = 1_000;

const mongo = await testDatabase();
const clock = testClock(Date.now());
/** How much later it is whenever the search asks for the time. */
let stepMs = 0;
const slowed = {
  ...clock,
  monotonic() {
    void clock.stall(stepMs);
    return clock.monotonic();
  },
};
const store = createIncidentStore(mongo.db, RULE_KINDS);
await store.ensureIndexes();
const notifications = { enqueue: async () => undefined, ofIncidents: async () => new Map() };
const app = await startApp({
  mongo,
  routes({ ids, audit, pager }) {
    const timeline = createTimelineStore(mongo.db, ids);
    const needs = { clock: slowed, ids, store, notifier: notifications, timeline, audit, pager };
    return incidentRoutes({ ...needs, kinds: KINDS, notifications, resolvedManually: async () => undefined });
  },
});
t.teardown(async () => {
  await app.close();
  await mongo.drop();
});

interface Found {
  data: Incident[];
  next_cursor: string | null;
  searched_to?: string | null;
}

async function search(query: string, key = app.key): Promise<Found> {
  const { status, body } = await app.request('GET', `/v1/alerts?limit=10&${query}`, { key });
  t.equal(status, 200);
  return body as unknown as Found;
}

const startMs = clock.now() - INCIDENTS * SECOND_MS;
/** By age: number 0 is the newest. */
const startedAtMs = (number: number) => startMs + (INCIDENTS - number) * SECOND_MS;
const RARE = [5, SEARCHED_MAX + 100, SEARCHED_MAX + 2_000];

await (async () => {
  const { ids, audit, runTransaction } = app.parts;
  const timeline = createTimelineStore(mongo.db, ids);
  const incidents = createIncidents({
    ...{ clock, ids, store, notifier: notifications, timeline, audit },
    ...NO_DEPENDENCIES,
    maintenance: NO_MAINTENANCE,
  });
  const monitor = { id: MONITOR, name: 'Shop' };
  const template = await runTransaction((tx) =>
    incidents.open(tx, {
      ...{ workspaceId: app.workspace.id, kind: 'monitor', subject: 'monitor:template', severity: 'critical' },
      ...{ monitor, resource: { type: 'monitor', ...monitor }, message: 'Shop is down.', startedAtMs: startMs },
      ...{ decision: null, channels: null, runbookUrl: null, tags: [] },
    }),
  );
  if (template === null) throw new Error('an incident is open already');
  const collection = mongo.db.collection<IncidentDocument>('incidents');
  const { open: _open, ...rest } = template;
  await collection.deleteMany({});
  await collection.insertMany(
    Array.from({ length: INCIDENTS }, (_, number) => ({
      ...{ ...rest, _id: ids.next('inc'), subject: `monitor:${number}`, status: 'resolved' as const },
      ...{ started_at_ms: startedAtMs(number), message: RARE.includes(number) ? 'A rare one.' : 'Shop is down.' },
    })),
  );
})();

t.test('a search that finds enough early is an ordinary page', async (t) => {
  const { data, next_cursor, searched_to } = await search('q=shop');
  t.equal(data.length, 10);
  t.type(next_cursor, 'string');
  t.equal(searched_to, null);
  t.equal('searched_to' in (await search('')), false, 'only a search says where it ended');
});

t.test('a search looks at a bounded number of incidents, says where it ended, and continues there', async (t) => {
  const first = await search('q=a%20RARE');
  t.equal(first.data.length, 1);
  t.equal(Date.parse(first.searched_to ?? ''), startedAtMs(SEARCHED_MAX - 1));
  const second = await search(`q=a%20RARE&cursor=${first.next_cursor}`);
  t.same([second.data.length, second.searched_to, second.next_cursor], [2, null, null], 'the rest, and no more');
  const started = [...first.data, ...second.data].map(({ started_at }) => Date.parse(started_at));
  t.same(started, RARE.map(startedAtMs), 'each once');
});

t.test('an empty page of a search that was cut off has a cursor', async (t) => {
  const first = await search('q=nothing');
  t.equal(first.data.length, 0);
  t.type(first.searched_to, 'string');
  const second = await search(`q=nothing&cursor=${first.next_cursor}`);
  t.same([second.data.length, second.searched_to, second.next_cursor], [0, null, null]);
});

t.test('what no index finds is bounded, too', async (t) => {
  t.type((await search('q=shop&severity=info')).searched_to, 'string');
  t.equal((await search('q=shop&status=firing')).searched_to, null, 'an index finds that there are none');
});

t.test('the time of a search is limited', async (t) => {
  stepMs = 400;
  const { searched_to } = await search('q=nothing');
  stepMs = 0;
  const searched = (startedAtMs(0) - Date.parse(searched_to ?? '')) / SECOND_MS + 1;
  t.ok(searched > 0 && searched < SEARCHED_MAX, `after ${searched} incidents`);
});

t.test('a text is at most 200 characters, and another workspace finds nothing', async (t) => {
  t.equal((await app.request('GET', `/v1/alerts?q=${'x'.repeat(201)}`)).status, 422);
  const { key } = await buildKey(mongo, await buildWorkspace(mongo));
  t.same(await search('q=shop', key), { data: [], next_cursor: null, searched_to: null });
});
