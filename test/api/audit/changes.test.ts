import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import t from 'tap';
import type { AuditDocument } from '../../../control-plane/audit/documents.js';
import { ADMINISTRATION_CHANGES } from '../../helpers/audit/administration-change-steps.js';
import { createChangeScene } from '../../helpers/audit/change-scene.js';
import { type ChangeStep, SECRET } from '../../helpers/audit/change-step.js';
import { MONITORING_CHANGES } from '../../helpers/audit/monitoring-change-steps.js';
import { storedData } from '../../helpers/audit/stored-data.js';
import { testDatabase } from '../../helpers/database.js';
import { startControlPlane } from '../../helpers/processes/control-plane.js';

/**
 * Calls every route of the product that changes something: its change and its audit entries must be committed together or
 * not at all. A route that is not in the table fails the test.
 */
const mongo = await testDatabase();
const controlPlane = await startControlPlane(mongo.uri);
const entries = mongo.db.collection<AuditDocument>('audit_log');
t.teardown(async () => {
  await controlPlane.remove();
  await mongo.drop();
});
const workspaceId = (await mongo.db.collection<{ _id: string }>('workspaces').findOne())?._id ?? '';
/** The key of all requests. */
const { id: keyId, name: keyName } = (await controlPlane.api('GET', '/v1/auth/me')).body.data.api_key;
const scene = createChangeScene(mongo, workspaceId);
const steps = [...MONITORING_CHANGES, ...ADMINISTRATION_CHANGES];

/** Routes that need a person, a second workspace or an outside service. Their own tests look at their entries. */
const ELSEWHERE: readonly (readonly [route: RegExp, tests: string])[] = [
  // What they change is written later, in parts.
  [/^POST \/v1\/monitors\/bulk\b/, 'api/monitor-bulk'],
  [/^\w+ \/v1\/auth\/(mfa|passkeys)\b/, 'api/second-factor'],
  [/^\w+ \/v1\/auth\/(login|logout|confirm)$/, 'api/sign-in'],
  [/^\w+ \/v1\/auth\/sessions\b/, 'api/sessions'],
  [/^\w+ \/v1\/auth\/(signup|email|password|me|workspaces)\b/, 'system/own-account'],
  [/^POST \/v1\/workspace\/(delete|restore)$/, 'system/own-account'],
  [/^\w+ \/v1\/single-sign-on\b/, 'api/single-sign-on'],
  [/^POST \/v1\/channels\/\{id\}\/ask$/, 'api/recipients'],
  [/^\w+ \/v1\/team\//, 'api/team'],
  // A report is made in the background, while the steps compare what is stored.
  [/^\w+ \/api\/v1\/client-reports\b/, 'api/client-reports'],
  // Their checks run in the background, while the steps compare what is stored.
  [/^\w+ \/api\/v1\/email-domains\b/, 'api/email-domains'],
  // Probes end them in the background.
  [/^\w+ \/v1\/scans\b/, 'api/scans'],
  // They name two things.
  [/^\w+ \/v1\/status-pages\/\{id\}\/(incidents\/\{incidentId\}|subscribers\/\{subscriberId\})/, 'api/status-pages'],
  // They need the plugin of a site.
  [/^\w+ \/(api\/)?v1\/wp\//, 'api/wordpress'],
  [/^\w+ \/v1\/(billing|admin\/workspaces)\b/, 'api/billing'],
];

async function send(step: ChangeStep, requestId: string) {
  const [method = '', path = ''] = step.route.split(' ');
  const filled = path.replace(/\{\w+\}/, step.param?.(scene) ?? '');
  return controlPlane.api(method, `${filled}${step.query ?? ''}`, step.body?.(scene), { 'x-request-id': requestId });
}

const written = (requestId: string) => entries.find({ request_id: requestId }).sort({ _id: 1 }).toArray();

/** Returns what looks like a time in the metadata of an entry, but is not ISO 8601 in UTC with milliseconds. */
function otherTimes(metadata: unknown): string[] {
  const found: string[] = [];
  JSON.stringify(metadata, (name, value: unknown) => {
    const isTime = /_at(_ms)?$/.test(name) && value !== null;
    const looksLikeTime = typeof value === 'string' && /^\d{4}-\d\d-\d\d/.test(value);
    const isIso = typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(value);
    if ((isTime || looksLikeTime) && !isIso) found.push(`${name}: ${JSON.stringify(value)}`);
    return value;
  });
  return found;
}

/** Makes the database refuse new entries, as a full disk or an invalid document would. */
const acceptEntries = (does: boolean) =>
  mongo.db.command({ collMod: 'audit_log', validator: does ? {} : { unsealed: { $ne: true } } });

/**
 * Sends a request that the database refuses. What it changes, it changes each time; what a job changes meanwhile, such as a platform
 * alert, is not there the second time.
 */
async function refusedTwice(step: ChangeStep) {
  const once = async () => {
    const refused = `no-${randomUUID()}`;
    const before = await storedData(mongo);
    const answer = await send(step, refused);
    return { answer, refused, before, after: await storedData(mongo) };
  };
  const first = await once();
  return isDeepStrictEqual(first.before, first.after) ? first : once();
}

t.test('every route that changes something is in the table', async (t) => {
  const { body } = await controlPlane.api('GET', '/v1/openapi.json');
  const paths: Record<string, Record<string, unknown>> = body.paths;
  const documented = Object.entries(paths).flatMap(([path, operations]) =>
    Object.keys(operations)
      .filter((method) => ['post', 'put', 'patch', 'delete'].includes(method))
      .map((method) => `${method.toUpperCase()} ${path}`),
  );
  const walked = new Set(steps.map(({ route }) => route));
  t.same(
    documented.filter((route) => !walked.has(route) && !ELSEWHERE.some(([pattern]) => pattern.test(route))),
    [],
  );
  t.same(
    [...walked].filter((route) => !documented.includes(route)),
    [],
  );
});

t.test('the tests of the other routes exist', (t) => {
  for (const [, tests] of ELSEWHERE) t.ok(existsSync(new URL(`../../${tests}`, import.meta.url)), tests);
  t.end();
});

t.test('each change writes its entries, and is not stored without them', async (t) => {
  for (const step of steps) {
    await step.before?.(scene);
    if (step.actions.length > 0) {
      await acceptEntries(false);
      const { answer, refused, before, after } = await refusedTwice(step);
      t.match(answer, { status: 500, body: { code: 'internal' } }, `${step.route} without entries`);
      t.same(after, before, `${step.route} changes nothing without its entries`);
      t.same(await written(refused), []);
      await acceptEntries(true);
    }
    const requestId = randomUUID();
    const answer = await send(step, requestId);
    t.ok(answer.status < 300, `${step.route}: ${answer.status} ${JSON.stringify(answer.body)}`);
    if (step.makes !== undefined) scene.made(step.makes, answer.body.data.id);
    const left = await written(requestId);
    t.same(
      left.map(({ action }) => action),
      step.actions,
      `${step.route} writes ${step.actions.join(', ') || 'none'}`,
    );
    for (const entry of left) {
      t.equal(entry.workspace_id, workspaceId);
      t.notMatch(JSON.stringify(entry), new RegExp(SECRET), `${step.route} exposes no secret`);
      t.ok(entry.resource.id && entry.resource.name && entry.actor.email);
      const key = entry.actor.email === 'system' ? undefined : { id: keyId, name: keyName };
      t.same(entry.actor.api_key, key, `${step.route} names the key, except for default rules, which Picket creates`);
      t.same(otherTimes(entry.metadata), [], `${step.route} writes times as ISO 8601 in UTC`);
    }
    if (step.changes !== undefined) t.match(left[0]?.metadata['changes'], step.changes, step.route);
  }
});

t.test('a filter finds the entries of each action that was written', async (t) => {
  for (const action of new Set(steps.flatMap(({ actions }) => actions))) {
    const { status, body } = await controlPlane.api('GET', `/api/v1/audit-logs?action=${action}`);
    t.equal(status, 200, action);
    t.ok(body.data.length > 0, action);
    t.ok(body.data.every((entry: { action: string }) => entry.action === action));
    for (const { actor } of body.data) {
      const key = actor.email === 'system' ? undefined : { id: keyId, name: keyName };
      t.same(actor.api_key, key, `${action} shows the key`);
    }
  }
});
