import type { Actor } from '../../actor.js';
import type { AuditLog } from '../../audit/audit.js';
import { AppError, notFound } from '../../errors.js';
import { requireVersion } from '../../http/etag.js';
import { isDuplicateKey, type Transaction } from '../../storage/transaction.js';
import type { LocationDocument } from '../documents.js';
import type { LocationPatch, LocationStore } from './store.js';

/** The specification's five. */
const SPECIFIED: readonly { code: string; city: string; region: string }[] = [
  { code: 'fra', city: 'Frankfurt', region: 'EU-Central' },
  { code: 'nyc', city: 'New York', region: 'US-East' },
  { code: 'sin', city: 'Singapore', region: 'Asia-Pacific' },
  { code: 'lon', city: 'London', region: 'EU-West' },
  { code: 'sfo', city: 'San Francisco', region: 'US-West' },
];

export function specifiedLocations(nowMs: number): LocationDocument[] {
  return SPECIFIED.map(({ code, city, region }, position) => ({
    _id: code,
    city,
    region,
    canary_targets: [],
    position,
    created_at_ms: nowMs,
    updated_at_ms: nowMs,
    version: 1,
  }));
}

export interface LocationInput {
  code: string;
  city: string;
  region: string;
  canary_targets?: string[];
}

interface Dependencies {
  store: LocationStore;
  audit: AuditLog;
}

export async function addLocation(
  { store, audit }: Dependencies,
  tx: Transaction,
  actor: Actor,
  input: LocationInput,
  nowMs: number,
): Promise<LocationDocument> {
  const location: LocationDocument = {
    _id: input.code,
    city: input.city,
    region: input.region,
    canary_targets: input.canary_targets ?? [],
    position: nowMs,
    created_at_ms: nowMs,
    updated_at_ms: nowMs,
    version: 1,
  };
  const taken = new AppError('conflict', `There is a location ${input.code} already.`);
  if ((await store.find(tx, input.code)) !== null) throw taken;
  await store.insert(tx, location).catch((error: unknown) => {
    throw isDuplicateKey(error) ? taken : error;
  });
  await audit.record(tx, actor, {
    action: 'location.created',
    resource: { type: 'location', id: location._id, name: location.city },
    metadata: { region: location.region, canary_targets: location.canary_targets },
  });
  return location;
}

export async function changeLocation(
  { store, audit }: Dependencies,
  tx: Transaction,
  actor: Actor,
  change: { code: string; patch: LocationPatch; ifVersion: number | null; nowMs: number },
): Promise<LocationDocument> {
  const before = await store.find(tx, change.code);
  if (before === null) throw notFound('location');
  requireVersion(change.ifVersion, before.version);
  const changes = differences(before, change.patch);
  if (Object.keys(changes).length === 0) return before;
  const after = await store.update(tx, change.code, change.patch, change.nowMs);
  if (after === null) throw notFound('location');
  await audit.record(tx, actor, {
    action: 'location.updated',
    resource: { type: 'location', id: after._id, name: after.city },
    metadata: { changes },
  });
  return after;
}

function differences(before: LocationDocument, patch: LocationPatch): Record<string, { from: unknown; to: unknown }> {
  const members = ['city', 'region', 'canary_targets'] as const;
  return Object.fromEntries(
    members
      .filter((name) => patch[name] !== undefined && String(patch[name]) !== String(before[name]))
      .map((name) => [name, { from: before[name], to: patch[name] }]),
  );
}
