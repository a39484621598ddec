import type { Test } from 'tap';
import { createStandingStore } from '../../../control-plane/accounts/standing/store.js';
import { maintenanceRecordsSlice, maintenanceSlice } from '../../../control-plane/maintenance/open.js';
import type { MaintenanceWindow } from '../../../control-plane/maintenance/schema.js';
import { createStandingCache } from '../../../control-plane/plans/cache.js';
import { createLogger } from '../../../kernel/logger.js';
import { systemRandom } from '../../../kernel/random.js';
import { startApp } from '../app.js';
import { type TestClock, testClock } from '../clock.js';
import { testDatabase } from '../database.js';

/** Things of any workspace; others do not exist. */
export const MONITOR = 'mon_01kf5e6q0h3v8r2m9x4t7c1z5n';
export const SERVER = 'srv_01kf5e6q0h3v8r2m9x4t7c1z5n';
const KNOWN = new Set([MONITOR, SERVER]);
export const PATH = '/v1/maintenance-windows';

/** Starts the API of maintenance windows on a database of its own. */
export async function startMaintenance(t: Test, clock: TestClock = testClock()) {
  const mongo = await testDatabase();
  const logger = createLogger({ name: 'test', level: 'silent' });
  const records = await maintenanceRecordsSlice.open({ db: mongo.db, clock, logger });
  await records.ensureIndexes?.();
  const existing = async (_tx: unknown, _workspaceId: string, ids: readonly string[]) =>
    new Set(ids.filter((id) => KNOWN.has(id)));
  const app = await startApp({
    ...{ mongo, clock },
    routes: async (parts) => {
      const needs = {
        ...parts,
        ...{ db: mongo.db, records, clock, logger, random: systemRandom },
        publicUrl: 'http://picket.test',
        standingOf: createStandingCache(createStandingStore(mongo.db, clock), clock),
      };
      const slice = await maintenanceSlice.open({ ...needs, existingMonitors: existing, existingServers: existing });
      return slice.routes ?? [];
    },
  });
  t.teardown(async () => {
    await app.close();
    await mongo.drop();
  });
  const at = (minutes: number) => new Date(clock.now() + minutes * 60_000).toISOString();
  return {
    ...{ app, mongo, clock, records, logger },
    /** The time in so many minutes. */
    at,
    async created(body: object): Promise<MaintenanceWindow> {
      const answer = await app.request<MaintenanceWindow>('POST', PATH, { body });
      t.equal(answer.status, 201, answer.text);
      return answer.body.data;
    },
    /** A window that is active from now on. */
    active: (minutes: number, targets: object) => ({
      name: 'Upgrade',
      starts_at: at(0),
      ends_at: at(minutes),
      ...targets,
    }),
    actions: async () =>
      (await mongo.db.collection('audit_log').find().sort({ _id: 1 }).toArray()).map(({ action }) => String(action)),
  };
}
