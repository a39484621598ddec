import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { testDatabase } from '../../test/helpers/database.js';
import { openEvents } from '../../test/helpers/live/event-client.js';
import { fakeControlPlane } from '../../test/helpers/node-link/fake-control-plane.js';
import { startControlPlane } from '../../test/helpers/processes/control-plane.js';
import { startNodeProcess } from '../../test/helpers/processes/node-process.js';
import { storePerson, storeWorkspace } from '../../test/helpers/team/people.js';
import { waitFor } from '../../test/helpers/wait.js';
import type { Limit } from './limit.js';

/** Docs/operating.md promises it of the control plane. Service managers send SIGKILL later than that. */
const STOPPED_MS_MAX = 10_000;
const CONNECTED_MS_MAX = 60_000;

export const controlPlaneStops: Limit = {
  ...{ name: 'from SIGTERM to the end of a control plane with an open event stream', unit: 'ms' },
  atMost: STOPPED_MS_MAX,
  async measure() {
    const mongo = await testDatabase();
    const plane = await startControlPlane(mongo.uri);
    try {
      const person = await storePerson(mongo, await storeWorkspace(mongo), 'owner');
      const client = await openEvents(plane.url, person.cookie);
      await client.next(({ type }) => type === 'ready');
      return await durationOf(() => plane.stop());
    } finally {
      await plane.remove();
      await mongo.drop();
    }
  },
};

export const probeStops: Limit = {
  ...{ name: 'from SIGTERM to the end of a connected probe', unit: 'ms', atMost: STOPPED_MS_MAX },
  measure: () => nodeStopMs('probe'),
};

export const agentStops: Limit = {
  ...{ name: 'from SIGTERM to the end of a connected agent', unit: 'ms', atMost: STOPPED_MS_MAX },
  measure: () => nodeStopMs('agent'),
};

async function nodeStopMs(kind: 'probe' | 'agent'): Promise<number> {
  const plane = await fakeControlPlane({ kind });
  plane.script.secrets.add('secret');
  const dataDir = await mkdtemp(join(tmpdir(), 'picket-bench-'));
  const program = kind === 'probe' ? 'probe/main.js' : 'server-agent/main.js';
  const node = startNodeProcess(program, ['--data', dataDir, '--join', plane.joinToken('secret')]);
  try {
    await waitFor(`the ${kind} to connect`, CONNECTED_MS_MAX, () => plane.sessions.length > 0);
    return await durationOf(() => node.kill('SIGTERM'));
  } finally {
    await node.kill('SIGKILL');
    plane.kill();
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function durationOf(work: () => Promise<unknown>): Promise<number> {
  const startedMs = performance.now();
  await work();
  return performance.now() - startedMs;
}
