import type { IncidentDocument } from '../../../control-plane/incidents/documents.js';
import type { MonitorDocument } from '../../../control-plane/monitors/documents.js';
import { type ResultDocument, resultId } from '../../../control-plane/results/documents.js';
import type { HistorySlot } from '../../../control-plane/results/rollup/history-slot.js';
import { createRollupStore } from '../../../control-plane/results/rollup/store.js';
import { createIds } from '../../../control-plane/storage/ids.js';
import type { Mongo } from '../../../control-plane/storage/mongo.js';
import { systemClock } from '../../../kernel/clock.js';
import { systemRandom } from '../../../kernel/random.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const INSERTED_AT_ONCE = 2_000;
const ids = createIds(systemClock, systemRandom);

/** A time in which some locations fail. */
export interface PastOutage {
  /** How long ago it began. */
  agoMs: number;
  lastedMs: number;
  locations: readonly string[];
}

interface PastOf {
  workspaceId: string;
  monitorId: string;
  locations: readonly string[];
  intervalMs: number;
  /** Days with raw results, and days with hours only before them. */
  rawDays: number;
  days: number;
  /** Nothing was observed for 47 hours from then on: always one whole day, never two. */
  unobservedDaysAgo: number;
  outages: readonly PastOutage[];
}

/** Stores the past of a monitor as the control plane would have: results, hours, incidents. */
export async function buildPast(mongo: Mongo, past: PastOf): Promise<void> {
  const nowMs = Date.now();
  const results = resultsOf(past, nowMs);
  const collection = mongo.db.collection<ResultDocument>('results');
  for (let first = 0; first < results.length; first += INSERTED_AT_ONCE) {
    await collection.insertMany(results.slice(first, first + INSERTED_AT_ONCE));
  }
  await saveHours(mongo, past, nowMs);
  const incidents = past.outages.map((outage) => incidentOf(past, outage, nowMs));
  if (incidents.length > 0) await mongo.db.collection<IncidentDocument>('incidents').insertMany(incidents);
}

function resultsOf({ workspaceId, monitorId, locations, intervalMs, rawDays, outages }: PastOf, nowMs: number) {
  const results: ResultDocument[] = [];
  const lastMs = nowMs - (nowMs % intervalMs);
  for (let slotMs = lastMs - rawDays * DAY_MS; slotMs <= lastMs; slotMs += intervalMs) {
    for (const [index, location] of locations.entries()) {
      const isDown = outages.some((outage) => fails(outage, location, slotMs, nowMs));
      results.push({
        ...{ _id: resultId(monitorId, slotMs, location, 0), workspace_id: workspaceId, monitor_id: monitorId },
        ...{ location, slot_ms: slotMs, attempt: 0, final: true, reason: 'schedule', checked_at_ms: slotMs + 40 },
        ...{ received_at: new Date(slotMs + 200), covers_ms: intervalMs, up: !isDown, address: '192.0.2.1' },
        response_time_ms: responseMs(index, slotMs),
        timings: { dns_ms: 2, connect_ms: 9, tls_ms: 14, ttfb_ms: responseMs(index, slotMs) - 27, transfer_ms: 2 },
        http_status: isDown ? null : 200,
        error: isDown ? { code: 'connection_refused', message: 'connection refused' } : null,
        expires_at: new Date(nowMs + DAY_MS),
      });
    }
  }
  return results;
}

/** A wave of its own for each location, always the same. */
function responseMs(index: number, atMs: number): number {
  return 60 + index * 35 + 18 * Math.sin(atMs / (4 * HOUR_MS) + index) + (((atMs / MINUTE_MS) * (index + 3)) % 11);
}

function fails({ agoMs, lastedMs, locations }: PastOutage, location: string, atMs: number, nowMs: number): boolean {
  const startMs = nowMs - agoMs;
  return locations.includes(location) && atMs >= startMs && atMs < startMs + lastedMs;
}

async function saveHours(mongo: Mongo, past: PastOf, nowMs: number): Promise<void> {
  const { workspaceId, monitorId, locations, days, unobservedDaysAgo, outages } = past;
  const store = createRollupStore(mongo.db);
  const throughMs = nowMs - (nowMs % HOUR_MS);
  const expiresAt = new Date(nowMs + DAY_MS);
  const slots: Parameters<typeof store.saveHours>[0][number][] = [];
  for (let hourMs = throughMs - days * DAY_MS; hourMs < throughMs; hourMs += HOUR_MS) {
    const agoMs = nowMs - hourMs;
    if (agoMs <= unobservedDaysAgo * DAY_MS && agoMs > (unobservedDaysAgo - 2) * DAY_MS + HOUR_MS) continue;
    slots.push({ workspaceId, monitorId, hourMs, expiresAt, slot: hourSlot(locations, hourMs, outages, nowMs) });
  }
  await store.saveHours(slots, 1);
  const head = { through_ms: throughMs, horizon_ms: throughMs, recent: [], sums: null };
  await store.saveHeads([{ workspaceId, monitorId, head }], nowMs, 1);
}

function hourSlot(
  locations: readonly string[],
  hourMs: number,
  outages: readonly PastOutage[],
  nowMs: number,
): HistorySlot {
  const downMs = outages
    .filter((outage) => outage.locations.length * 2 > locations.length)
    .reduce((sum, { agoMs, lastedMs }) => {
      const startMs = nowMs - agoMs;
      return sum + Math.max(0, Math.min(hourMs + HOUR_MS, startMs + lastedMs) - Math.max(hourMs, startMs));
    }, 0);
  const stats = new Map(
    locations.map((location, index) => {
      const us = Math.round(responseMs(index, hourMs) * 1_000);
      return [location, { count: 12, failed: 0, sum_us: 12 * us, min_us: us, max_us: us }];
    }),
  );
  return { observed_ms: HOUR_MS, up_ms: HOUR_MS - downMs, left_out_ms: 0, locations: stats };
}

function incidentOf({ workspaceId, monitorId }: PastOf, { agoMs, lastedMs }: PastOutage, nowMs: number) {
  const startedMs = nowMs - agoMs;
  const incident: IncidentDocument = {
    ...{ _id: ids.next('inc'), workspace_id: workspaceId, kind: 'monitor', subject: `monitor:${monitorId}` },
    ...{ monitor_id: monitorId, monitor_name: 'Shop', resource: { type: 'monitor', id: monitorId, name: 'Shop' } },
    ...{ status: 'resolved', severity: 'critical', message: 'connection refused', resolution: 'recovered' },
    ...{ started_at_ms: startedMs, resolved_at_ms: startedMs + lastedMs, acknowledged_at_ms: null },
    ...{ acknowledged_by: null, silenced_at_ms: null, events: [], decision: null, recovery: null },
    ...{ channels: null, runbook_url: null, updated_at_ms: startedMs + lastedMs },
  };
  return incident;
}

/** Stores the certificate of a monitor, as its results would. */
export async function buildCertificate(mongo: Mongo, monitorId: string): Promise<void> {
  const nowMs = Date.now();
  const certificate: MonitorDocument['certificate'] = {
    ...{ grade: 'A+', not_after_ms: nowMs + 61.5 * DAY_MS, fingerprint: 'ab'.repeat(32), checked_at_ms: nowMs },
    ...{ issuer: "CN=R11, O=Let's Encrypt", subject: 'CN=shop.example' },
  };
  await mongo.db.collection<MonitorDocument>('monitors').updateOne({ _id: monitorId }, { $set: { certificate } });
}
