import { execFileSync } from 'node:child_process';
import {
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  unlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { pino } from 'pino';
import t, { type Test } from 'tap';
import { openSpool, type Spool } from '../../../node-link/spool/spool.js';
import { createSpoolStateFile, EMPTY_STATE } from '../../../node-link/spool/state.js';
import { testClock } from '../../helpers/clock.js';
import { temporaryFolder } from '../../helpers/machine/temporary-folder.js';

const logger = pino({ level: 'silent' });
const MIB = 1024 * 1024;
const ALL = { records: 100_000, bytes: 100_000_000 };

function open(directory: string, overrides: Partial<Parameters<typeof openSpool>[0]> = {}): Spool {
  return openSpool({ directory, bytesMax: 100_000_000, freeRatioMin: 0, clock: testClock(), logger, ...overrides });
}

function waiting(spool: Spool): number[] {
  const seqs: number[] = [];
  for (let after = 0; ; ) {
    const records = spool.read(after, { records: 500, bytes: 1_000_000 });
    if (records.length === 0) return seqs;
    for (const record of records) seqs.push(record.seq);
    after = records.at(-1)?.seq ?? after;
  }
}

/** Mounts a real file system of 1 MiB. */
function smallDisk(t: Test): string {
  const folder = join(temporaryFolder(t), 'disk');
  mkdirSync(folder);
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'picket-test', folder]);
  t.teardown(() => execFileSync('umount', ['-l', folder]));
  return folder;
}

/** Fills the disk; returns a function that frees the space. */
function fillUp(folder: string): () => void {
  const path = join(folder, 'filling');
  const fd = openSync(path, 'w');
  try {
    for (;;) writeSync(fd, Buffer.alloc(4096));
  } catch {
    // The disk is full.
  }
  closeSync(fd);
  return () => unlinkSync(path);
}

t.test('when the spool fills the disk, the oldest records are dropped and counted exactly', async (t) => {
  const folder = smallDisk(t);
  const spool = open(folder);
  const record = Buffer.alloc(200, 'x');
  const appended = 20_000;
  for (let count = 0; count < appended; count += 1) spool.append(record);
  const left = waiting(spool);
  t.ok(left.length > 1000, `${left.length} records fit`);
  t.equal(left.at(-1), appended, 'the newest is there');
  t.equal((left.at(-1) ?? 0) - (left[0] ?? 0) + 1, left.length, 'without a gap: only the oldest are dropped');
  t.equal(spool.stats().droppedTotal, appended - left.length);
  await spool.close();
  const again = open(folder);
  t.strictSame(waiting(again), left);
  t.equal(again.stats().droppedTotal, appended - left.length, 'the count is saved on the full disk');
  await again.close();
});

t.test('when other programs fill the disk, appending works, the order is kept and each loss is counted', async (t) => {
  const folder = smallDisk(t);
  const clock = testClock();
  const spool = open(folder, { clock });
  const first = spool.append(Buffer.alloc(200, 'a'));
  await spool.sync();
  const clear = fillUp(folder);
  const record = Buffer.alloc(1000, 'x');
  const appended = 10_000;
  for (let count = 0; count < appended; count += 1) spool.append(record);
  const total = appended + 1;
  const held = waiting(spool);
  t.equal(held.at(-1), first + appended);
  t.equal(held.length + spool.stats().droppedTotal, total, 'each record is kept or counted');
  t.equal(spool.stats().records, held.length);
  clear();
  spool.ack(held.at(-100) ?? 0);
  await clock.advance(300);
  await spool.sync();
  const rest = held.slice(-99);
  t.strictSame(waiting(spool), rest);
  await spool.close();
  const again = open(folder);
  t.strictSame(waiting(again), rest, 'they are on disk now');
  t.equal(again.stats().droppedTotal, total - held.length);
  t.ok(again.append(record) > first + appended, 'the numbers continue');
  await again.close();
});

t.test('the disk is already full when the spool is opened', async (t) => {
  const folder = smallDisk(t);
  const clear = fillUp(folder);
  const directory = join(folder, 'spool');
  const clock = testClock();
  const spool = open(directory, { clock });
  t.equal(spool.append(Buffer.from('one')), 1);
  t.equal(spool.append(Buffer.from('two')), 2);
  t.strictSame(waiting(spool), [1, 2], 'records can be sent anyway');
  clear();
  await clock.advance(300);
  await spool.close();
  const again = open(directory);
  t.strictSame(waiting(again), [1, 2], 'and are on disk once it has space');
  await again.close();
});

t.test('on a disk that is short of space, the spool does not grow and keeps its size', async (t) => {
  const folder = smallDisk(t);
  const spool = open(folder, { freeRatioMin: 0.5 });
  for (let count = 0; count < 10_000; count += 1) spool.append(Buffer.alloc(200, 'x'));
  const size = readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
  t.ok(size > 400_000 && size < 700_000, `${size} bytes of 1 MiB`);
  t.equal(waiting(spool).length + spool.stats().droppedTotal, 10_000);
  await spool.close();
});

t.test('when the folder cannot be used, records are kept in memory and can be sent', async (t) => {
  const file = join(temporaryFolder(t), 'file');
  writeFileSync(file, '');
  const spool = open(join(file, 'spool'));
  t.equal(spool.append(Buffer.from('one')), 1);
  t.equal(Buffer.from(spool.read(0, ALL)[0]?.bytes ?? []).toString(), 'one');
  spool.ack(1);
  t.equal(spool.stats().records, 0);
  for (let count = 0; count < 10_000; count += 1) spool.append(Buffer.alloc(1000, 'x'));
  const held = waiting(spool);
  t.ok(held.length * 1000 <= 4 * 1024 * 1024, 'within the limit of the memory');
  t.ok(held.length > 4000, 'up to the limit of the memory');
  t.equal(held.at(-1), 10_001);
  t.equal(held.length + spool.stats().droppedTotal, 10_000, 'each loss is counted');
  await spool.close();
});

t.test('segments that disappear are counted, and the spool continues', async (t) => {
  const directory = join(temporaryFolder(t), 'spool');
  const spool = open(directory, { bytesMax: 100_000 });
  for (let count = 0; count < 200; count += 1) spool.append(Buffer.alloc(200, 'x'));
  rmSync(directory, { recursive: true });
  mkdirSync(directory);
  t.strictSame(waiting(spool), []);
  t.equal(spool.stats().damagedTotal, 200);
  const seq = spool.append(Buffer.from('after'));
  t.strictSame(waiting(spool), [seq]);
  await spool.close();
});

t.test('records are written at once, and synced after 250 ms and on request', async (t) => {
  const directory = temporaryFolder(t);
  const clock = testClock();
  const spool = open(directory, { clock });
  spool.append(Buffer.from('one'));
  spool.append(Buffer.from('two'));
  t.equal(
    readFileSync(join(directory, readdirSync(directory).find((name) => name.endsWith('.seg')) ?? '')).includes('two'),
    true,
    'written at once',
  );
  spool.ack(1);
  await clock.advance(250);
  t.equal(
    createSpoolStateFile(join(directory, 'spool.state')).load()?.ackedSeq,
    1,
    'the acknowledged position is saved too',
  );
  await spool.sync();
  await spool.close();
});

t.test('an acknowledgement beyond the newest record does not affect later ones', async (t) => {
  const spool = open(temporaryFolder(t));
  spool.append(Buffer.from('one'));
  spool.ack(1_000_000);
  t.equal(spool.ackedSeq(), 1);
  const seq = spool.append(Buffer.from('two'));
  t.strictSame(waiting(spool), [seq]);
  spool.ack(0);
  t.equal(spool.ackedSeq(), 1, 'it never decreases');
  await spool.close();
});

t.test('a state file with one damaged slot gives the previous state', (t) => {
  const path = join(temporaryFolder(t), 'spool.state');
  const file = createSpoolStateFile(path);
  t.equal(file.load(), null);
  file.save({ ...EMPTY_STATE, ackedSeq: 5 }, true);
  file.save({ ...EMPTY_STATE, ackedSeq: 6 }, true);
  file.close();
  const bytes = readFileSync(path);
  const torn = [0, 2048].find((offset) => bytes.readDoubleLE(offset) === 2) ?? -1;
  bytes.fill(0, torn + 20, torn + 60);
  writeFileSync(path, bytes);
  const again = createSpoolStateFile(path);
  t.equal(again.load()?.ackedSeq, 5);
  again.save({ ...EMPTY_STATE, ackedSeq: 7 }, true);
  t.equal(createSpoolStateFile(path).load()?.ackedSeq, 7);
  writeFileSync(path, Buffer.alloc(10));
  t.equal(createSpoolStateFile(path).load(), null, 'an invalid file');
  t.end();
});

/** Returns V8's garbage collection, which Node.js shows only with a flag. */
function garbageCollection(): () => void {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc');
}

t.test('a spool of many segments is read in bounded memory', async (t) => {
  const directory = temporaryFolder(t);
  const spool = open(directory);
  const collect = garbageCollection();
  const record = Buffer.alloc(1000, 'x');
  for (let count = 0; count < 60_000; count += 1) spool.append(record);
  await spool.sync();
  let read = 0;
  let most = 0;
  const seen: WeakRef<ArrayBufferLike>[] = [];
  for (let after = 0; ; ) {
    const records = spool.read(after, { records: 500, bytes: 1024 * 1024 });
    if (records.length === 0) break;
    read += records.length;
    after = records.at(-1)?.seq ?? after;
    const buffers = new Set(records.map(({ bytes }) => bytes.buffer));
    most = Math.max(
      most,
      [...buffers].reduce((sum, { byteLength }) => sum + byteLength, 0),
    );
    seen.push(...[...buffers].map((buffer) => new WeakRef(buffer)));
  }
  t.equal(read, 60_000);
  t.ok(most < 4 * MIB, `one read takes ${most} bytes of memory`);
  // What a weak reference has shown in this turn of the event loop stays in memory until the next.
  await setImmediate();
  collect();
  const kept = seen.reduce((sum, buffer) => sum + (buffer.deref()?.byteLength ?? 0), 0);
  t.ok(kept < 4 * MIB, `${kept} bytes of the 60 MB that were read are kept`);
  await spool.close();
});
