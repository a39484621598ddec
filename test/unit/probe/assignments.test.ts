import { mkdirSync, readdirSync, readFileSync, rmdirSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import { pino } from 'pino';
import t, { type Test } from 'tap';
import type { LinkState } from '../../../node-link/link-state.js';
import { ASSIGNMENTS_FILE_BYTES_MAX, createAssignmentsFile, type LastKnown } from '../../../probe/assignments/file.js';
import { createAssignmentsKeeper } from '../../../probe/assignments/keeper.js';
import { createChecking } from '../../../probe/checking.js';
import type { CheckOutcome } from '../../../probe/checks/check.js';
import { startFallback } from '../../../probe/fallback.js';
import type { Assignment } from '../../../probe/schedule.js';
import { loadAssignmentsCodec } from '../../../proto/load.js';
import { testClock } from '../../helpers/clock.js';
import { temporaryFolder } from '../../helpers/processes/probe-process.js';

const codec = loadAssignmentsCodec();
const NOON = Date.UTC(2026, 0, 31, 12);
const SECRET = 'Bearer very-secret';

function assignment(monitorId: string, overrides: Partial<Assignment> = {}): Assignment {
  return {
    monitorId,
    version: 1,
    type: 'tcp',
    url: 'tcp://127.0.0.1:1',
    intervalSeconds: 10,
    phaseMs: 0,
    timeoutMs: 1000,
    retries: 0,
    http: null,
    retryDelayMs: 0,
    ...overrides,
  };
}

const KNOWN: LastKnown = {
  assignments: [
    assignment('mon_a', {
      type: 'http',
      url: 'https://shop.example/päth',
      http: {
        method: 'POST',
        expectedStatus: 201,
        keyword: '',
        followRedirects: true,
        ignoreTlsErrors: false,
        headers: { Authorization: SECRET },
        body: '{"a": 1}',
      },
    }),
    assignment('mon_b', { phaseMs: 4_000, retries: 2 }),
  ],
  clockAheadMs: -7_000,
};

/** A logger whose lines the test can read. */
function lines() {
  const written: { msg: string; reason?: string }[] = [];
  const logger = pino(
    new Writable({
      write(line, _encoding, done) {
        written.push(JSON.parse(String(line)));
        done();
      },
    }),
  );
  return { written, logger };
}

function openFile(t: Test, nodeId = 'prb_one', directory = temporaryFolder(t)) {
  const { written, logger } = lines();
  const path = join(directory, 'assignments.bin');
  return { file: createAssignmentsFile({ directory, nodeId, codec, logger }), path, directory, written };
}

t.test('what was held is read back whole, and only the owner can read it', async (t) => {
  const { file, path, directory, written } = openFile(t);
  t.equal(file.load(), null, 'there is nothing yet');
  await file.save(KNOWN);
  t.strictSame(JSON.parse(JSON.stringify(file.load())), JSON.parse(JSON.stringify(KNOWN)));
  t.equal(statSync(path).mode & 0o777, 0o600);
  await file.save({ assignments: [], clockAheadMs: 0 });
  t.strictSame(file.load(), { assignments: [], clockAheadMs: 0 }, 'the next one takes its place');
  t.strictSame(readdirSync(directory), ['assignments.bin'], 'and nothing is left beside it');
  t.strictSame(written, [], 'none of this is worth a line');
});

t.test('a damaged file is ignored with one line, wherever the damage is', async (t) => {
  const { file, path, written } = openFile(t);
  await file.save(KNOWN);
  const good = readFileSync(path);
  const damaged = (bytes: Buffer) => {
    writeFileSync(path, bytes);
    written.length = 0;
    return file.load() === null && written.length === 1 && written[0]?.msg.includes('cannot be used') === true;
  };
  t.doesNotThrow(() =>
    fc.assert(
      fc.property(fc.nat(good.length - 1), fc.integer({ min: 1, max: 255 }), (at, flip) => {
        const bytes = Buffer.from(good);
        bytes[at] = (bytes[at] ?? 0) ^ flip;
        return damaged(bytes);
      }),
    ),
  );
  for (let length = 0; length < good.length; length += 1) {
    if (!damaged(good.subarray(0, length))) t.fail(`cut off at ${length}`);
  }
  t.ok(damaged(Buffer.concat([good, Buffer.alloc(1)])), 'something behind it');
  t.notMatch(JSON.stringify(written), /very-secret/);
  writeFileSync(path, good);
  t.equal(file.load()?.assignments.length, 2, 'undamaged it is read');
});

t.test('a file of another version, another node or an absurd size is ignored with one line', async (t) => {
  const { file, path, directory, written } = openFile(t);
  await file.save(KNOWN);
  const later = Buffer.from(readFileSync(path).toString('latin1').replace('"version":1', '"version":2'), 'latin1');
  later.writeUInt32LE(crc32(later.subarray(0, -4)), later.length - 4);
  writeFileSync(path, later);
  t.equal(file.load(), null);
  t.match(written, [{ reason: 'of version 2, not 1' }]);

  await file.save(KNOWN);
  const other = openFile(t, 'prb_other', directory);
  t.equal(other.file.load(), null, 'of the node that had joined from here before');
  t.match(other.written, [{ reason: 'of another node' }]);

  written.length = 0;
  truncateSync(path, ASSIGNMENTS_FILE_BYTES_MAX + 1);
  t.equal(file.load(), null);
  t.match(written, [{ reason: 'too large' }]);
  const body = 'x'.repeat(1024 * 1024);
  const http = {
    method: 'POST',
    expectedStatus: 200,
    followRedirects: true,
    ignoreTlsErrors: false,
    headers: {},
    body,
  };
  const large = Array.from({ length: 64 }, (_, index) => assignment(`mon_${index}`, { type: 'http', http }));
  await t.rejects(file.save({ assignments: large, clockAheadMs: 0 }), { name: 'RangeError' });
});

t.test('a write that fails leaves the file as it was', async (t) => {
  const { file, path } = openFile(t);
  await file.save(KNOWN);
  // In the way of the new file, as a disk without room for it would be.
  mkdirSync(`${path}.tmp`);
  await t.rejects(file.save({ assignments: [], clockAheadMs: 0 }), { code: 'EISDIR' });
  t.equal(file.load()?.assignments.length, 2);
  rmdirSync(`${path}.tmp`);
  // What a kill in the middle of a write leaves.
  writeFileSync(`${path}.tmp`, readFileSync(path).subarray(0, 40));
  t.equal(file.load()?.assignments.length, 2);
  await file.save({ assignments: [], clockAheadMs: 0 });
  t.equal(file.load()?.assignments.length, 0);
});

/** Writes that take as long as the test says, or fail. */
function keeperOf(clock = testClock(NOON)) {
  const { written, logger } = lines();
  const writes: number[] = [];
  const disk = { takesMs: 10, fails: false };
  let held = 0;
  const keeper = createAssignmentsKeeper({
    file: {
      async save({ assignments }) {
        if (disk.fails) throw new Error('no space left on device');
        await clock.sleep(disk.takesMs);
        writes.push(assignments.length);
      },
    },
    known: () => ({
      assignments: Array.from({ length: held }, (_, index) => assignment(`mon_${index}`)),
      clockAheadMs: 0,
    }),
    clock,
    logger,
  });
  const change = () => {
    held += 1;
    keeper.changed();
  };
  return { clock, keeper, writes, disk, change, written, held: () => held };
}

t.test('a second after a change it is on disk; any amount of change is a write each five seconds', async (t) => {
  const { clock, keeper, writes, change, disk, held } = keeperOf();
  change();
  change();
  await clock.advance(1_100);
  t.strictSame(writes, [2]);
  await clock.advance(60_000);
  t.strictSame(writes, [2], 'nothing changed, nothing is written');
  for (let count = 0; count < 600; count += 1) {
    change();
    await clock.advance(100);
  }
  t.ok(writes.length - 1 >= 11 && writes.length - 1 <= 13, `${writes.length - 1} writes in a minute of change`);
  await clock.advance(6_000);
  t.equal(writes.at(-1), held(), 'the last change too');

  disk.takesMs = 400;
  writes.length = 0;
  for (let count = 0; count < 600; count += 1) {
    change();
    await clock.advance(100);
  }
  t.ok(writes.length >= 2 && writes.length <= 4, `${writes.length} writes where each takes 0.4 s`);
  const stopped = keeper.stop();
  await clock.advance(500);
  await clock.advance(500);
  await stopped;
  t.equal(writes.at(-1), held(), 'at the end what is missing is written');
  change();
  await clock.advance(60_000);
  t.equal(writes.at(-1), held() - 1, 'and then nothing more');
});

t.test('a disk that takes nothing is told once and tried on', async (t) => {
  const { clock, keeper, writes, change, disk, written } = keeperOf();
  disk.fails = true;
  for (let count = 0; count < 600; count += 1) {
    change();
    await clock.advance(1_000);
  }
  t.equal(written.length, 1);
  t.match(written[0]?.msg, /cannot be kept on disk/);
  disk.fails = false;
  await clock.advance(61_000);
  t.strictSame(writes, [600], 'without another change');
  await keeper.stop();
  t.strictSame(writes, [600]);
});

const UP: CheckOutcome = {
  up: true,
  responseTimeMs: 5,
  timings: { dnsMs: null, connectMs: 1, tlsMs: null, ttfbMs: null, transferMs: null },
  httpStatus: null,
  error: null,
  certificate: null,
  address: '127.0.0.1',
};

function checkingOf(clock = testClock(NOON)) {
  const slots: string[] = [];
  const checking = createChecking({
    checker: { run: async () => UP },
    report: (result) => void slots.push(`${result.monitorId} ${Number(result.slotMs) - NOON}`),
    clock,
    logger: pino({ level: 'silent' }),
  });
  return { clock, checking, slots };
}

t.test('what was held is checked on the clock that is known, and no slot twice when it is told again', async (t) => {
  const { clock, checking, slots } = checkingOf();
  checking.resume({ assignments: KNOWN.assignments, clockAheadMs: -7_000 });
  t.strictSame(checking.held(), { assignments: 2, assignmentsRevision: 0 }, 'it is no complete set');
  // Just after a slot, which a clock that is set back has before it once more.
  await clock.advance(11_100);
  t.strictSame(slots, ['mon_b -6000', 'mon_a 0', 'mon_b 4000']);
  t.equal(Math.round(checking.lastKnown().clockAheadMs), -7_000);

  // Answers of a distant control plane: some tenths of a second off, the first one most of all.
  for (const offMs of [-700, -400, 300, -100]) {
    checking.serverTime.observe(NOON - 7_000 + clock.monotonic() + offMs, 0);
    await clock.advance(2_500);
  }
  await clock.advance(32_400);
  t.equal(new Set(slots).size, slots.length, 'none twice');
  t.equal(slots.length, 11, 'none missed');

  checking.restart();
  checking.assign({ revision: 7, snapshot: true, last: true, put: [assignment('mon_b')], remove: [] });
  t.strictSame(checking.held(), { assignments: 1, assignmentsRevision: 7 });
  slots.length = 0;
  await clock.advance(20_000);
  t.ok(slots.length >= 2 && slots.every((slot) => slot.startsWith('mon_b')), 'what was deleted is not checked');
  await checking.stop(0);
});

t.test('what the control plane has told already is not replaced by what was kept', async (t) => {
  const { checking } = checkingOf();
  checking.assign({ revision: 7, snapshot: true, last: false, put: [assignment('mon_b', { version: 5 })], remove: [] });
  checking.resume({
    assignments: [...KNOWN.assignments, assignment('mon_c', { intervalSeconds: 0 })],
    clockAheadMs: 0,
  });
  t.strictSame(
    checking.lastKnown().assignments.map(({ monitorId, version }) => [monitorId, version]),
    [
      ['mon_b', 5],
      ['mon_a', 1],
    ],
  );
  await checking.stop(0);
});

t.test('the file is read when nobody answers, once, and never for a probe that is refused', async (t) => {
  const scenes: [string, (second: number) => LinkState, (second: number) => boolean, number | null][] = [
    ['nobody answers', () => 'waiting', () => false, 5],
    ['the first try hangs', () => 'connecting', () => false, 5],
    ['an answer in time', () => 'welcomed', (second) => second >= 1, null],
    ['a welcome, and a long way to the end of the snapshot', () => 'welcomed', (second) => second >= 12, null],
    ['a control plane that died after its welcome', (second) => (second < 7 ? 'welcomed' : 'waiting'), () => false, 10],
    ['revoked', () => 'refused', () => false, null],
  ];
  for (const [name, linkState, told, expectedS] of scenes) {
    const clock = testClock(NOON);
    const start = clock.monotonic();
    const second = () => (clock.monotonic() - start) / 1_000;
    const resumed: number[] = [];
    const { written, logger } = lines();
    const fallback = startFallback({
      file: { load: () => KNOWN },
      linkState: () => linkState(second()),
      told: () => told(second()),
      resume: () => void resumed.push(second()),
      clock,
      logger,
    });
    await clock.advance(60_000);
    fallback.stop();
    t.strictSame(resumed, expectedS === null ? [] : [expectedS], name);
    t.equal(written.length, resumed.length, 'one line says so');
  }
});
