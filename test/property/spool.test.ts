import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { pino } from 'pino';
import t from 'tap';
import { openSpool, type Spool } from '../../node-link/spool/spool.js';
import { testClock } from '../helpers/clock.js';

const logger = pino({ level: 'silent' });
const root = mkdtempSync(join(tmpdir(), 'picket-spool-'));
t.teardown(() => rmSync(root, { recursive: true, force: true }));
let folders = 0;

type Step =
  | { kind: 'append'; count: number; size: number }
  | { kind: 'ack'; share: number }
  | { kind: 'reopen' }
  | { kind: 'kill' }
  | { kind: 'cut'; share: number }
  | { kind: 'rot'; segment: number; at: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('append' as const),
      count: fc.integer({ min: 1, max: 60 }),
      size: fc.integer({ min: 1, max: 300 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('ack' as const), share: fc.double({ min: 0, max: 1, noNaN: true }) }),
  },
  { weight: 1, arbitrary: fc.constant({ kind: 'reopen' as const }) },
  { weight: 2, arbitrary: fc.constant({ kind: 'kill' as const }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('cut' as const), share: fc.double({ min: 0, max: 1, noNaN: true }) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('rot' as const),
      segment: fc.nat(20),
      at: fc.double({ min: 0, max: 1, noNaN: true }),
    }),
  },
);

/** The model: records that are neither acknowledged nor lost, and the content of each sequence number ever assigned. */
interface Model {
  live: Map<number, string>;
  given: Map<number, string>;
  dropped: number;
  damaged: number;
}

function open(directory: string, bytesMax: number): Spool {
  return openSpool({ directory, bytesMax, freeRatioMin: 0, clock: testClock(), logger });
}

/** Returns all waiting records, read like the sender does: in small batches, one after another. */
function readAll(spool: Spool): Map<number, string> {
  const found = new Map<number, string>();
  let after = spool.ackedSeq();
  for (;;) {
    const records = spool.read(after, { records: 7, bytes: 900 });
    if (records.length === 0) return found;
    if (records.length > 7) throw new Error('more records than requested');
    for (const record of records) {
      if (record.seq <= after) throw new Error(`${record.seq} is read after ${after}`);
      if (record !== records[0] && record.seq !== after + 1) throw new Error('a gap within one batch');
      found.set(record.seq, Buffer.from(record.bytes).toString());
      after = record.seq;
    }
  }
}

function segmentsOf(directory: string): string[] {
  return readdirSync(directory)
    .filter((name) => name.endsWith('.seg'))
    .sort();
}

/** Returns a copy of the files, as the process after a killed one finds them. */
function copyOf(directory: string): string {
  folders += 1;
  const copy = join(root, String(folders));
  cpSync(directory, copy, { recursive: true });
  return copy;
}

/** Lost records must be the oldest ones, and counted exactly. */
function expectOldestGone(model: Model, spool: Spool): void {
  const found = readAll(spool);
  const gone = [...model.live.keys()].filter((seq) => !found.has(seq));
  const oldest = [...model.live.keys()].slice(0, gone.length);
  if (gone.some((seq, index) => seq !== oldest[index])) throw new Error('a newer record is lost before an older one');
  for (const seq of gone) model.live.delete(seq);
  model.dropped += gone.length;
  expectSame(model, spool);
}

function expectSame(model: Model, spool: Spool): void {
  const found = readAll(spool);
  if (found.size !== model.live.size) throw new Error(`${found.size} records wait, ${model.live.size} should`);
  for (const [seq, text] of found)
    if (model.live.get(seq) !== text) throw new Error(`record ${seq} has another content`);
  const stats = spool.stats();
  if (stats.records !== model.live.size) throw new Error(`stats say ${stats.records}, ${model.live.size} wait`);
  if (stats.droppedTotal !== model.dropped)
    throw new Error(`${stats.droppedTotal} counted as dropped, ${model.dropped} were`);
  if (stats.damagedTotal !== model.damaged)
    throw new Error(`${stats.damagedTotal} counted as damaged, ${model.damaged} were`);
}

async function run(bytesMax: number, steps: Step[]): Promise<void> {
  folders += 1;
  let directory = join(root, String(folders));
  let spool = open(directory, bytesMax);
  const model: Model = { live: new Map(), given: new Map(), dropped: 0, damaged: 0 };
  let written = 0;

  function append(size: number): void {
    written += 1;
    const text = `${written} ${'x'.repeat(size)}`;
    const seq = spool.append(Buffer.from(text));
    if (model.given.has(seq)) throw new Error(`${seq} is assigned a second time`);
    model.given.set(seq, text);
    model.live.set(seq, text);
  }

  for (const now of steps) {
    if (now.kind === 'append') {
      for (let count = 0; count < now.count; count += 1) append(now.size);
      expectOldestGone(model, spool);
    } else if (now.kind === 'ack') {
      const seqs = [...model.live.keys()];
      const upTo = seqs[Math.floor(now.share * (seqs.length - 1))];
      if (upTo === undefined) continue;
      spool.ack(upTo);
      for (const seq of seqs) if (seq <= upTo) model.live.delete(seq);
      await spool.sync();
      expectSame(model, spool);
    } else if (now.kind === 'reopen') {
      await spool.close();
      spool = open(directory, bytesMax);
      expectSame(model, spool);
    } else if (now.kind === 'kill') {
      directory = copyOf(directory);
      spool = open(directory, bytesMax);
      expectSame(model, spool);
    } else if (now.kind === 'cut') {
      directory = copyOf(directory);
      const last = segmentsOf(directory).at(-1);
      if (last !== undefined) {
        const path = join(directory, last);
        // Only the segment that is written can be truncated. The header of a sealed one names its last record.
        if (readFileSync(path).readUIntLE(14, 6) === 0) truncateSync(path, Math.floor(now.share * statSync(path).size));
      }
      spool = open(directory, bytesMax);
      const found = readAll(spool);
      const gone = [...model.live.keys()].filter((seq) => !found.has(seq));
      const newest = gone.length === 0 ? [] : [...model.live.keys()].slice(-gone.length);
      if (gone.some((seq, index) => seq !== newest[index])) throw new Error('a truncated end cost more than the end');
      for (const seq of gone) model.live.delete(seq);
      expectSame(model, spool);
    } else {
      await spool.close();
      directory = copyOf(directory);
      const names = segmentsOf(directory);
      const name = names[now.segment % Math.max(1, names.length)];
      if (name !== undefined) {
        const path = join(directory, name);
        const bytes = readFileSync(path);
        const at = 24 + Math.floor(now.at * (bytes.length - 25));
        bytes[at] = (bytes[at] ?? 0) ^ 0x5a;
        writeFileSync(path, bytes);
      }
      spool = open(directory, bytesMax);
      const found = readAll(spool);
      const gone = [...model.live.keys()].filter((seq) => !found.has(seq));
      for (const [index, seq] of gone.entries()) {
        if (index > 0 && seq !== (gone[index - 1] ?? 0) + 1) throw new Error('damage cost records of another segment');
        model.live.delete(seq);
      }
      model.damaged += gone.length;
      model.dropped += gone.length;
      expectSame(model, spool);
    }
    const size = segmentsOf(directory).reduce((sum, name) => sum + statSync(join(directory, name)).size, 0);
    if (size > bytesMax) throw new Error(`${size} bytes on the disk, ${bytesMax} allowed`);
  }
  await spool.close();
}

t.test(
  'after any sequence of events, a spool returns the records of the model, and counts the others exactly',
  async (t) => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(4_000, 20_000, 1_000_000), fc.array(step, { minLength: 1, maxLength: 25 }), run),
      { numRuns: 120 },
    );
    t.pass('120 histories of appends, acknowledgements, restarts, kills, cuts and damage');
  },
);
