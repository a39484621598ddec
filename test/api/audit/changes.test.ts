import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import t from 'tap';
import type { AuditDocument } from '../../../control-plane/audit/documents.js';
import type { IncidentDocument } from '../../../control-plane/incidents/documents.js';
import type { AgentDocument, NodeDocument } from '../../../control-plane/nodes/documents.js';
import { testDatabase } from '../../helpers/database.js';
import { buildServer } from '../../helpers/factories.js';
import { buildIncident } from '../../helpers/notifications/build.js';
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

/** Sent in requests, and must not be in any entry. */
const SECRET = 'hunter2-correct-horse';
const workspaceId = (await mongo.db.collection<{ _id: string }>('workspaces').findOne())?._id ?? '';
/** The key of all requests. */
const { id: keyId, name: keyName } = (await controlPlane.api('GET', '/v1/auth/me')).body.data.api_key;
/** The ids of created resources, by name. */
const made: Record<string, string> = {};
const id = (name: string) => made[name] ?? 'nothing';

interface Step {
  route: string;
  /** Returns the parameter in the path. */
  param?: () => string;
  body?: () => unknown;
  /** The actions of its entries, in order; empty for a route that stores no change. */
  actions: string[];
  /** Stores the id of the created resource under this name. */
  makes?: string;
  /** Fields of `changes` in the metadata of the first entry. */
  changes?: Record<string, { from: unknown; to: unknown }>;
  before?: () => Promise<void>;
  query?: string;
}

const monitor = {
  name: 'Shop',
  type: 'http',
  url: 'https://127.0.0.1:9/',
  http: { headers: { authorization: SECRET }, body: SECRET },
};
const incident = (name: string) => async () => {
  const document = buildIncident(workspaceId, { channels: [] });
  await mongo.db.collection<IncidentDocument>('incidents').insertOne(document);
  made[name] = document._id;
};

async function node(kind: 'probe' | 'agent', _id: string): Promise<void> {
  const common = { _id, version: '1', hostname: 'h', credential_hash: _id, previous_credential_hash: null };
  const times = {
    credential_issued_at_ms: 0,
    enrolled_at_ms: 0,
    document_version: 1,
    drained_at_ms: null,
    revoked_at_ms: null,
  };
  const of: NodeDocument =
    kind === 'probe'
      ? { ...common, ...times, kind, location: 'fra' }
      : ({ ...common, ...times, kind, workspace_id: workspaceId } satisfies AgentDocument);
  await mongo.db.collection<NodeDocument>('nodes').insertOne(of);
}

const steps: Step[] = [
  { route: 'POST /v1/monitors', body: () => monitor, actions: ['monitor.created'], makes: 'monitor' },
  {
    route: 'PATCH /v1/monitors/{id}',
    param: () => id('monitor'),
    body: () => ({
      name: 'Store',
      interval_seconds: 30,
      http: { ...monitor.http, headers: { authorization: `${SECRET}2` } },
    }),
    actions: ['monitor.updated'],
    changes: {
      name: { from: 'Shop', to: 'Store' },
      interval_seconds: { from: 60, to: 30 },
      'http.headers': { from: ['authorization'], to: ['authorization'] },
    },
  },
  { route: 'PATCH /v1/monitors/{id}', param: () => id('monitor'), body: () => ({ name: 'Store' }), actions: [] },
  { route: 'POST /v1/monitors/{id}/pause', param: () => id('monitor'), actions: ['monitor.paused'] },
  { route: 'POST /v1/monitors/{id}/pause', param: () => id('monitor'), actions: [] },
  { route: 'POST /v1/monitors/{id}/resume', param: () => id('monitor'), actions: ['monitor.resumed'] },
  // Immediate checks store no change.
  { route: 'POST /v1/monitors/{id}/check', param: () => id('monitor'), actions: [] },
  {
    route: 'POST /v1/monitors/{id}/backtest',
    param: () => id('monitor'),
    body: () => ({ from: new Date(Date.now() - 3_600_000).toISOString(), to: new Date().toISOString() }),
    actions: [],
  },
  {
    route: 'POST /v1/monitors/import',
    body: () => ({
      version: 1,
      monitors: [
        { ...monitor, name: 'Imported' },
        { ...monitor, name: 'Store', interval_seconds: 90 },
      ],
    }),
    actions: ['monitor.updated', 'monitor.created'],
  },
  {
    route: 'POST /v1/monitors/import',
    query: '?dry_run=true',
    body: () => ({ version: 1, monitors: [{ ...monitor, name: 'Third' }] }),
    actions: [],
  },
  { route: 'DELETE /v1/monitors/{id}', param: () => id('monitor'), actions: ['monitor.deleted'] },
  {
    route: 'POST /v1/alerts/{id}/acknowledge',
    before: incident('one'),
    param: () => id('one'),
    actions: ['alert.acknowledged'],
  },
  { route: 'POST /v1/alerts/{id}/silence', param: () => id('one'), actions: ['alert.silenced'] },
  { route: 'POST /v1/alerts/{id}/resolve', param: () => id('one'), actions: ['alert.resolved'] },
  {
    route: 'POST /v1/channels',
    body: () => ({ type: 'slack', name: 'Hook', config: { url: `http://127.0.0.1:8089/${SECRET}` } }),
    actions: ['channel.created'],
    makes: 'channel',
  },
  {
    route: 'PATCH /v1/channels/{id}',
    param: () => id('channel'),
    body: () => ({ name: 'Line', config: { url: `http://127.0.0.1:8089/${SECRET}3` } }),
    actions: ['channel.updated', 'integration.credential_rotated'],
    changes: { name: { from: 'Hook', to: 'Line' } },
  },
  {
    route: 'PATCH /v1/channels/{id}',
    param: () => id('channel'),
    body: () => ({ config: { url: `http://127.0.0.1:8089/${SECRET}4` } }),
    actions: ['integration.credential_rotated'],
  },
  // It sends a message and stores nothing.
  { route: 'POST /v1/channels/{id}/test', param: () => id('channel'), actions: [] },
  { route: 'DELETE /v1/channels/{id}', param: () => id('channel'), actions: ['channel.deleted'] },
  {
    route: 'POST /v1/alert-rules',
    body: () => ({
      type: 'metric',
      name: 'CPU',
      metric: 'cpu_percent',
      operator: '>',
      threshold: 90,
      severity: 'warning',
    }),
    actions: ['alert_rule.created'],
    makes: 'rule',
  },
  {
    route: 'PATCH /v1/alert-rules/{id}',
    param: () => id('rule'),
    body: () => ({ threshold: 95 }),
    actions: ['alert_rule.updated'],
    changes: { threshold: { from: 90, to: 95 } },
  },
  { route: 'DELETE /v1/alert-rules/{id}', param: () => id('rule'), actions: ['alert_rule.deleted'] },
  {
    route: 'POST /api/v1/audit-logs/forwarders',
    body: () => ({
      type: 'webhook',
      name: 'SIEM',
      target: 'http://127.0.0.1:8089/siem',
      auth: `Bearer ${SECRET}`,
      paused: true,
    }),
    actions: ['integration.connected'],
    makes: 'forwarder',
  },
  {
    route: 'PATCH /api/v1/audit-logs/forwarders/{id}',
    param: () => id('forwarder'),
    body: () => ({ name: 'Archive', auth: `Bearer ${SECRET}4` }),
    actions: ['forwarder.updated', 'integration.credential_rotated'],
    changes: { name: { from: 'SIEM', to: 'Archive' } },
  },
  {
    route: 'PATCH /api/v1/audit-logs/forwarders/{id}',
    param: () => id('forwarder'),
    body: () => ({ auth: `Bearer ${SECRET}5` }),
    actions: ['integration.credential_rotated'],
  },
  {
    route: 'PATCH /api/v1/audit-logs/forwarders/{id}',
    param: () => id('forwarder'),
    body: () => ({ paused: false }),
    actions: ['forwarder.resumed'],
  },
  // It sends a message and stores nothing.
  { route: 'POST /api/v1/audit-logs/forwarders/{id}/test', param: () => id('forwarder'), actions: [] },
  {
    route: 'DELETE /api/v1/audit-logs/forwarders/{id}',
    param: () => id('forwarder'),
    actions: ['integration.disconnected'],
  },
  // The first one of a workspace also creates its two default rules.
  {
    route: 'POST /v1/servers/join-tokens',
    actions: ['alert_rule.created', 'alert_rule.created', 'server.join_token_created'],
  },
  { route: 'POST /v1/servers/join-tokens', actions: ['server.join_token_created'] },
  {
    route: 'PATCH /v1/servers/{id}',
    before: async () => {
      made['server'] = (await buildServer(mongo, { workspace_id: workspaceId, name: 'web-1' }))._id;
      await node('agent', id('server'));
    },
    param: () => id('server'),
    body: () => ({ name: 'web-2', tags: ['eu'] }),
    actions: ['server.updated'],
    changes: { name: { from: 'web-1', to: 'web-2' }, tags: { from: [], to: ['eu'] } },
  },
  { route: 'DELETE /v1/servers/{id}', param: () => id('server'), actions: ['server.deleted'] },
  // The first one of a workspace also creates its default rule.
  {
    route: 'POST /api/v1/blacklist/monitors',
    body: () => ({ target: 'mail.example.com', frequency: 'daily' }),
    actions: ['alert_rule.created', 'blacklist_monitor.created'],
    makes: 'blacklist',
  },
  {
    route: 'PATCH /api/v1/blacklist/monitors/{id}',
    param: () => id('blacklist'),
    body: () => ({ frequency: 'weekly' }),
    actions: ['blacklist_monitor.updated'],
    changes: { frequency: { from: 'daily', to: 'weekly' } },
  },
  {
    route: 'DELETE /api/v1/blacklist/monitors/{id}',
    param: () => id('blacklist'),
    actions: ['blacklist_monitor.deleted'],
  },
  // It only stores its result, for a minute.
  { route: 'POST /api/v1/blacklist/instant-check', body: () => ({ target: 'mail.example.com' }), actions: [] },
  {
    route: 'POST /v1/api-keys',
    body: () => ({ name: 'CI', scopes: ['monitors:read'], expires_at: '2100-01-01T00:00:00+01:00' }),
    actions: ['api_key.created'],
    makes: 'key',
  },
  { route: 'POST /v1/api-keys/{id}/rotate', param: () => id('key'), actions: ['api_key.rotated'] },
  { route: 'DELETE /v1/api-keys/{id}', param: () => id('key'), actions: ['api_key.revoked'] },
  {
    route: 'POST /v1/admin/probes/join-tokens',
    body: () => ({ location: 'fra' }),
    actions: ['probe.join_token_created'],
  },
  {
    route: 'PATCH /v1/admin/probes/{id}',
    before: () => node('probe', 'prb_01jjwzmz000000000000000000'),
    param: () => 'prb_01jjwzmz000000000000000000',
    body: () => ({ drained: true }),
    actions: ['probe.drained'],
  },
  {
    route: 'PATCH /v1/admin/probes/{id}',
    param: () => 'prb_01jjwzmz000000000000000000',
    body: () => ({ drained: false }),
    actions: ['probe.undrained'],
  },
  { route: 'DELETE /v1/admin/probes/{id}', param: () => 'prb_01jjwzmz000000000000000000', actions: ['probe.revoked'] },
  {
    route: 'POST /v1/admin/locations',
    body: () => ({ code: 'ber', city: 'Berlin', region: 'EU-Central' }),
    actions: ['location.created'],
  },
  {
    route: 'PATCH /v1/admin/locations/{code}',
    param: () => 'ber',
    body: () => ({ city: 'Potsdam' }),
    actions: ['location.updated'],
    changes: { city: { from: 'Berlin', to: 'Potsdam' } },
  },
  { route: 'DELETE /v1/admin/locations/{code}', param: () => 'ber', actions: ['location.deleted'] },
  {
    route: 'PATCH /v1/workspace',
    body: () => ({ name: 'Renamed' }),
    actions: ['workspace.updated'],
    changes: { name: { from: 'My workspace', to: 'Renamed' } },
  },
];

/** Routes that need a person, a second workspace or an outside service. Their own tests look at their entries. */
const ELSEWHERE: readonly (readonly [route: RegExp, tests: string])[] = [
  [/^\w+ \/v1\/auth\/(mfa|passkeys)\b/, 'api/second-factor'],
  [/^\w+ \/v1\/auth\/(login|logout|confirm)$/, 'api/sign-in'],
  [/^\w+ \/v1\/auth\/sessions\b/, 'api/sessions'],
  [/^\w+ \/v1\/auth\/(signup|email|password|me|workspaces)\b/, 'system/own-account'],
  [/^POST \/v1\/workspace\/(delete|restore)$/, 'system/own-account'],
  [/^\w+ \/v1\/single-sign-on\b/, 'api/single-sign-on'],
  [/^\w+ \/v1\/team\//, 'api/team'],
  [/^\w+ \/v1\/(billing|admin\/workspaces)\b/, 'api/billing'],
];

/** Collections that jobs write while the test runs: leases, counters, roll-ups, the presence of nodes. */
const VOLATILE_COLLECTIONS = new Set([
  ...['leases', 'rate_limits', 'audit_log', 'audit_heads', 'setup', 'settings', 'idempotency'],
  ...['blacklist_checks', 'blacklist_shared_checks'],
  ...[
    'rollup_state',
    'rollup_heads',
    'node_presence',
    'agent_presence',
    'control_planes',
    'node_lateness',
    'probe_commands',
  ],
]);
/** Fields that jobs write: the progress of a forwarder without a receiver, and the results of checks. */
const VOLATILE_FIELDS = new Set([
  ...['last_used_at_ms', 'state', 'uptime', 'cursor', 'failures', 'failing_since_ms', 'next_attempt_ms'],
  ...['last_error', 'last_error_at_ms', 'last_success_at_ms'],
  ...['last', 'results', 'not_asked', 'checks', 'next_at_ms'],
]);

/**
 * Returns all stored data, except what jobs change. On a slow machine, Picket also alerts that the locations of the
 * monitors have no probes.
 */
async function stored(): Promise<Record<string, unknown>> {
  const all: Record<string, unknown> = {};
  const alerts = await mongo.db.collection<IncidentDocument>('incidents').find({ kind: 'location' }).toArray();
  const ofAlert = (document: object) => alerts.some(({ _id }) => JSON.stringify(document).includes(_id));
  for (const { name } of await mongo.db.listCollections({}, { nameOnly: true }).toArray()) {
    if (VOLATILE_COLLECTIONS.has(name)) continue;
    const documents = await mongo.db.collection(name).find().sort({ _id: 1 }).toArray();
    const changed = documents.filter((document) => !ofAlert(document));
    all[name] = JSON.parse(JSON.stringify(changed, (key, value) => (VOLATILE_FIELDS.has(key) ? null : value)));
  }
  return all;
}

async function send(step: Step, requestId: string) {
  const [method = '', path = ''] = step.route.split(' ');
  const filled = path.replace(/\{\w+\}/, step.param?.() ?? '');
  return controlPlane.api(method, `${filled}${step.query ?? ''}`, step.body?.(), { 'x-request-id': requestId });
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
    await step.before?.();
    if (step.actions.length > 0) {
      const before = await stored();
      await acceptEntries(false);
      const refused = `no-${randomUUID()}`;
      t.match(await send(step, refused), { status: 500, body: { code: 'internal' } }, `${step.route} without entries`);
      t.same(await stored(), before, `${step.route} changes nothing without its entries`);
      t.same(await written(refused), []);
      await acceptEntries(true);
    }
    const requestId = randomUUID();
    const answer = await send(step, requestId);
    t.ok(answer.status < 300, `${step.route}: ${answer.status} ${JSON.stringify(answer.body)}`);
    if (step.makes !== undefined) made[step.makes] = answer.body.data.id;
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
