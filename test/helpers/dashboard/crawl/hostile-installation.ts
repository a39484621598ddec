import type { ProbeDocument } from '../../../../control-plane/nodes/documents.js';
import { storePerson, storeWorkspace } from '../../team/people.js';
import type { WorkspaceInBrowser } from '../workspace-in-browser.js';
import { ALL, EMAILS, LONG, MARKUP } from './hostile-names.js';

const DAY_MS = 86_400_000;
const LOCATION = 'ams';

/** Stores what only operators see: a location, a probe and another workspace, whose id it resolves to. */
export async function fillInstallation({ plane, mongo }: WorkspaceInBrowser): Promise<string> {
  const nowMs = Date.now();
  const { status } = await plane.api('POST', '/v1/admin/locations', {
    ...{ code: LOCATION, city: MARKUP, region: LONG.slice(0, 50), canary_targets: ['https://example.com/'] },
  });
  if (status !== 201) throw new Error(`the location was answered with ${status}`);
  await mongo.db.collection<ProbeDocument>('nodes').insertOne({
    ...{ _id: 'prb_01kf5e6q0h3v8r2m9x4t7c1z5n', kind: 'probe', location: LOCATION, version: '1.0.0', hostname: ALL },
    ...{ credential_hash: '0'.repeat(64), previous_credential_hash: null, credential_issued_at_ms: nowMs },
    ...{ enrolled_at_ms: nowMs, document_version: 1, drained_at_ms: null, revoked_at_ms: null },
  });
  const suspended = { at_ms: nowMs - DAY_MS, reason: ALL };
  const other = await storeWorkspace(mongo, { name: ALL, suspended });
  await storePerson(mongo, other, 'owner', { user: { email: `other${EMAILS[0].slice('other'.length)}` } });
  return other;
}
