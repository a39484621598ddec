import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import type { AuditHeadDocument } from '../../../control-plane/audit/documents.js';
import { sealedEntries } from '../../helpers/audit/forwarding.js';
import { testDatabase } from '../../helpers/database.js';
import { rsyslog } from '../../helpers/machine/rsyslog.js';
import { controlPlaneProcess } from '../../helpers/processes/control-plane-process.js';
import { waitFor } from '../../helpers/wait.js';

const ENTRIES = 20_000;
const BATCH = 250;
/** The number of entries ahead of the receiver, so that some are in flight at each kill. */
const AHEAD_MAX = 2_000;
const PATH = '/api/v1/audit-logs/forwarders';
const NAME = 'a "b" ] = | \\ \n ü 😀 \u202ec\u202c';

t.test(
  '20,000 entries reach rsyslog over TLS in order while it and the control plane are killed twice each',
  async (t) => {
    const mongo = await testDatabase();
    const dataDir = await mkdtemp(join(tmpdir(), 'picket-forward-'));
    const receiver = await rsyslog({ tls: true });
    const plane = await controlPlaneProcess(mongo.uri, dataDir);
    t.teardown(async () => {
      await plane.kill('SIGKILL');
      await receiver.remove();
      await rm(dataDir, { recursive: true, force: true });
      await mongo.drop();
    });
    await receiver.start();
    await plane.start();
    const target = `syslog+tls://127.0.0.1:${receiver.port}`;
    const made = await plane.api('POST', PATH, { type: 'syslog', target, ca: receiver.ca });
    t.equal(made.status, 201);
    const id: string = made.body.data.id;
    const workspaceId: string = (await plane.api('GET', '/v1/auth/me')).body.data.workspace.id;
    // From here on, the test seals the entries. The sealer has nothing else to seal.
    const unsealed = () => mongo.db.collection('audit_log').countDocuments({ unsealed: true });
    await waitFor('the log to be sealed', 10_000, async () => (await unsealed()) === 0);

    const ids: string[] = [];
    const killed = kills();
    for (let index = 0; index < ENTRIES / BATCH; index++) {
      const events = Array.from({ length: BATCH }, () => ({ action: 'monitor.updated' as const, name: NAME }));
      ids.push(...(await sealedEntries(mongo, workspaceId, events)));
      const { length } = ids;
      await waitFor(
        'earlier entries to arrive',
        60_000,
        async () => (await receiver.lines()) >= length - AHEAD_MAX,
        20,
      );
    }
    await killed;

    async function kills(): Promise<void> {
      const written = (count: number) =>
        waitFor(`${count} entries to arrive`, 60_000, async () => (await receiver.lines()) >= count, 20);
      const failing = async () => (await plane.api('GET', `${PATH}/${id}`)).body.data.state === 'failing';
      for (const [at, what] of [
        [2_000, receiver],
        [5_000, plane],
        [9_000, receiver],
        [12_000, plane],
      ] as const) {
        await written(at);
        await what.kill('SIGKILL');
        if (what === receiver) await waitFor('the forwarder to fail', 20_000, failing, 20);
        await what.start();
      }
    }

    const [last = ''] = await sealedEntries(mongo, workspaceId, [{ action: 'monitor.updated', name: NAME }]);
    ids.push(last);
    await waitFor('the last entry to arrive', 60_000, async () => (await receiver.written()).includes(last));
    const heads = mongo.db.collection<AuditHeadDocument>('audit_heads');
    const head = await heads.findOne({ _id: workspaceId });
    await waitFor('the cursor to be at the end', 60_000, async () => {
      return (await plane.api('GET', `${PATH}/${id}`)).body.data.cursor.entry_id === head?.last_id;
    });
    const arrived = lines(await receiver.written());
    const wanted = new Set(ids);
    const ours = arrived.filter((line) => wanted.has(line.id));
    const firsts = [...new Set(ours.map((line) => line.id))];
    t.equal(firsts.length, ids.length, 'every entry arrived');
    t.same(firsts, ids, 'in order');
    t.comment(`${ours.length - firsts.length} came twice`);
    // The sequence numbers grow by one. After a broken connection they go back, never ahead.
    const jumps = arrived.slice(1).map((line, index) => line.sequence - (arrived[index]?.sequence ?? 0));
    t.equal(jumps.filter((jump) => jump > 1).length, 0, 'no gap');
    const breaks = jumps.filter((jump) => jump < 1).length;
    t.ok(breaks >= 1 && breaks <= 4, `entries arrived again after ${breaks} broken connections`);
    const bodies = (await receiver.written()).split('\n').flatMap((line) => /\] (\{.*\})$/.exec(line)?.[1] ?? []);
    t.ok(bodies.length >= ENTRIES);
    t.equal(JSON.parse(bodies.at(-1) ?? '').resource.name, NAME, 'a name arrives unchanged');
  },
);

function lines(text: string): { id: string; sequence: number }[] {
  return [...text.matchAll(/ kind="entry" id="(evt_[0-9a-z]+)" sequence="(\d+)"/g)].map(([, id = '', sequence]) => ({
    id,
    sequence: Number(sequence),
  }));
}
