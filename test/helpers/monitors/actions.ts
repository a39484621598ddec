import type { MonitorDocument } from '../../../control-plane/monitors/documents.js';
import type { Monitor } from '../../../control-plane/monitors/schema.js';
import type { MonitorsApp } from './app.js';

/** The input for a monitor if the test does not care about its settings. */
export const shop = { name: 'Shop', url: 'https://shop.example.com/', type: 'http' };

/** Actions on a monitors API and reads of its database. */
export function monitorActions(app: MonitorsApp) {
  const monitors = app.mongo.db.collection<MonitorDocument>('monitors');
  return {
    monitors,
    async create(body: object = shop): Promise<Monitor> {
      const answer = await app.request<Monitor>('POST', '/v1/monitors', { body });
      if (answer.status !== 201) throw new Error(answer.text);
      return answer.body.data;
    },
    async stored(id: string): Promise<MonitorDocument> {
      const found = await monitors.findOne({ _id: id });
      if (found === null) throw new Error(`no monitor ${id}`);
      return found;
    },
    /** The audit entries of a monitor, oldest first. */
    async audits(id: string): Promise<{ action: string; metadata: Record<string, unknown> }[]> {
      const rows = await app.mongo.db.collection('audit_log').find({ 'resource.id': id }).sort({ _id: 1 }).toArray();
      return rows.map((row) => ({ action: row['action'], metadata: row['metadata'] }));
    },
    async openIncident(id: string, kind: 'monitor' | 'certificate' = 'monitor'): Promise<void> {
      await app.parts.runTransaction((tx) =>
        app.incidents.open(tx, {
          workspaceId: app.workspace.id,
          kind,
          subject: `monitor:${id}`,
          monitor: { id, name: 'Shop' },
          resource: { type: 'monitor', id, name: 'Shop' },
          severity: 'critical',
          message: 'down',
          startedAtMs: Date.now(),
          decision: null,
          channels: null,
          runbookUrl: null,
          tags: [],
        }),
      );
    },
    unresolved: (id: string) => app.incidents.unresolved(app.workspace.id, `monitor:${id}`),
  };
}
