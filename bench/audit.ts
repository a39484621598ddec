import { request } from 'node:http';
import { Agent } from 'undici';
import { createAuditLog } from '../control-plane/audit/record.js';
import { createAuditStore } from '../control-plane/audit/store.js';
import { createIds } from '../control-plane/storage/ids.js';
import { createRunTransaction } from '../control-plane/storage/transaction.js';
import { systemClock } from '../kernel/clock.js';
import { systemRandom } from '../kernel/random.js';
import { fillAuditLog } from '../test/helpers/audit/entries.js';
import { testDatabase } from '../test/helpers/database.js';
import { actorOf, buildKey, buildWorkspace } from '../test/helpers/factories.js';
import { startControlPlane } from '../test/helpers/processes/control-plane.js';
import { percentile, printFigure } from './fixtures/figures.js';
import { benchSetting } from './fixtures/settings.js';

/** Measures a large audit log: exports, filtered pages, and the time that an entry adds to a request. */
const ENTRIES = benchSetting('ENTRIES', 1_000_000);
const SPREAD_MS = 360 * 86_400_000;
const ACTORS = 200;
const PAGES = 3_000;
const CLIENTS = 4;
const CHANGES = 1_000;
/** From the most frequent to the rarest action: most actors have no entry of the last one. */
const ACTIONS = [
  'monitor.updated',
  'monitor.created',
  'alert.acknowledged',
  'channel.updated',
  'api_key.revoked',
] as const;

const mongo = await testDatabase();
const controlPlane = await startControlPlane(mongo.uri);
try {
  const workspace = await buildWorkspace(mongo);
  const { key } = await buildKey(mongo, workspace);
  const now = Date.now();
  await fillAuditLog(mongo.db, workspace.id, ENTRIES, (index) => {
    const rare = index % 5_000 === 0 ? 4 : index % 500 === 0 ? 3 : index % 50 === 0 ? 2 : index % 5 === 0 ? 1 : 0;
    // One actor has half of the entries.
    const who = index % 2 === 0 ? 0 : (index * 7) % ACTORS;
    return {
      atMs: now - SPREAD_MS + Math.floor((index * SPREAD_MS) / ENTRIES),
      action: ACTIONS[rare] ?? 'monitor.updated',
      actor: { id: userId(who), email: `person${who}@example.com`, ip: '192.0.2.7' },
    };
  });
  await exportFigures(key);
  await pageFigures(key, now);
  await entryFigures();
} finally {
  await controlPlane.remove();
  await mongo.drop();
}

function userId(who: number): string {
  return `usr_01jjwzmz00${String(who).padStart(16, '0')}`;
}

async function exportFigures(key: string): Promise<void> {
  const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString();
  // Warm-up: the code and buffers of the first exports are not growth with the size of an export.
  await download(`format=csv&from=${day(20)}`, key);
  await download(`format=json&from=${day(20)}`, key);
  for (const [format, encoding] of [
    ['csv', 'identity'],
    ['csv', 'gzip'],
    ['json', 'identity'],
  ] as const) {
    const before = await rssMib();
    let peak = before;
    const meter = systemClock.every(250, () => void rssMib().then((mib) => (peak = Math.max(peak, mib))));
    const began = performance.now();
    const bytes = await download(`format=${format}`, key, encoding);
    const seconds = (performance.now() - began) / 1000;
    meter.cancel();
    const about = { encoding, entries: ENTRIES, seconds, mib: bytes / 2 ** 20, rss_before_mib: before };
    const name = `audit: ${format} export${encoding === 'gzip' ? ', gzip' : ''}`;
    printFigure({ name, value: ENTRIES / seconds, unit: 'rows/s', limit: 20_000, atMost: false, ...about });
    printFigure({ name: `${name}, memory grown`, value: peak - before, unit: 'MiB', limit: 50, atMost: true });
  }
}

/** Reads an export to its end. Rejects if it ends early. */
function download(query: string, key: string, encoding = 'identity'): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${key}`, 'accept-encoding': encoding };
    const sent = request(`${controlPlane.url}/v1/audit-logs?${query}`, { headers, agent: false }, (answer) => {
      let bytes = 0;
      if (answer.statusCode !== 200) reject(new Error(`${query} responded with status ${answer.statusCode}`));
      answer.on('data', (chunk: Buffer) => (bytes += chunk.length));
      answer.once('end', () => resolve(bytes));
      answer.once('error', reject);
    });
    sent.once('error', reject).end();
  });
}

async function rssMib(): Promise<number> {
  const text = await (await fetch(`${controlPlane.url}/metrics`)).text();
  return Number(/^process_resident_memory_bytes (\S+)/m.exec(text)?.[1]) / 2 ** 20;
}

async function pageFigures(key: string, now: number): Promise<void> {
  const agent = new Agent({ connections: CLIENTS, pipelining: 1 });
  const choose = (count: number) => Math.floor(Math.random() * count);
  const times: Record<string, number[]> = { action: [], actor: [], 'action and actor': [] };
  const client = async () => {
    for (let page = 0; page < PAGES / CLIENTS; page++) {
      const parts: string[] = [];
      const byAction = page % 3 !== 1;
      if (byAction) parts.push(`action=${ACTIONS[choose(ACTIONS.length)]}`);
      if (page % 3 !== 0) {
        const who = choose(4) === 0 ? 0 : choose(ACTORS + 5);
        parts.push(`actor=${choose(2) === 0 ? userId(who) : encodeURIComponent(`person${who}@example.com`)}`);
      }
      if (choose(2) === 0) parts.push(`to=${new Date(now - Math.random() * SPREAD_MS).toISOString()}`);
      const path = `/v1/audit-logs?${parts.join('&')}`;
      const before = performance.now();
      const headers = { authorization: `Bearer ${key}` };
      const answer = await agent.request({ origin: controlPlane.url, path, method: 'GET', headers });
      await answer.body.dump();
      if (answer.statusCode !== 200) throw new Error(`${path} responded with status ${answer.statusCode}`);
      const kind = page % 3 === 2 ? 'action and actor' : byAction ? 'action' : 'actor';
      if (page >= 30) times[kind]?.push(performance.now() - before);
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
  await agent.close();
  for (const [kind, values] of Object.entries(times)) {
    const about = {
      entries: ENTRIES,
      clients: CLIENTS,
      p50_ms: percentile(values, 0.5),
      max_ms: percentile(values, 1),
    };
    const name = `audit: page filtered by ${kind} p99`;
    printFigure({ name, value: percentile(values, 0.99), unit: 'ms', limit: 50, atMost: true, ...about });
  }
}

/** Compares the same transaction, with one write, with and without an audit entry, alternating. */
async function entryFigures(): Promise<void> {
  const workspace = await buildWorkspace(mongo);
  const runTransaction = createRunTransaction(mongo.client);
  const audit = createAuditLog({ store: createAuditStore(mongo.db), ids: createIds(systemClock, systemRandom) });
  const changed = mongo.db.collection('bench_changed');
  await changed.insertOne({ changed: true });
  const actor = actorOf(workspace);
  const resource = { type: 'monitor', id: 'mon_01jjwzmz000000000000000000', name: 'Shop' };
  const metadata = { changes: { interval_seconds: { from: 60, to: 30 } } };
  const times = { with: [] as number[], without: [] as number[] };
  for (let change = 0; change < CHANGES * 2; change++) {
    const before = performance.now();
    const isWith = change % 2 === 0;
    await runTransaction(async (tx) => {
      await changed.insertOne({ change }, { session: tx.session });
      if (isWith) await audit.record(tx, actor, { action: 'monitor.updated', resource, metadata });
    });
    times[isWith ? 'with' : 'without'].push(performance.now() - before);
  }
  const [p50, without] = [percentile(times.with, 0.5), percentile(times.without, 0.5)];
  const about = { with_ms: p50, without_ms: without, entries: ENTRIES };
  printFigure({
    name: 'audit: an entry adds, p50',
    value: p50 - without,
    unit: 'ms',
    limit: 2,
    atMost: true,
    ...about,
  });
}
