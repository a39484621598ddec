import type { Test } from 'tap';
import { createDependency } from '../../../control-plane/dependencies/create.js';
import { createDependencies } from '../../../control-plane/dependencies/judge.js';
import type { DependencyNeeds } from '../../../control-plane/dependencies/needs.js';
import { removeDependency } from '../../../control-plane/dependencies/remove.js';
import type { CreateDependency } from '../../../control-plane/dependencies/schema.js';
import { createDependencyStore } from '../../../control-plane/dependencies/store.js';
import type { IncidentDocument } from '../../../control-plane/incidents/documents.js';
import { createSilenceEnd } from '../../../control-plane/incidents/silence/end-job.js';
import { createMaintenanceEnd } from '../../../control-plane/incidents/silence/maintenance-end-job.js';
import { createParentsTask } from '../../../control-plane/incidents/silence/parents-job.js';
import { createTagsNow } from '../../../control-plane/incidents/silence/tags-now.js';
import type { Maintenance } from '../../../control-plane/maintenance/maintenance.js';
import { createMonitorStore } from '../../../control-plane/monitors/store.js';
import type { ProbeCommands } from '../../../control-plane/nodes/nodes.js';
import { createReferenceLock } from '../../../control-plane/references/lock.js';
import { requiredDownVotes } from '../../../control-plane/results/results.js';
import { createServerStore } from '../../../control-plane/servers/store.js';
import type { Mongo } from '../../../control-plane/storage/mongo.js';
import { createLogger } from '../../../kernel/logger.js';
import { type TestClock, testClock } from '../clock.js';
import { testDatabase } from '../database.js';
import { setUpWithWindows } from '../maintenance/windows-of-verdicts.js';
import { LOCATIONS, person } from '../verdicts/setup.js';

export const WORKSPACE = 'ws_test';

/** The verdicts of one control plane, with real dependencies and maintenance windows. */
export async function dependencyWorld(t: Test) {
  const database = await testDatabase();
  const made: ReturnType<typeof partsOf>[] = [];
  const { it, clock, windows } = await setUpWithWindows(database.uri, (mongo, maintenance, commands) => {
    const parts = partsOf(mongo, maintenance, commands, testClockOf());
    made.push(parts);
    return parts;
  });
  const [parts] = made;
  if (parts === undefined) throw new Error('there are no dependencies');
  parts.clock.current = clock;
  await parts.store.ensureIndexes();
  t.teardown(async () => {
    await it.stop();
    await database.drop();
  });
  const needs: DependencyNeeds = {
    ...parts.named,
    store: parts.store,
    ...{ audit: it.manual.audit, ids: it.manual.ids, clock, referenceLock: createReferenceLock(it.mongo.db) },
  };
  const logger = createLogger({ name: 'test', level: 'silent' });
  const { dependencies, tagsNow, maintenance } = parts;
  const silences = { ...it.manual, dependencies, tagsNow, maintenance, logger, runTransaction: it.runTransaction };
  // What three control planes do every few seconds.
  const tasks = [1, 2, 3].map(() => createParentsTask(silences));
  const all = async (id: string, up: boolean) => {
    for (const code of LOCATIONS) await it.check(id, code, up);
  };
  const incidents = it.mongo.db.collection<IncidentDocument>('incidents');
  return {
    ...{ it, clock, windows, needs, logger },
    parents: dependencies,
    fail: (id: string) => all(id, false),
    /** All locations succeed, twice, as a recovery needs. */
    recover: async (id: string) => {
      await clock.advance(1_000);
      await all(id, true);
      await clock.advance(6_000);
      await all(id, true);
    },
    succeed: (id: string) => all(id, true),
    depend: (dependent: CreateDependency['dependent'], on: string) =>
      it.runTransaction(async (tx) => {
        const input = { dependent, depends_on: { monitor_id: on } };
        const { dependency } = await createDependency(needs, tx, person(), input);
        return { dependency };
      }),
    undepend: (id: string) => it.runTransaction((tx) => removeDependency(needs, tx, person(), id)),
    compare: () => Promise.all(tasks.map((task) => task.runOnce())),
    /** A control plane that has just started. */
    otherCompare: () => createParentsTask(silences).runOnce(),
    endMaintenance: () => createMaintenanceEnd(silences).runOnce(),
    endSilences: () => createSilenceEnd(silences).runOnce(),
    /** The notifications of the monitor's incidents, in order. */
    notified: async (monitorId: string) => {
      const found = await incidents.find({ monitor_id: monitorId }).sort({ _id: 1 }).toArray();
      return (await Promise.all(found.map(({ _id }) => it.notified(_id)))).flat();
    },
  };
}

/** A clock that is known only later. */
function testClockOf(): { current: TestClock } {
  return { current: testClock() };
}

function partsOf(mongo: Mongo, maintenance: Maintenance, commands: ProbeCommands, clock: { current: TestClock }) {
  const { db } = mongo;
  const store = createDependencyStore(db);
  const monitors = createMonitorStore(db);
  const servers = createServerStore(db, () => Promise.reject(new Error('no record is set aside here')));
  return {
    ...{ clock, store, maintenance },
    named: { monitorNames: monitors.namedWithTags, serverNames: servers.findMany },
    tagsNow: createTagsNow({ monitor: monitors.tagsOf, server: servers.findMany }),
    dependencies: createDependencies({
      ...{ store, maintenance, commands, parentReads: monitors.parents, requiredDownVotes },
      ...{ countMonitors: monitors.countAmong, countServers: servers.countAmong },
      clock: { ...clock.current, now: () => clock.current.now() },
    }),
  };
}
