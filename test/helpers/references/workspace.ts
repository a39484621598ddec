import type { Test } from 'tap';
import { testDatabase } from '../database.js';
import { startControlPlane } from '../processes/control-plane.js';
import { waitFor } from '../wait.js';

/** A whole control plane with its first workspace, and what its API creates there. */
export async function startWorkspace(t: Pick<Test, 'teardown'>) {
  const mongo = await testDatabase();
  const controlPlane = await startControlPlane(mongo.uri);
  t.teardown(async () => {
    await controlPlane.remove();
    await mongo.drop();
  });
  const { api } = controlPlane;
  const me = await api('GET', '/v1/auth/me');
  const created = async (path: string, body: unknown) => {
    const answer = await api('POST', path, body);
    if (answer.status !== 201) throw new Error(`${path}: ${JSON.stringify(answer.body)}`);
    return answer.body.data as { id: string; name: string };
  };
  return {
    ...{ mongo, api, workspaceId: me.body.data.workspace.id as string },
    created,
    channel: (name = 'On call') =>
      created('/v1/channels', { type: 'webhook', name, config: { url: 'http://127.0.0.1/hook' } }),
    monitor: (name: string, channels: readonly string[] | null) =>
      created('/v1/monitors', { name, type: 'tcp', url: '127.0.0.1:9', locations: ['fra'], channels }),
    rule: (name: string, over: Record<string, unknown>) =>
      created('/v1/alert-rules', { name, metric: 'cpu_percent', operator: '>', threshold: 90, ...over }),
    /** Returns the newest audit entries with the action. */
    async entries(action: string): Promise<AuditEntry[]> {
      return (await api('GET', `/v1/audit-logs?action=${action}`)).body.data;
    },
    /** Makes a bulk change, and resolves once it is applied; to null if it is refused. */
    async tryBulk(body: unknown): Promise<BulkJob | null> {
      const accepted = await api('POST', '/v1/monitors/bulk', body);
      return accepted.status === 202 ? waitForJob(api, accepted.body.data.id, 'applied') : null;
    },
    /** The same for one that is accepted. */
    async bulk(body: unknown): Promise<BulkJob> {
      const { body: accepted } = await api('POST', '/v1/monitors/bulk', body);
      return waitForJob(api, accepted.data.id, 'applied');
    },
    /** Takes a bulk change back, except where somebody has changed a monitor since; resolves to null if it is refused. */
    async undo(id: string): Promise<BulkJob | null> {
      const accepted = await api('POST', `/v1/monitors/bulk/${id}/undo`, { on_conflict: 'skip' });
      return accepted.status === 202 ? waitForJob(api, id, 'undone') : null;
    },
  };
}

interface AuditEntry {
  severity: string;
  resource: { id: string };
  metadata: Record<string, unknown>;
}

interface BulkJob {
  id: string;
  state: string;
  kept: number;
}

function waitForJob(
  api: Awaited<ReturnType<typeof startControlPlane>>['api'],
  id: string,
  state: string,
): Promise<BulkJob> {
  return waitFor(`a bulk change that is ${state}`, 60_000, async () => {
    const { body } = await api('GET', `/v1/monitors/bulk/${id}`);
    return body.data?.state === state && body.data;
  });
}
