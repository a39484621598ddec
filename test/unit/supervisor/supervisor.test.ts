import { ChildProcess, spawn } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { systemClock } from '../../../kernel/clock.js';
import { readSettings } from '../../../kernel/settings.js';
import { superviseChild } from '../../../supervisor/child.js';
import { readSupervisorConfig } from '../../../supervisor/config.js';
import { createLowDiskWarning, failureLine, fullDisk } from '../../../supervisor/failure.js';
import { agentToken, probeTokens } from '../../../supervisor/join-tokens.js';
import { endLeftovers, saveProcess } from '../../../supervisor/leftovers.js';
import { findMongod } from '../../../supervisor/mongod/binary.js';
import { whenPrimary } from '../../../supervisor/mongod/primary.js';
import { checkMongod } from '../../../supervisor/mongod/version.js';
import { claimDataDirectory } from '../../../supervisor/single-instance.js';
import { testClock } from '../../helpers/clock.js';
import { smallDisk } from '../../helpers/machine/small-disk.js';
import { waitFor } from '../../helpers/wait.js';

t.test('the delay before a restart doubles up to 30 seconds', async (t) => {
  const clock = testClock();
  const starts: number[] = [];
  const child = superviseChild({
    name: 'child',
    clock,
    say: () => {},
    explain: () => null,
    fatalExitCode: 78,
    onFatal: () => t.fail('not fatal'),
    start() {
      starts.push(clock.monotonic());
      const process = new ChildProcess();
      queueMicrotask(() => process.emit('exit', 1, null));
      return process;
    },
  });
  await clock.advance(0);
  await clock.advance(120_000);
  const delays = starts.slice(1).map((at, index) => at - (starts[index] ?? 0));
  t.same(delays, [250, 500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]);
  await child.stop();
});

t.test('a child that ends is restarted, until it is stopped', async (t) => {
  const lines: string[] = [];
  let starts = 0;
  const child = superviseChild({
    name: 'child',
    clock: systemClock,
    say: (line) => lines.push(line),
    explain: () => 'the disk is full',
    fatalExitCode: 78,
    onFatal: () => t.fail('not fatal'),
    start() {
      starts += 1;
      return starts === 1 ? spawn('false') : spawn('sleep', ['60']);
    },
  });
  await waitFor('second start', 5_000, () => starts === 2);
  t.match(lines[0], /child ended \(code 1\): the disk is full, restarting it in 0.25 s/);
  await child.stop();
  t.equal(child.state(), 'stopped');
  t.equal(starts, 2, 'a stopped child is not restarted');
});

t.test('a full disk is named, and another one is not', async (t) => {
  const disk = await smallDisk(1_024);
  t.teardown(() => disk.remove());
  disk.fill();
  t.match(fullDisk(disk.seenHere), /^the disk of .* is full \(0 MiB free\)$/);
  t.equal(fullDisk(tmpdir()), null);
});

t.test('a disk that is nearly full is named once, and again after it had room', (t) => {
  let free: number | null = null;
  const warning = createLowDiskWarning('/data', () => free);
  const atMib = (mib: number) => {
    free = mib * 1024 ** 2;
    return warning();
  };
  t.equal(warning(), null, 'the folder has gone');
  t.equal(atMib(500), null);
  t.match(atMib(499), /^only 499 MiB free on the disk of \/data/);
  for (const mib of [400, 600, 300]) t.equal(atMib(mib), null, `still at ${mib} MiB`);
  t.equal(atMib(1_000), null);
  t.match(atMib(100), /100 MiB/);
  t.end();
});

t.test('a child with invalid settings is not restarted', async (t) => {
  let fatal = 0;
  let starts = 0;
  const child = superviseChild({
    name: 'child',
    clock: systemClock,
    say: () => {},
    explain: () => null,
    fatalExitCode: 78,
    onFatal: () => {
      fatal += 1;
    },
    start() {
      starts += 1;
      return spawn('sh', ['-c', 'exit 78']);
    },
  });
  await waitFor('stopped', 5_000, () => child.state() === 'stopped');
  t.same([fatal, starts], [1, 1]);
  await child.stop();
});

t.test('a child that waits for its restart can be stopped', async (t) => {
  const child = superviseChild({
    name: 'child',
    clock: systemClock,
    say: () => {},
    explain: () => null,
    fatalExitCode: 78,
    onFatal: () => {},
    start: () => spawn('false'),
  });
  await waitFor('waiting', 5_000, () => child.state() === 'waiting', 5);
  await child.stop();
  t.equal(child.state(), 'stopped');
});

t.test('the processes of a killed supervisor are ended, but not other processes that reuse their pids', async (t) => {
  const dataDir = await mkdtemp(`${tmpdir()}/picket-leftovers-`);
  t.teardown(() => rm(dataDir, { recursive: true, force: true }));
  const ours = spawn('sleep', ['60'], { env: { ...process.env, PICKET_DATA_DIR: dataDir } });
  // Of another Picket, whose data directory has a longer name.
  const foreign = spawn('sleep', ['60'], { env: { ...process.env, PICKET_DATA_DIR: `${dataDir}2` } });
  t.teardown(() => foreign.kill());
  saveProcess(dataDir, 'probe fra', ours.pid ?? null);
  saveProcess(dataDir, 'mongod', foreign.pid ?? null);
  const gone = new Promise((resolve) => ours.once('exit', (_code, signal) => resolve(signal)));
  await endLeftovers(dataDir, systemClock);
  t.equal(await gone, 'SIGTERM');
  t.equal(foreign.exitCode, null);
  t.equal(foreign.signalCode, null);
});

t.test('files of pids that a loss of power has cut off do not keep Picket from starting', async (t) => {
  for (const cutOff of ['', '{"pid":', '{}', '{"pid":-1}', 'null']) {
    const dataDir = t.testdir({ run: { 'mongod.pid': cutOff } });
    await endLeftovers(dataDir, systemClock);
    t.same(await readdir(join(dataDir, 'run')), [], JSON.stringify(cutOff));
  }
});

t.test('a mongod that replays its journal gets half an hour, with a line each half minute', async (t) => {
  const said: string[] = [];
  let nowMs = 0;
  const clock = {
    monotonic: () => nowMs,
    async sleep() {
      nowMs += 15_000;
    },
  };
  const home = { dbPath: t.testdir({ 'mongod.log': 'replaying' }), port: 1, password: '', keyFile: '' };
  const waiting = whenPrimary({ home, clock, ended: () => nowMs >= 75_000, say: (line) => said.push(line) });
  await t.rejects(waiting, { message: /mongod exited at start.\nreplaying$/ });
  t.match(said, [/mongod is still starting/, /mongod is still starting/]);
});

t.test('a data directory has one supervisor; the mark of one that has ended does not count', async (t) => {
  const dataDir = t.testdir({});
  const mark = join(dataDir, 'supervisor.json');
  await claimDataDirectory(dataDir);
  await claimDataDirectory(dataDir);
  const own = JSON.parse(await readFile(mark, 'utf8'));
  t.equal(own.pid, process.pid);
  // The parent of this process runs, but it started at another time than the mark says.
  await writeFile(mark, JSON.stringify({ ...own, pid: process.ppid }));
  await claimDataDirectory(dataDir);
  const stat = await readFile(`/proc/${process.ppid}/stat`, 'utf8');
  const startTicks = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
  const boot = (await readFile('/proc/sys/kernel/random/boot_id', 'utf8')).trim();
  await writeFile(mark, JSON.stringify({ pid: process.ppid, started: `${boot}/${startTicks}` }));
  await t.rejects(claimDataDirectory(dataDir), {
    name: 'SettingError',
    message: `PICKET_DATA_DIR ${dataDir} is in use by Picket, which runs as process ${process.ppid}`,
  });
  await writeFile(mark, '{"pid":');
  await claimDataDirectory(dataDir);
});

t.test('a mongod that cannot run here is skipped, with the reason', async (t) => {
  const folder = await mkdtemp(`${tmpdir()}/picket-mongods-`);
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  const mongod = async (name: string, script: string) => {
    await mkdir(join(folder, name));
    await writeFile(join(folder, name, 'mongod'), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    return join(folder, name);
  };
  const loader = 'mongod: error while loading shared libraries: libcurl.so.4: cannot open shared object file';
  const broken = await mongod('broken', `echo '${loader}' >&2; exit 127`);
  const old = await mongod('old', 'echo db version v4.4.29');
  const odd = await mongod('odd', 'echo hello');
  const good = await mongod('good', 'echo db version v6.0.27');
  const check = (name: string) => checkMongod(join(name, 'mongod'));
  t.same(await check(broken), { problem: loader });
  t.same(await check(old), { problem: 'db version v4.4.29, but version 6.0 or later is required' });
  t.match(await check(odd), { problem: /^no version/ });
  t.match(await check(join(folder, 'none')), { problem: /ENOENT/ });
  t.same(await check(good), { version: '6.0.27', warning: null });
  const say = (line: string) => t.fail(`nothing is downloaded: ${line}`);
  const find = (path: string, cacheDir: string) => findMongod({ path, cacheDir, say });
  t.equal(await find([folder, broken, old, good].join(':'), broken), join(good, 'mongod'), 'the first usable one');
  t.equal(await find([broken, old].join(':'), good), join(good, 'mongod'), 'else the one of an earlier start');
});

t.test('settings are validated strictly, and the error names the variable', (t) => {
  const settings = readSettings({ A: '7', EMPTY: ' ', BAD: '1e2', FLAG: 'true', URL: 'ftp://x' });
  t.equal(settings.integer('A', 1, { min: 1, max: 10 }), 7);
  t.equal(settings.integer('EMPTY', 3, { min: 1, max: 10 }), 3);
  t.throws(() => settings.integer('A', 1, { min: 8, max: 10 }), /A must be a whole number from 8 to 10/);
  t.throws(() => settings.integer('BAD', 1, { min: 0, max: 1000 }), /BAD must be/);
  t.throws(() => settings.flag('FLAG', false), /FLAG must be 0 or 1/);
  t.throws(() => settings.url('URL', '', ['http:', 'https:']), /URL must start with http:\/\/ or https:\/\//);
  t.throws(() => settings.oneOf('A', ['x', 'y'], 'x'), /A must be one of x, y/);
  t.end();
});

t.test('locations: five by default, none if empty, without duplicates', (t) => {
  t.same(readSupervisorConfig({}).locations, ['fra', 'nyc', 'sin', 'lon', 'sfo']);
  t.same(readSupervisorConfig({ PICKET_LOCATIONS: '' }).locations, []);
  t.same(readSupervisorConfig({ PICKET_LOCATIONS: 'fra, fra,nyc' }).locations, ['fra', 'nyc']);
  t.throws(() => readSupervisorConfig({ PICKET_LOCATIONS: 'Frankfurt!' }), /PICKET_LOCATIONS/);
  t.end();
});

t.test('a join token for the agent is created only if it has no credential, and a failure is one line', async (t) => {
  const folder = t.testdir({
    joined: { 'credential.json': '{}' },
    new: {},
    'gives.mjs': `console.log(process.argv.slice(2).join(' ') === 'join-token --server' ? 'server pjt_abc' : 'wrong')`,
    'refuses.mjs': `console.error('picket: a stack\\npicket: the plan has no place for a server'); process.exit(70)`,
  });
  t.equal(await agentToken(join(folder, 'gives.mjs'), join(folder, 'new'), {}), 'pjt_abc');
  t.equal(await agentToken(join(folder, 'refuses.mjs'), join(folder, 'joined'), {}), null);
  const refused = await agentToken(join(folder, 'refuses.mjs'), join(folder, 'new'), {}).catch(failureLine);
  t.equal(refused, 'picket: the plan has no place for a server');
});

t.test('an unknown location is an error of PICKET_LOCATIONS, and other failures are one line', async (t) => {
  const folder = t.testdir({
    'unknown.mjs': `console.error('picket: unknown check location "xxx"; the locations are fra'); process.exit(64)`,
    'fails.mjs': `console.error('picket: the database is empty'); process.exit(70)`,
  });
  const config = { locations: ['xxx'], dataDir: folder };
  await t.rejects(probeTokens(join(folder, 'unknown.mjs'), config, {}), {
    name: 'SettingError',
    message: 'PICKET_LOCATIONS contains an unknown check location "xxx"; the locations are fra',
  });
  await t.rejects(probeTokens(join(folder, 'fails.mjs'), config, {}), {
    name: 'Error',
    message: 'failed to create join tokens for the probes: the database is empty',
  });
});
