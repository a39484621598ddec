import type { MonitoredDomainDocument } from '../../../control-plane/domain-expiry/documents.js';
import type { Mongo } from '../../../control-plane/storage/mongo.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Stores the registered domain of a monitor, as the registry was asked an hour ago: it expires in 12 days. */
export async function buildDomain(
  { db }: Pick<Mongo, 'db'>,
  { workspaceId, monitorId, registrar }: { workspaceId: string; monitorId: string; registrar: string },
): Promise<void> {
  const nowMs = Date.now();
  const url = 'https://shop.example.com/';
  await db.collection<{ _id: string }>('monitors').updateOne({ _id: monitorId }, { $set: { url } });
  await db.collection<MonitoredDomainDocument>('monitored_domains').insertOne({
    ...{
      _id: 'dmn_01kf5e6q0h3v8r2m9x4t7c1z5n',
      workspace_id: workspaceId,
      name: 'example.com',
      suffix: 'com',
      is_of_others: false,
    },
    ...{ monitor_ids: [monitorId], monitors: 1, next_at_ms: nowMs + DAY_MS, checks: 1, created_at_ms: nowMs },
    registration: {
      ...{ status: 'known', expires_at_ms: nowMs + 12 * DAY_MS + HOUR_MS, registrar, phase: null },
      ...{ checked_at_ms: nowMs - HOUR_MS, problem: null },
    },
  });
}
