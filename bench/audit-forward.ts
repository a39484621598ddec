// Measures how fast the control plane forwards audit entries to a local rsyslog, over TCP and over TLS: 100,000 sealed
// entries are waiting, and the time ends when the last one is in the file of rsyslog.
//   node --import tsx scripts/with-mongod.ts node --import tsx bench/audit-forward.ts

import { sealedEntries } from '../test/helpers/audit/forwarding.js';
import { testDatabase } from '../test/helpers/database.js';
import { rsyslog } from '../test/helpers/machine/rsyslog.js';
import { startControlPlane } from '../test/helpers/processes/control-plane.js';
import { waitFor } from '../test/helpers/wait.js';
import { printFigure, round } from './fixtures/figures.js';
import { benchSetting } from './fixtures/settings.js';

const ENTRIES = benchSetting('ENTRIES', 100_000);
const BATCH = 1_000;
const PER_SECOND_MIN = 5_000;
const GIVE_UP_MS = 300_000;
const PATH = '/api/v1/audit-logs/forwarders';

const database = await testDatabase();
const plane = await startControlPlane(database.uri);
try {
  const workspaceId: string = (await plane.api('GET', '/v1/auth/me')).body.data.workspace.id;
  const from = new Date().toISOString();
  await waitFor('the log is sealed', 10_000, async () => {
    return (await database.db.collection('audit_log').countDocuments({ unsealed: true })) === 0;
  });
  for (let index = 0; index < ENTRIES / BATCH; index++) {
    const metadata = {
      changes: { name: { from: 'Shop', to: `Shop ${index}` }, interval_seconds: { from: 60, to: 30 } },
    };
    const events = Array.from({ length: BATCH }, () => ({
      action: 'monitor.updated' as const,
      name: 'Shop',
      metadata,
    }));
    await sealedEntries(database, workspaceId, events);
  }
  for (const protocol of ['tcp', 'tls'] as const) await measure(protocol, from);
} finally {
  await plane.remove();
  await database.drop();
}

async function measure(protocol: 'tcp' | 'tls', from: string): Promise<void> {
  const receiver = await rsyslog({ tls: protocol === 'tls' });
  await receiver.start();
  try {
    const target = `syslog+${protocol}://127.0.0.1:${receiver.port}`;
    const { body } = await plane.api('POST', PATH, { type: 'syslog', target, ca: receiver.ca, from });
    let firstMs: number | null = null;
    const arrived = async () => {
      const count = await receiver.lines();
      if (count > 0) firstMs ??= performance.now();
      return count >= ENTRIES;
    };
    await waitFor('all entries', GIVE_UP_MS, arrived, 20);
    const seconds = (performance.now() - (firstMs ?? Number.NaN)) / 1_000;
    printFigure({
      name: `audit entries forwarded to rsyslog (${protocol})`,
      value: ENTRIES / seconds,
      unit: 'per second',
      limit: PER_SECOND_MIN,
      atMost: false,
      entries: ENTRIES,
      seconds: round(seconds, 1),
      control_plane_mib: round(await rssMib(), 0),
    });
    await plane.api('DELETE', `${PATH}/${body.data.id}`);
  } finally {
    await receiver.remove();
  }
}

async function rssMib(): Promise<number> {
  const text = await (await fetch(`${plane.url}/metrics`)).text();
  return Number(/^process_resident_memory_bytes (\S+)/m.exec(text)?.[1]) / 2 ** 20;
}
