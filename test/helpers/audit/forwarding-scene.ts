import type { Test } from 'tap';
import type { AuditHeadDocument } from '../../../control-plane/audit/documents.js';
import type { Forwarder } from '../../../control-plane/audit/forward/schema.js';
import type { Mongo } from '../../../control-plane/storage/mongo.js';
import { createSecretBox } from '../../../control-plane/storage/secret-box.js';
import { systemRandom } from '../../../kernel/random.js';
import { startApp, type TestApp } from '../app.js';
import { quickClock } from '../clock.js';
import { buildKey, buildWorkspace } from '../factories.js';
import { type Received, type Receiver, startReceiver } from '../machine/webhook-receiver.js';
import { waitFor } from '../wait.js';
import { buildForwarding, sealedEntries } from './forwarding.js';

export const SECRET_KEY = Buffer.alloc(32, 9);
export const AUTH = 'Bearer very-secret-token-0815';
const PATH = '/api/v1/audit-logs/forwarders';

interface DriveOptions {
  owner?: string;
  heartbeatMs?: number;
  settleMs?: number;
  allowPrivate?: boolean;
}

/** Starts the API of forwarders. A test starts the drivers, which deliver, with `drive`. */
export async function openForwardingScene(mongo: Mongo) {
  /** The driver polls five times as often. Leases, pauses between tries and what counts as settled keep their time. */
  const clock = quickClock(5);
  const secretBox = createSecretBox(SECRET_KEY, systemRandom);
  const app = await startApp({ mongo, routes: (parts) => buildForwarding({ ...parts, secretBox }).routes });
  return {
    close: () => app.close(),
    /** Runs the driver of one control plane during the test. */
    drive(t: Test, options: DriveOptions = {}) {
      const forwarding = buildForwarding({ ...app.parts, secretBox }, { clock, ...options });
      void forwarding.start();
      t.teardown(() => forwarding.stop());
      return forwarding;
    },
    scene: () => newScene(app, mongo),
  };
}

/** A new workspace, and what its owner does. */
async function newScene(app: TestApp, mongo: Mongo) {
  const heads = mongo.db.collection<AuditHeadDocument>('audit_heads');
  const workspace = await buildWorkspace(mongo);
  const { key } = await buildKey(mongo, workspace);
  const api = async <D = Forwarder>(method: string, path = '', body?: object) => {
    const answer = await app.request<D>(method, `${PATH}${path}`, { key, ...(body === undefined ? {} : { body }) });
    if (answer.status >= 400) throw new Error(answer.text);
    return answer.body.data;
  };
  const write = (count: number, name = 'Shop', severity: 'info' | 'warning' | 'critical' = 'info') =>
    sealedEntries(
      mongo,
      workspace.id,
      Array.from({ length: count }, () => ({ action: 'monitor.updated' as const, name, severity })),
    );
  const forwarder = (body: object) => api<Forwarder & { secret?: string }>('POST', '', body);
  const caughtUp = (id: string, timeoutMs = 15_000) =>
    waitFor('all forwarded', timeoutMs, async () => {
      const one = await api('GET', `/${id}`);
      const head = await heads.findOne({ _id: workspace.id });
      return one.cursor.entry_id === head?.last_id && one;
    });
  return { workspace, api, write, forwarder, caughtUp };
}

interface Body {
  data: { entries?: { id: string }[] };
}

/** The ids of the entries in these requests. */
export const entryIds = (requests: readonly Received[]): string[] =>
  requests.flatMap(({ json }) => ((json as Body).data.entries ?? []).map(({ id }) => id));

export const unique = (ids: readonly string[]): string[] => [...new Set(ids)];

/** A receiver that stops with the test. */
export async function receiver(t: Test): Promise<Receiver> {
  const started = await startReceiver();
  t.teardown(() => started.close());
  return started;
}
