import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { temporaryFolder } from '../../helpers/machine/temporary-folder.js';
import { http, plane, probe, site } from '../../helpers/probe/setup.js';
import { waitFor } from '../../helpers/wait.js';

// These tests wait more than they compute, so some of them run at the same time.
t.jobs = 3;
const WAIT_MS_MAX = 60_000;
const test = (title: string, run: (t: Test) => Promise<void>) => t.test(title, { buffered: true }, run);

/** Starts an undisturbed probe. While it makes a number of checks, another probe would make some, too. */
async function witness(t: Test) {
  const target = await site(t);
  const control = await plane(t);
  control.script.assignments = [http('mon_w', target.url)];
  probe(t, ['--join', control.joinToken('secret'), '--data', temporaryFolder(t)]);
  await waitFor('a check of the other probe', WAIT_MS_MAX, () => target.total() > 0);
  return async function slots(count: number): Promise<void> {
    const before = target.total();
    await waitFor(`${count} checks of the other probe`, WAIT_MS_MAX, () => target.total() >= before + count, 10);
  };
}

test('a probe joins, checks on its own schedule, delivers, and ends on SIGTERM', async (t) => {
  const target = await site(t);
  const control = await plane(t);
  control.script.assignments = [
    http('mon_up', `${target.url}/up`),
    http('mon_down', `${target.url}/down`, { phaseMs: 500 }),
  ];
  const data = temporaryFolder(t);
  const running = probe(t, ['--join', control.joinToken('secret'), '--data', data]);
  await waitFor('six results', WAIT_MS_MAX, () => control.stored.size >= 6).catch((error: Error) => {
    throw new Error(`${error.message}\n${running.output()}`);
  });
  const results = control.results();
  const up = results.find((result) => result.monitorId === 'mon_up');
  t.equal(up?.up, true);
  t.equal(Number(up?.slotMs) % 1000, 0, 'on the slot');
  t.equal(up?.final, true);
  t.equal(up?.reason, 'schedule');
  t.ok((up?.responseTimeMs ?? 0) > 0);
  t.equal(up?.httpStatus, 200);
  const down = results.filter((result) => result.monitorId === 'mon_down');
  t.strictSame(
    [down[0]?.up, down[0]?.final, down[0]?.attempt, down[0]?.errorCode],
    [false, false, 0, 'status_mismatch'],
  );
  t.strictSame([down[1]?.up, down[1]?.final, down[1]?.attempt], [false, true, 1]);
  t.equal(down[0]?.slotMs, down[1]?.slotMs, 'a retry belongs to its slot');
  t.equal(Number(down[0]?.slotMs) % 1000, 500, 'phase');
  t.equal(statSync(join(data, 'credential.json')).mode & 0o777, 0o600);
  t.notMatch(running.output(), /secret|credential-1/, 'no secret in the log');
  const status = await waitFor('a status', WAIT_MS_MAX, () => control.statuses.find((sent) => sent.slotsRun > 0));
  t.match(status, { assignments: 2, assignmentsRevision: 1, canaryOk: true, canaries: 0, draining: false });

  t.equal(await running.kill('SIGTERM'), 0, running.output());
  t.equal(control.conflicts.length, 0);
  t.equal(target.total(), control.records, 'every request to the target has a delivered result');
  // What the process has sent may arrive after its end.
  await waitFor('the last status', WAIT_MS_MAX, () => control.statuses.at(-1)?.draining);
});

test('after kill -9 every check that the target saw is delivered, except the check in flight', async (t) => {
  const target = await site(t, 30);
  const control = await plane(t);
  // The slots of the ten monitors are 100 ms apart, so that one request of 30 ms runs at a time.
  control.script.assignments = Array.from({ length: 10 }, (_, index) =>
    http(`mon_${index}`, `${target.url}/${index}`, { phaseMs: index * 100 }),
  );
  const data = temporaryFolder(t);
  const args = ['--join', control.joinToken('secret'), '--data', data];
  // On a busy machine the target or the probe pauses, and then more than one request is under way at a kill.
  let underWay = 0;
  for (let round = 0; round < 3; round += 1) {
    const running = probe(t, args);
    const before = target.total();
    // In every second round, the control plane receives batches but does not store them.
    control.script.store = round % 2 === 0;
    await waitFor('checks', WAIT_MS_MAX, () => target.total() > before + 25, 7);
    t.equal(await running.kill('SIGKILL'), 'SIGKILL');
    // Not before: on a busy machine the target sees a request after the kill that was sent before it.
    underWay += target.underWay();
  }
  control.script.store = true;
  const lastFromMs = Date.now();
  const last = probe(t, args);
  await waitFor('a round of the last process', WAIT_MS_MAX, () => {
    const ofLast = control.results().filter(({ slotMs }) => slotMs > lastFromMs);
    return new Set(ofLast.map(({ monitorId }) => monitorId)).size === 10;
  });
  t.match(last.output(), /has joined before/);
  t.equal(await last.kill('SIGTERM'), 0);
  t.strictSame(control.conflicts, [], 'no sequence number has two contents');
  const delivered = new Map<string, number>();
  const slots = new Set<string>();
  for (const result of control.results()) {
    const path = `/${result.monitorId.slice('mon_'.length)}`;
    delivered.set(path, (delivered.get(path) ?? 0) + 1);
    slots.add(`${result.monitorId} ${result.slotMs} ${result.attempt}`);
  }
  t.equal(slots.size, control.stored.size, 'each slot is delivered once');
  const missing = [...target.seen].map(([path, count]) => count - (delivered.get(path) ?? 0));
  t.ok(
    missing.every((count) => count >= 0),
    'every delivered result is a real check',
  );
  const total = missing.reduce((sum, count) => sum + count, 0);
  t.ok(total <= underWay, `${target.total()} requests, ${total} of them without a result, ${underWay} under way`);
});

test('a drained probe checks nothing until it is undrained; commands and changes take effect at once', async (t) => {
  const slots = await witness(t);
  const target = await site(t);
  const control = await plane(t);
  control.script.assignments = [http('mon_a', `${target.url}/a`)];
  const running = probe(t, ['--join', control.joinToken('secret'), '--data', temporaryFolder(t)]);
  await waitFor('a check', WAIT_MS_MAX, () => control.stored.size >= 1);
  const slotMs = Date.now() - 3;
  control.runNow({
    monitorId: 'mon_b',
    slotMs,
    reason: 'confirm',
    assignment: http('mon_b', `${target.url}/down/b`),
  });
  const confirmed = await waitFor(
    'the result of the command',
    WAIT_MS_MAX,
    () => control.results().find((result) => result.slotMs === slotMs),
    10,
  );
  t.match(confirmed, { monitorId: 'mon_b', reason: 'confirm', up: false, final: false, attempt: 0 });

  control.send({ welcome: { ...control.script.welcome, serverTimeMs: Date.now(), drained: true } });
  await waitFor('the draining status', WAIT_MS_MAX, () => control.statuses.at(-1)?.draining);
  // A check that was under way may still reach its target.
  await slots(1);
  const before = target.seen.get('/a');
  await slots(3);
  t.equal(target.seen.get('/a'), before);
  control.send({ welcome: { ...control.script.welcome, serverTimeMs: Date.now(), drained: false } });
  await waitFor('checks again', WAIT_MS_MAX, () => (target.seen.get('/a') ?? 0) > (before ?? 0));

  control.change({ revision: 2, last: true, put: [http('mon_c', `${target.url}/c`)], remove: ['mon_a'] });
  await waitFor('a check of the new monitor', WAIT_MS_MAX, () => target.seen.has('/c'));
  await slots(1);
  const seen = target.seen.get('/a');
  await slots(3);
  t.equal(target.seen.get('/a'), seen, 'the removed monitor is not checked any more');
  control.cut();
  await waitFor('a new stream', WAIT_MS_MAX, () => control.sessions.length === 2);
  t.equal(control.sessions[1]?.hello.assignmentsRevision, 2, 'its hello has the revision of its assignments');
  await running.kill('SIGKILL');
});

test('a revoked probe stops its checks', async (t) => {
  const slots = await witness(t);
  const target = await site(t);
  const control = await plane(t);
  control.script.assignments = [http('mon_a', `${target.url}/a`)];
  const running = probe(t, ['--join', control.joinToken('secret'), '--data', temporaryFolder(t)]);
  await waitFor('two checks', WAIT_MS_MAX, () => (target.seen.get('/a') ?? 0) >= 2);
  control.script.credentials.clear();
  control.cut();
  await waitFor('the log line', WAIT_MS_MAX, () => /refused by the control plane \(revoked\)/.test(running.output()));
  await slots(1);
  const seen = target.seen.get('/a');
  await slots(4);
  t.equal(target.seen.get('/a'), seen);
  await running.kill('SIGKILL');
});

test('an old credential is rotated, used for the stream and then removed', async (t) => {
  const control = await plane(t);
  const data = temporaryFolder(t);
  const running = probe(t, ['--join', control.joinToken('secret'), '--data', data]);
  await waitFor('a session', WAIT_MS_MAX, () => control.sessions.length === 1);
  await running.kill('SIGKILL');
  const path = join(data, 'credential.json');
  const saved = () => JSON.parse(readFileSync(path, 'utf8'));
  writeFileSync(path, JSON.stringify({ ...saved(), issuedAtMs: Date.now() - 31 * 86_400_000 }));
  const again = probe(t, ['--data', data]);
  await waitFor(
    'a stream with the new credential',
    WAIT_MS_MAX,
    () => control.sessions.at(-1)?.credential === 'credential-2',
  );
  await waitFor(
    'the old credential to be removed',
    WAIT_MS_MAX,
    () => saved().credential === 'credential-2' && saved().previous === null,
  );
  t.equal(await again.kill('SIGTERM'), 0);

  // As if it had died after it stored a credential that the control plane does not know.
  writeFileSync(path, JSON.stringify({ ...saved(), credential: 'lost', previous: 'credential-2' }));
  const before = control.sessions.length;
  const fallen = probe(t, ['--data', data]);
  await waitFor('a stream with the previous credential', WAIT_MS_MAX, () => control.sessions.length > before);
  t.equal(control.sessions.at(-1)?.credential, 'credential-2');
  await fallen.kill('SIGKILL');
});

test('an error at the start is one line, with its exit code', async (t) => {
  const control = await plane(t);
  const data = temporaryFolder(t);
  const ends = async (args: string[], env: Record<string, string> = {}) => {
    const ended = probe(t, args, env);
    return { code: await ended.exited, output: ended.output() };
  };
  const [wrong, nothing, used, strange, help, version] = await Promise.all([
    ends(['--data', data], { PICKET_LOG_LEVEL: 'loud' }),
    ends(['--data', data]),
    ends(['--data', join(data, '1'), '--join', control.joinToken('used')]),
    ends(['--data', join(data, '2'), '--join', control.joinToken('secret', undefined, 'a'.repeat(64))]),
    ends(['--help']),
    ends(['--version']),
  ]);
  t.match(wrong, { code: 78, output: /^picket-probe: PICKET_LOG_LEVEL .*\n$/ });
  t.match(nothing, { code: 78, output: /^picket-probe: --join is missing.*\n$/ });
  t.match(used, { code: 1, output: /^picket-probe: the control plane refused the join token .*\n$/ });
  t.match(strange, { code: 1, output: /^picket-probe: .*does not present the certificate authority.*\n$/ });
  t.match(help, { code: 0, output: /--join TOKEN/ });
  t.match(version, { code: 0, output: /^picket-probe \d+\.\d+\.\d+\n$/ });

  const first = probe(t, ['--data', data, '--join', control.joinToken('secret')]);
  await waitFor('a session', WAIT_MS_MAX, () => control.sessions.length === 1);
  t.match(await ends(['--data', data]), { code: 1, output: /another probe is running on / });
  await first.kill('SIGKILL');
});
