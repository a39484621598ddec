import { createWindowCache } from '../../../control-plane/maintenance/covering/cache.js';
import { createWindow } from '../../../control-plane/maintenance/create.js';
import type { WindowNeeds } from '../../../control-plane/maintenance/needs.js';
import { endWindow, extendWindow } from '../../../control-plane/maintenance/occurrence.js';
import { removeWindow } from '../../../control-plane/maintenance/remove.js';
import { createWindowStore } from '../../../control-plane/maintenance/store.js';
import { createPastWindowStore } from '../../../control-plane/maintenance/uptime/past-store.js';
import { createReferenceLock } from '../../../control-plane/references/lock.js';
import type { Mongo } from '../../../control-plane/storage/mongo.js';
import { createLogger } from '../../../kernel/logger.js';
import { type TestClock, testClock } from '../clock.js';
import { person, setUpVerdicts } from '../verdicts/setup.js';

const MINUTE_MS = 60_000;

/** The verdicts of one control plane, with real maintenance windows. Without `dependenciesIn`, nothing depends on anything. */
export async function setUpWithWindows(uri: string, dependenciesIn?: Parameters<typeof setUpVerdicts>[3]) {
  const clock = testClock();
  let records = null as ReturnType<typeof openRecords> | null;
  const openCache = (mongo: Mongo) => {
    records = openRecords(mongo, clock);
    return records.cache;
  };
  const it = await setUpVerdicts(uri, clock, openCache, dependenciesIn);
  if (records === null) throw new Error('there are no maintenance windows');
  await it.ensureIndexes();
  await records.store.ensureIndexes();
  const { store, past, cache } = records;
  const all = async (_tx: unknown, _workspaceId: string, ids: readonly string[]) => new Set(ids);
  const needs: WindowNeeds = {
    store,
    past,
    cache,
    clock,
    existingMonitors: all,
    existingServers: all,
    ...{ audit: it.manual.audit, ids: it.manual.ids, referenceLock: createReferenceLock(it.mongo.db) },
  };
  const actor = person();
  return {
    ...{ it, clock, records },
    windows: {
      /** Creates one that is active from now on. */
      open: (minutes: number, targets: object) =>
        it.runTransaction((tx) =>
          createWindow(needs, tx, actor, {
            ...{ name: 'Upgrade', starts_at: new Date(clock.now()).toISOString() },
            ...{ ends_at: new Date(clock.now() + minutes * MINUTE_MS).toISOString(), ...targets },
          }),
        ),
      end: (id: string) => it.runTransaction((tx) => endWindow(needs, tx, actor, { id, ifVersion: null })),
      extend: (id: string, minutes: number) =>
        it.runTransaction((tx) => extendWindow(needs, tx, actor, { id, minutes, ifVersion: null })),
      remove: (id: string) => it.runTransaction((tx) => removeWindow(needs, tx, actor, { id, ifVersion: null })),
    },
  };
}

/** The windows of one control plane. */
export function openRecords({ db }: Mongo, clock: TestClock) {
  const store = createWindowStore(db);
  const logger = createLogger({ name: 'test', level: 'silent' });
  const past = createPastWindowStore(db);
  return { store, past, cache: createWindowCache({ store, past, clock, logger }) };
}
