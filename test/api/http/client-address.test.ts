import t from 'tap';
import type { AuditDocument } from '../../../control-plane/audit/documents.js';
import { mutationRoute, type Route, readRoute } from '../../../control-plane/http/route.js';
import { startApp, type TestApp, type TestParts } from '../../helpers/app.js';
import { testClock } from '../../helpers/clock.js';
import { testDatabase } from '../../helpers/database.js';

const mongo = await testDatabase();
t.teardown(() => mongo.drop());

const common = { tag: 'T', summary: 'S', replies: { 200: null } } as const;

function routes({ audit }: TestParts): Route[] {
  return [
    readRoute({
      ...common,
      method: 'GET',
      path: '/v1/open',
      access: 'public',
      handle: async () => ({ status: 200, data: 1 }),
    }),
    mutationRoute({
      ...common,
      method: 'POST',
      path: '/v1/rows',
      access: 'any',
      async handle({ actor }, tx) {
        const resource = { type: 'monitor', id: 'mon_1', name: 'Shop' } as const;
        await audit.record(tx, actor, { action: 'monitor.created', resource, metadata: {} });
        return { status: 200, data: 1 };
      },
    }),
  ];
}

async function start(t: { teardown(run: () => unknown): void }, trustedProxies: string[]): Promise<TestApp> {
  const app = await startApp({ mongo, routes, rateLimit: 3, clock: testClock(), trustedProxies });
  t.teardown(() => app.close());
  return app;
}

const from = (forwardedFor: string) => ({ headers: { 'x-forwarded-for': forwardedFor } });

async function auditedAddress(app: TestApp, forwardedFor: string): Promise<string | null | undefined> {
  await app.request('POST', '/v1/rows', from(forwardedFor));
  const own = { workspace_id: app.workspace.id };
  const [entry] = await mongo.db.collection<AuditDocument>('audit_log').find(own).sort({ _id: -1 }).limit(1).toArray();
  return entry?.actor.ip;
}

/** Returns the status of a request without a key. */
const open = async (app: TestApp, forwardedFor: string) =>
  (await app.request('GET', '/v1/open', { key: null, ...from(forwardedFor) })).status;

t.test('behind a trusted proxy, the audit log and the limits have the address of the client', async (t) => {
  const app = await start(t, ['127.0.0.0/8', '10.0.0.0/8']);
  t.equal(await auditedAddress(app, '198.51.100.1, 203.0.113.9, 10.0.0.1'), '203.0.113.9');
  t.equal(await auditedAddress(app, ''), '127.0.0.1', 'a request of the proxy itself');
  for (let count = 0; count < 3; count++) t.equal(await open(app, `198.51.100.${count}, 203.0.113.9`), 200);
  t.equal(await open(app, '198.51.100.9, 203.0.113.9'), 429, 'an invented address gives no further requests');
  t.equal(await open(app, '203.0.113.10'), 200, 'another client has its own limit');
});

t.test('without PICKET_TRUSTED_PROXIES the header is ignored', async (t) => {
  const app = await start(t, []);
  t.equal(await auditedAddress(app, '203.0.113.9'), '127.0.0.1');
  for (let count = 0; count < 3; count++) t.equal(await open(app, `203.0.113.${count}`), 200);
  t.equal(await open(app, '203.0.113.9'), 429);
});
