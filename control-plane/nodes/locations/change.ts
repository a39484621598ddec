import type { Actor } from '../../actor.js';
import type { AuditLog } from '../../audit/audit.js';
import { AppError, notFound } from '../../errors.js';
import { requireVersion } from '../../http/etag.js';
import { isDuplicateKey, type Transaction } from '../../storage/transaction.js';
import type { LocationDocument } from '../documents.js';
import type { LocationPatch, LocationStore } from './store.js';

interface LocationInput {
  code: string;
  city: string;
  region: string;
  canary_targets?: string[];
}

interface LocationChangeNeeds {
  store: LocationStore;
  audit: AuditLog;
}

/** Adds a check location. Throws AppError `conflict` when the code exists. */
export async function addLocation(
  { store, audit }: LocationChangeNeeds,
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
  const exists = new AppError('conflict', `A location with the code ${input.code} exists already.`);
  if ((await store.find(tx, input.code)) !== null) throw exists;
  await store.insert(tx, location).catch((error: unknown) => {
    throw isDuplicateKey(error) ? exists : error;
  });
  await audit.record(tx, actor, {
    action: 'location.created',
    resource: { type: 'location', id: location._id, name: location.city },
    metadata: { region: location.region, canary_targets: location.canary_targets },
  });
  return location;
}

/** Changes a check location. Without a difference it writes nothing. */
export async function changeLocation(
  { store, audit }: LocationChangeNeeds,
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
  const fields = ['city', 'region', 'canary_targets'] as const;
  return Object.fromEntries(
    fields
      .filter((name) => patch[name] !== undefined && String(patch[name]) !== String(before[name]))
      .map((name) => [name, { from: before[name], to: patch[name] }]),
  );
}
