import { mkdirSync, readdirSync, readFileSync, rmdirSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import { pino } from 'pino';
import t, { type Test } from 'tap';
import type { LinkState } from '../../../node-link/link-state.js';
import { createAssignmentsFile, type SavedAssignments } from '../../../probe/assignments/file.js';
import { createAssignmentsWriter } from '../../../probe/assignments/writer.js';
import { createChecking } from '../../../probe/checking.js';
import type { CheckOutcome } from '../../../probe/checks/outcome.js';
import { startFallback } from '../../../probe/fallback.js';
import type { Assignment } from '../../../probe/schedule.js';
import { loadAssignmentsCodec } from '../../../proto/load.js';
import { testClock } from '../../helpers/clock.js';
import { temporaryFolder } from '../../helpers/machine/temporary-folder.js';

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

const SAVED: SavedAssignments = {
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

/** A logger whose lines are readable for the test. */
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

t.test('saved assignments are read back completely, and only the owner can read the file', async (t) => {
  const { file, path, directory, written } = openFile(t);
  t.equal(file.load(), null, 'there is nothing yet');
  await file.save(SAVED);
  t.strictSame(JSON.parse(JSON.stringify(file.load())), JSON.parse(JSON.stringify(SAVED)));
  t.equal(statSync(path).mode & 0o777, 0o600);
  await file.save({ assignments: [], clockAheadMs: 0 });
  t.strictSame(file.load(), { assignments: [], clockAheadMs: 0 }, 'the next file replaces the first');
  t.strictSame(readdirSync(directory), ['assignments.bin'], 'no other file is left');
  t.strictSame(written, [], 'nothing is logged');
});

t.test('a damaged file is ignored and logged once, wherever the damage is', async (t) => {
  const { file, path, written } = openFile(t);
  await file.save(SAVED);
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
    if (!damaged(good.subarray(0, length))) t.fail(`truncated to ${length} bytes`);
  }
  t.ok(damaged(Buffer.concat([good, Buffer.alloc(1)])), 'additional bytes at the end');
  t.notMatch(JSON.stringify(written), /very-secret/);
  writeFileSync(path, good);
  t.equal(file.load()?.assignments.length, 2, 'the undamaged file is read');
});

t.test('a file of another version, of another node or of an absurd size is ignored and logged once', async (t) => {
  const { file, path, directory, written } = openFile(t);
  await file.save(SAVED);
  const later = Buffer.from(readFileSync(path).toString('latin1').replace('"version":1', '"version":2'), 'latin1');
  later.writeUInt32LE(crc32(later.subarray(0, -4)), later.length - 4);
  writeFileSync(path, later);
  t.equal(file.load(), null);
  t.match(written, [{ reason: 'has version 2, not 1' }]);

  await file.save(SAVED);
  const other = openFile(t, 'prb_other', directory);
  t.equal(other.file.load(), null, 'a file of the node that joined from this directory before');
  t.match(other.written, [{ reason: 'belongs to another node' }]);

  written.length = 0;
  truncateSync(path, 64 * 1024 * 1024 + 1);
  t.equal(file.load(), null);
  t.match(written, [{ reason: 'is too large' }]);
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

t.test('a failed write does not change the file', async (t) => {
  const { file, path } = openFile(t);
  await file.save(SAVED);
  // A directory with the name of the new file makes the write fail, like a full disk.
  mkdirSync(`${path}.tmp`);
  await t.rejects(file.save({ assignments: [], clockAheadMs: 0 }), { code: 'EISDIR' });
  t.equal(file.load()?.assignments.length, 2);
  rmdirSync(`${path}.tmp`);
  // A kill during a write leaves an incomplete file.
  writeFileSync(`${path}.tmp`, readFileSync(path).subarray(0, 40));
  t.equal(file.load()?.assignments.length, 2);
  await file.save({ assignments: [], clockAheadMs: 0 });
  t.equal(file.load()?.assignments.length, 0);
});

/** A writer whose writes take a set time or fail. */
function writerOf(clock = testClock(NOON)) {
  const { written, logger } = lines();
  const writes: number[] = [];
  const disk = { takesMs: 10, fails: false };
  let count = 0;
  const writer = createAssignmentsWriter({
    file: {
      async save({ assignments }) {
        if (disk.fails) throw new Error('no space left on device');
        await clock.sleep(disk.takesMs);
        writes.push(assignments.length);
      },
    },
    toSave: () => ({
      assignments: Array.from({ length: count }, (_, index) => assignment(`mon_${index}`)),
      clockAheadMs: 0,
    }),
    clock,
    logger,
  });
  const change = () => {
    count += 1;
    writer.changed();
  };
  return { clock, writer, writes, disk, change, written, changes: () => count };
}

t.test('a change is on disk after a second; many changes cause one write every five seconds', async (t) => {
  const { clock, writer, writes, change, disk, changes } = writerOf();
  change();
  change();
  await clock.advance(1_100);
  t.strictSame(writes, [2]);
  await clock.advance(60_000);
  t.strictSame(writes, [2], 'without a change nothing is written');
  for (let count = 0; count < 600; count += 1) {
    change();
    await clock.advance(100);
  }
  t.ok(writes.length - 1 >= 11 && writes.length - 1 <= 13, `${writes.length - 1} writes in a minute of changes`);
  await clock.advance(6_000);
  t.equal(writes.at(-1), changes(), 'including the last change');

  disk.takesMs = 400;
  writes.length = 0;
  for (let count = 0; count < 600; count += 1) {
    change();
    await clock.advance(100);
  }
  t.ok(writes.length >= 2 && writes.length <= 4, `${writes.length} writes of 0.4 s each`);
  const stopped = writer.stop();
  await clock.advance(500);
  await clock.advance(500);
  await stopped;
  t.equal(writes.at(-1), changes(), 'the stop writes the last change');
  change();
  await clock.advance(60_000);
  t.equal(writes.at(-1), changes() - 1, 'and nothing is written after it');
});

t.test('a failing disk is logged once and retried', async (t) => {
  const { clock, writer, writes, change, disk, written } = writerOf();
  disk.fails = true;
  for (let count = 0; count < 600; count += 1) {
    change();
    await clock.advance(1_000);
  }
  t.equal(written.length, 1);
  t.match(written[0]?.msg, /saving the assignments failed/);
  disk.fails = false;
  await clock.advance(61_000);
  t.strictSame(writes, [600], 'without another change');
  await writer.stop();
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
    deliver: (result) => void slots.push(`${result.monitorId} ${Number(result.slotMs) - NOON}`),
    clock,
    logger: pino({ level: 'silent' }),
  });
  return { clock, checking, slots };
}

t.test(
  'saved monitors are checked by the saved clock, and no slot runs twice when the control plane answers',
  async (t) => {
    const { clock, checking, slots } = checkingOf();
    checking.resume({ assignments: SAVED.assignments, clockAheadMs: -7_000 });
    t.strictSame(checking.assigned(), { assignments: 2, assignmentsRevision: 0 }, 'the saved set is not a snapshot');
    // Just after a slot, which would be due again if the clock were set back.
    await clock.advance(11_100);
    t.strictSame(slots, ['mon_b -6000', 'mon_a 0', 'mon_b 4000']);
    t.equal(Math.round(checking.toSave().clockAheadMs), -7_000);

    // The times of a distant control plane differ by tenths of a second, the first one most.
    for (const offMs of [-700, -400, 300, -100]) {
      checking.serverTime.observe(NOON - 7_000 + clock.monotonic() + offMs, 0);
      await clock.advance(2_500);
    }
    await clock.advance(32_400);
    t.equal(new Set(slots).size, slots.length, 'no slot runs twice');
    t.equal(slots.length, 11, 'no slot is missed');

    checking.restart();
    checking.assign({ revision: 7, snapshot: true, last: true, put: [assignment('mon_b')], remove: [] });
    t.strictSame(checking.assigned(), { assignments: 1, assignmentsRevision: 7 });
    slots.length = 0;
    await clock.advance(20_000);
    t.ok(slots.length >= 2 && slots.every((slot) => slot.startsWith('mon_b')), 'the deleted monitor is not checked');
    await checking.stop(0);
  },
);

t.test('saved assignments do not replace those that the control plane has sent', async (t) => {
  const { checking } = checkingOf();
  checking.assign({ revision: 7, snapshot: true, last: false, put: [assignment('mon_b', { version: 5 })], remove: [] });
  checking.resume({
    assignments: [...SAVED.assignments, assignment('mon_c', { intervalSeconds: 0 })],
    clockAheadMs: 0,
  });
  t.strictSame(
    checking.toSave().assignments.map(({ monitorId, version }) => [monitorId, version]),
    [
      ['mon_b', 5],
      ['mon_a', 1],
    ],
  );
  await checking.stop(0);
});

t.test('the file is read once if the control plane does not answer, and never for a refused probe', async (t) => {
  const scenes: [string, (second: number) => LinkState, (second: number) => boolean, number | null][] = [
    ['no answer', () => 'waiting', () => false, 5],
    ['the first attempt hangs', () => 'connecting', () => false, 5],
    ['an answer in time', () => 'welcomed', (second) => second >= 1, null],
    ['a welcome, and a snapshot that takes long', () => 'welcomed', (second) => second >= 12, null],
    [
      'a control plane that failed after its welcome',
      (second) => (second < 7 ? 'welcomed' : 'waiting'),
      () => false,
      10,
    ],
    ['revoked', () => 'refused', () => false, null],
  ];
  for (const [name, linkState, isAssigned, expectedS] of scenes) {
    const clock = testClock(NOON);
    const start = clock.monotonic();
    const second = () => (clock.monotonic() - start) / 1_000;
    const resumed: number[] = [];
    const { written, logger } = lines();
    const fallback = startFallback({
      file: { load: () => SAVED },
      linkState: () => linkState(second()),
      isAssigned: () => isAssigned(second()),
      resume: () => void resumed.push(second()),
      clock,
      logger,
    });
    await clock.advance(60_000);
    fallback.stop();
    t.strictSame(resumed, expectedS === null ? [] : [expectedS], name);
    t.equal(written.length, resumed.length, 'it is logged once');
  }
});
