import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import t, { type Test } from 'tap';
import type { MetricReport } from '../../../proto/generated/picket/link/v1/MetricReport.js';
import { createControlTime } from '../../../server-agent/control-time.js';
import { isSame } from '../../../server-agent/inventory.js';
import { createProcessAnswers } from '../../../server-agent/process-answers.js';
import { createSampler, phaseOf, slotAfter, stampOf } from '../../../server-agent/sampler.js';
import { createTimeFile, type KnownTime } from '../../../server-agent/time-file.js';
import { type TestClock, testClock } from '../../helpers/clock.js';
import { temporaryFolder } from '../../helpers/processes/probe-process.js';

const DAY_MS = 86_400_000;
const START = Date.UTC(2026, 0, 31, 12);
const logger = pino({ level: 'silent' });

/** A sampler and its time, as an agent puts them together. */
function sampling(t: Test, options: { clock: TestClock; directory?: string; bootId?: string; phaseMs?: number }) {
  const { clock, directory = temporaryFolder(t) } = options;
  const reports: MetricReport[] = [];
  const time = createControlTime({
    file: createTimeFile({ directory, logger }),
    bootId: options.bootId ?? 'boot-1',
    bootClock: clock,
    stampedMs: () => sampler.stampedMs(),
  });
  const state = { samples: 0, lateMs: 0 };
  const sampler = createSampler({
    intervalMs: 10_000,
    phaseMs: options.phaseMs ?? 3_000,
    stampedMs: time.lastStampedMs,
    serverTime: time.serverTime,
    timeIsKnown: time.isKnown,
    bootClock: clock,
    async sample() {
      state.samples += 1;
      return [{ metric: 'LOAD_1', device: '', value: 1 }];
    },
    report: (report) => void reports.push(report),
    logger,
  });
  const stamps = () => reports.map(({ atMs }) => Number(atMs) - START);
  /** The first sample, which only the next one is compared with, is taken then. */
  const start = async () => {
    sampler.start();
    await clock.advance(0);
  };
  return { directory, stamps, time, sampler, state, start };
}

t.test('slots lie at k * interval + phase; a phase is of the server and spread evenly', async (t) => {
  t.equal(slotAfter(100_000, 10_000, 3_000), 103_000);
  t.equal(slotAfter(103_000, 10_000, 3_000), 113_000);
  t.equal(slotAfter(102_999, 10_000, 3_000), 103_000);
  t.equal(phaseOf('srv_01', 10_000), phaseOf('srv_01', 10_000));
  const tenths = new Array(10).fill(0);
  for (let at = 0; at < 2_000; at++)
    tenths[Math.floor(phaseOf(`srv_01jgq6v3k8${at.toString(32).padStart(12, '0')}`, 10_000) / 1_000)]++;
  t.ok(Math.max(...tenths) < 280 && Math.min(...tenths) > 120, `2,000 servers: ${tenths}`);
});

t.test('the time of a report: the slot it was taken in, never twice, never before the one before', async (t) => {
  t.equal(stampOf(103_010, 103_000, 93_000), 103_000);
  t.equal(stampOf(102_999.4, 103_000, 93_000), 103_000, 'a timer may be a little early');
  t.equal(stampOf(104_000.4, 103_000, 93_000), 104_000, 'what is late is late');
  t.equal(stampOf(103_000, 103_000, 103_000), null);
  t.equal(stampOf(103_000, 103_000, 113_000), null, 'the clock was corrected by a little');
  t.equal(stampOf(103_000, 103_000, 103_000 + DAY_MS), 103_000, 'the control plane itself went back a day');
});

t.test("reports lie on the control plane's time, whatever this machine's clock says", async (t) => {
  const clock = testClock(START + DAY_MS);
  const { stamps, time, start } = sampling(t, { clock });
  await start();
  await clock.advance(15_000);
  t.strictSame(stamps(), [], 'nobody has told the time yet');
  time.observe(START + 15_000, 0);
  await clock.advance(10_000);
  t.strictSame(stamps(), [23_000]);
  clock.jump(-3 * DAY_MS);
  await clock.advance(20_000);
  t.strictSame(stamps(), [23_000, 33_000, 43_000], 'nor does it matter that it is set');
});

t.test('with nothing known and nobody there, the wall clock is believed after a minute', async (t) => {
  const clock = testClock(START);
  const { stamps, start } = sampling(t, { clock });
  await start();
  await clock.advance(85_000);
  t.strictSame(stamps(), [63_000, 73_000, 83_000]);
});

t.test('an agent that starts while the control plane is away knows its time from before', async (t) => {
  const before = testClock(START + DAY_MS);
  const first = sampling(t, { clock: before });
  await first.start();
  first.time.observe(START, 0);
  await before.advance(70_000);
  const kept: KnownTime = JSON.parse(readFileSync(join(first.directory, 'time.json'), 'utf8'));
  t.match(kept, { aheadMs: -DAY_MS, bootId: 'boot-1', stampedMs: START + 53_000 });
  t.strictSame(first.stamps().at(-1), 63_000);

  // Killed, and started again: in the same start of the machine, whose clock somebody has put right meanwhile.
  const again = sampling(t, { clock: before, directory: first.directory });
  before.jump(-DAY_MS);
  const third = sampling(t, { clock: before, directory: first.directory });
  await again.start();
  await third.start();
  await before.advance(10_000);
  t.strictSame(again.stamps(), [73_000]);
  t.strictSame(third.stamps(), [73_000], 'the boot clock carries it, not the wall clock');

  // After a restart of the machine, with its clock still a day off.
  const rebooted = testClock(START + DAY_MS + 200_000);
  const fourth = sampling(t, { clock: rebooted, directory: first.directory, bootId: 'boot-2' });
  await fourth.start();
  await rebooted.advance(10_000);
  t.strictSame(fourth.stamps(), [203_000]);
});

t.test('a file of the time that is cut off or nonsense counts as none', async (t) => {
  const directory = temporaryFolder(t);
  const file = createTimeFile({ directory, logger });
  for (const text of ['', '{"aheadMs":1', '{}', 'null', '{"aheadMs":"1","bootId":"","bootedAtMs":1,"stampedMs":1}']) {
    writeFileSync(join(directory, 'time.json'), text);
    t.equal(file.load(), null, text);
  }
  file.save({ aheadMs: 1.5, bootId: 'x', bootedAtMs: 2, stampedMs: 3 });
  t.strictSame(file.load(), { aheadMs: 1.5, bootId: 'x', bootedAtMs: 2, stampedMs: 3 });
  const lines: string[] = [];
  const loud = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) });
  const nowhere = createTimeFile({ directory: join(directory, 'gone'), logger: loud });
  for (let times = 0; times < 3; times++) nowhere.save({ aheadMs: 0, bootId: '', bootedAtMs: 0, stampedMs: 0 });
  t.equal(lines.length, 1, 'a disk that takes nothing is told of once');
});

t.test('nothing is read while nobody wants it; then it goes on', async (t) => {
  const clock = testClock(START);
  const { stamps, time, sampler, state, start } = sampling(t, { clock });
  time.observe(START, 0);
  await start();
  await clock.advance(15_000);
  sampler.pause();
  const samples = state.samples;
  await clock.advance(600_000);
  t.equal(state.samples, samples);
  sampler.resume();
  await clock.advance(10_000);
  t.strictSame(stamps(), [3_000, 13_000, 623_000]);
  await sampler.stop();
  await clock.advance(60_000);
  t.equal(stamps().length, 3);
});

t.test('many questions for the processes at once are answered by one sample', async (t) => {
  const answered: number[] = [];
  let samples = 0;
  let finish: () => void = () => {};
  const answers = createProcessAnswers({
    async sample() {
      samples += 1;
      await new Promise<void>((resolve) => {
        finish = resolve;
      });
      return { atMs: 1, total: 0, byCpu: [], byMemory: [] };
    },
    answer: ({ nonce }) => void answered.push(Number(nonce)),
    logger,
  });
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  for (let nonce = 1; nonce <= 1_000; nonce++) answers.ask(nonce);
  finish();
  await settle();
  t.equal(samples, 1);
  t.strictSame(
    answered,
    Array.from({ length: 100 }, (_, at) => at + 1),
    'and beyond reason not at all',
  );
  answers.ask(5_000);
  finish();
  await settle();
  t.equal(answered.at(-1), 5_000);
});

t.test('an inventory is told again when something changed that matters', async (t) => {
  const disk = { mount: '/', sizeBytes: 1_000_000, usedBytes: 500_000, availableBytes: 500_000 };
  const told = { hostname: 'a', bootedAtMs: 1_000, disks: [disk], interfaces: [{ name: 'eth0', up: true }] };
  t.ok(isSame(told, { ...told, bootedAtMs: 1_400 }), 'a clock that was corrected');
  t.ok(isSame(told, { ...told, disks: [{ ...disk, usedBytes: 505_000, availableBytes: 495_000 }] }), 'half a percent');
  t.notOk(isSame(told, { ...told, disks: [{ ...disk, usedBytes: 512_000 }] }));
  t.notOk(isSame(told, { ...told, disks: [disk, { ...disk, mount: '/data' }] }));
  t.notOk(isSame(told, { ...told, interfaces: [{ name: 'eth0', up: false }] }));
  t.notOk(isSame(told, { ...told, hostname: 'b' }));
});
