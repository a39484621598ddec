import type { ImportReport } from '../../../control-plane/monitor-transfer/schema.js';
import type { Monitor } from '../../../control-plane/monitors/schema.js';
import type { PlanName } from '../../../control-plane/plans/plans.js';
import { buildKey, buildWorkspace } from '../factories.js';
import type { MonitorsApp } from './app.js';

/** A new workspace, used with one of its keys. */
export async function transferWorkspace(app: MonitorsApp, plan: PlanName = 'Enterprise') {
  const { key } = await buildKey(app.mongo, await buildWorkspace(app.mongo, { plan }));
  return {
    post: (body: object) => app.request<Monitor>('POST', '/v1/monitors', { key, body }),
    pause: (id: string) => app.request('POST', `/v1/monitors/${id}/pause`, { key }),
    list: async () => (await app.request<Monitor[]>('GET', '/v1/monitors?limit=200', { key })).body.data.reverse(),
    export: (format: string) => app.request('GET', `/v1/monitors/export?format=${format}`, { key }),
    import: (body: unknown, query = '') =>
      app.request<ImportReport>('POST', `/v1/monitors/import${query}`, { key, body }),
    importYaml: (rawBody: string, query = '', type = 'application/yaml') =>
      app.request<ImportReport>('POST', `/v1/monitors/import${query}`, {
        key,
        rawBody,
        headers: { 'content-type': type },
      }),
  };
}
