import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Agent } from 'undici';
import { testDatabase } from '../test/helpers/database.js';
import { startControlPlane } from '../test/helpers/processes/control-plane.js';
import { percentile, printFigure } from './fixtures/figures.js';
import { createMonitors } from './fixtures/fleet.js';
import { type LoadResult, load } from './fixtures/load.js';
import { personLike } from './fixtures/person-like.js';
import { benchSetting } from './fixtures/settings.js';

/**
 * Measures log-ins with a password on one control plane, and what they cost others: reads of the API by a person who is
 * logged in, while 250 log-ins are always in flight.
 */
const LOG_INS_IN_FLIGHT = 250;
const READERS = 5;
const MONITORS = benchSetting('MONITORS', 1_000);
const WARM_UP_MS = 5_000;
const WINDOW_MS = 20_000;
const CHANGES = 200;

const mongo = await testDatabase();
const controlPlane = await startControlPlane(mongo.uri);
const agent = new Agent({ connections: LOG_INS_IN_FLIGHT + READERS, pipelining: 1 });
try {
  const owner: { email: string; password: string } = JSON.parse(
    await readFile(join(controlPlane.dataDir, 'first-run.json'), 'utf8'),
  );
  await createMonitors(controlPlane, MONITORS, { url: (index) => `http://127.0.0.1:9/${index}`, intervalSeconds: 60 });
  const { cookie } = await logIn(owner);
  // A person has only so many sessions.
  const person = { email: await personLike(mongo, owner.email), password: owner.password };
  await mongo.db.command({ profile: 1, slowms: 0, filter: { ns: `${mongo.db.databaseName}.sessions`, op: 'command' } });
  const calm = await measure(() => read(cookie), READERS);
  const [reads, logIns] = await Promise.all([
    measure(() => read(cookie), READERS),
    measure(() => logIn(person), LOG_INS_IN_FLIGHT),
  ]);
  printFigure({
    name: 'sign-in: GET /v1/monitors p99 with 250 log-ins in flight',
    ...{ value: percentile(reads.times, 0.99), unit: 'ms', limit: 50, atMost: true },
    ...{ p50_ms: percentile(reads.times, 0.5), per_second: reads.perSecond, readers: READERS, monitors: MONITORS },
    p99_without_log_ins_ms: percentile(calm.times, 0.99),
  });
  printFigure({
    name: 'sign-in: log-ins',
    ...{ value: logIns.perSecond, unit: 'log-ins/s', limit: 20, atMost: false },
    p50_ms: percentile(logIns.times, 0.5),
  });
  await printReadsPerCheck(cookie);
} finally {
  await agent.close();
  await controlPlane.remove();
  await mongo.drop();
}

/** Prints how many reads of the database a session check costs: of requests that read, and of those that change. */
async function printReadsPerCheck(cookie: string): Promise<void> {
  const lookUps = () => mongo.db.collection('system.profile').countDocuments({ 'command.aggregate': 'sessions' });
  const before = await lookUps();
  const { times } = await measure(() => read(cookie), READERS);
  const ofReads = ((await lookUps()) - before) / times.length;
  const beforeChanges = await lookUps();
  // Refused for its body, which is read after the session check.
  for (let count = 0; count < CHANGES; count++) await send('POST', '/v1/auth/confirm', 422, { cookie }, {});
  const ofChanges = ((await lookUps()) - beforeChanges) / CHANGES;
  printFigure({
    name: 'sign-in: database reads per session check',
    ...{ value: Math.max(ofReads, ofChanges), unit: 'reads', limit: 1, atMost: true },
    ...{ of_reads: ofReads, of_changes: ofChanges },
  });
}

function read(cookie: string): Promise<unknown> {
  return send('GET', '/v1/monitors?limit=50', 200, { cookie });
}

async function logIn({ email, password }: { email: string; password: string }): Promise<{ cookie: string }> {
  const headers = await send('POST', '/v1/auth/login', 200, {}, { email, password });
  return { cookie: String([headers['set-cookie']].flat()[0]).split(';')[0] ?? '' };
}

async function send(
  method: 'GET' | 'POST',
  path: string,
  expected: number,
  headers: Record<string, string>,
  body?: unknown,
) {
  const response = await agent.request({
    ...{ origin: controlPlane.url, path, method },
    headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.body.text();
  if (response.statusCode !== expected) throw new Error(`${path}: ${response.statusCode} ${text.slice(0, 500)}`);
  return response.headers;
}

function measure(request: () => Promise<unknown>, clients: number): Promise<LoadResult> {
  return load(request, { clients, warmUpMs: WARM_UP_MS, windowMs: WINDOW_MS });
}
