import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import t, { type Test } from 'tap';
import { slotAfter } from '../../../node-link/slot-time.js';
import type { MetricSample } from '../../../proto/generated/picket/link/v1/MetricSample.js';
import { createControlTime } from '../../../server-agent/control-time.js';
import { hasChanged } from '../../../server-agent/inventory-changes.js';
import { createProcessRequests } from '../../../server-agent/process-requests.js';
import { createSampler } from '../../../server-agent/sampler.js';
import { phaseOf, sampleTime } from '../../../server-agent/slots.js';
import { createTimeFile, type KnownTime } from '../../../server-agent/time-file.js';
import { type TestClock, testClock } from '../../helpers/clock.js';
import { temporaryFolder } from '../../helpers/machine/temporary-folder.js';

const DAY_MS = 86_400_000;
const START = Date.UTC(2026, 0, 31, 12);
const logger = pino({ level: 'silent' });

/** Returns a sampler with its time, connected as in the agent. */
function sampling(t: Test, options: { clock: TestClock; directory?: string; bootId?: string; phaseMs?: number }) {
  const { clock, directory = temporaryFolder(t) } = options;
  const sent: MetricSample[] = [];
  const time = createControlTime({
    file: createTimeFile({ directory, logger }),
    bootId: options.bootId ?? 'boot-1',
    bootClock: clock,
    newestSampleMs: () => sampler.newestSampleMs(),
  });
  const state = { samples: 0 };
  const sampler = createSampler({
    intervalMs: 10_000,
    phaseMs: options.phaseMs ?? 3_000,
    newestSampleMs: time.newestSampleMs,
    serverTime: time.serverTime,
    timeIsKnown: time.isKnown,
    bootClock: clock,
    async readValues() {
      state.samples += 1;
      return [{ metric: 'LOAD_1', device: '', value: 1 }];
    },
    send: (sample) => void sent.push(sample),
    logger,
  });
  const times = () => sent.map(({ atMs }) => Number(atMs) - START);
  /** Starts the sampler and takes the first sample, which is not sent. */
  const start = async () => {
    sampler.start();
    await clock.advance(0);
  };
  return { directory, times, time, sampler, state, start };
}

t.test('slots are at k * interval + phase; the phases of servers are spread evenly', async (t) => {
  t.equal(slotAfter(100_000, 10_000, 3_000), 103_000);
  t.equal(slotAfter(103_000, 10_000, 3_000), 113_000);
  t.equal(slotAfter(102_999, 10_000, 3_000), 103_000);
  t.equal(phaseOf('srv_01', 10_000), phaseOf('srv_01', 10_000));
  const tenths = new Array(10).fill(0);
  for (let at = 0; at < 2_000; at++)
    tenths[Math.floor(phaseOf(`srv_01jgq6v3k8${at.toString(32).padStart(12, '0')}`, 10_000) / 1_000)]++;
  t.ok(Math.max(...tenths) < 280 && Math.min(...tenths) > 120, `2,000 servers: ${tenths}`);
});

t.test('the time of a sample is that of its slot, and later than that of the previous sample', async (t) => {
  t.equal(sampleTime(103_010, 103_000, 93_000), 103_000);
  t.equal(sampleTime(102_999.4, 103_000, 93_000), 103_000, 'a timer may be a little early');
  t.equal(sampleTime(104_000.4, 103_000, 93_000), 104_000, 'a late sample gets its own time');
  t.equal(sampleTime(103_000, 103_000, 103_000), null);
  t.equal(sampleTime(103_000, 103_000, 113_000), null, 'a small correction of the clock');
  t.equal(sampleTime(103_000, 103_000, 103_000 + DAY_MS), 103_000, 'the clock of the control plane went back a day');
});

t.test("samples have the control plane's time, even if this machine's clock is wrong", async (t) => {
  const clock = testClock(START + DAY_MS);
  const { times, time, start } = sampling(t, { clock });
  await start();
  await clock.advance(15_000);
  t.strictSame(times(), [], 'the time is not known yet');
  time.observe(START + 15_000, 0);
  await clock.advance(10_000);
  t.strictSame(times(), [23_000]);
  clock.jump(-3 * DAY_MS);
  await clock.advance(20_000);
  t.strictSame(times(), [23_000, 33_000, 43_000], 'setting the wall clock has no effect');
});

t.test(
  'while the control plane is unreachable and no time was saved, the wall clock is used after a minute',
  async (t) => {
    const clock = testClock(START);
    const { times, start } = sampling(t, { clock });
    await start();
    await clock.advance(85_000);
    t.strictSame(times(), [63_000, 73_000, 83_000]);
  },
);

t.test('an agent that starts while the control plane is unreachable uses the saved time', async (t) => {
  const before = testClock(START + DAY_MS);
  const first = sampling(t, { clock: before });
  await first.start();
  first.time.observe(START, 0);
  await before.advance(70_000);
  const kept: KnownTime = JSON.parse(readFileSync(join(first.directory, 'time.json'), 'utf8'));
  t.match(kept, { aheadMs: -DAY_MS, bootId: 'boot-1', stampedMs: START + 53_000 });
  t.strictSame(first.times().at(-1), 63_000);

  // Killed and restarted in the same boot; the wall clock was corrected in between.
  const again = sampling(t, { clock: before, directory: first.directory });
  before.jump(-DAY_MS);
  const third = sampling(t, { clock: before, directory: first.directory });
  await again.start();
  await third.start();
  await before.advance(10_000);
  t.strictSame(again.times(), [73_000]);
  t.strictSame(third.times(), [73_000], 'the time follows the boot clock, not the wall clock');

  // After a reboot, with the wall clock still wrong by a day.
  const rebooted = testClock(START + DAY_MS + 200_000);
  const fourth = sampling(t, { clock: rebooted, directory: first.directory, bootId: 'boot-2' });
  await fourth.start();
  await rebooted.advance(10_000);
  t.strictSame(fourth.times(), [203_000]);
});

t.test('a truncated or invalid time file counts as missing', async (t) => {
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
  t.equal(lines.length, 1, 'a failing disk is logged once');
});

t.test('a paused sampler takes no samples until it is resumed', async (t) => {
  const clock = testClock(START);
  const { times, time, sampler, state, start } = sampling(t, { clock });
  time.observe(START, 0);
  await start();
  await clock.advance(15_000);
  sampler.pause();
  const samples = state.samples;
  await clock.advance(600_000);
  t.equal(state.samples, samples);
  sampler.resume();
  await clock.advance(10_000);
  t.strictSame(times(), [3_000, 13_000, 623_000]);
  await sampler.stop();
  await clock.advance(60_000);
  t.equal(times().length, 3);
});

t.test('many requests for the processes at once share one sample', async (t) => {
  const answered: number[] = [];
  let samples = 0;
  let finish: () => void = () => {};
  const requests = createProcessRequests({
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
  for (let nonce = 1; nonce <= 1_000; nonce++) requests.request(nonce);
  finish();
  await settle();
  t.equal(samples, 1);
  t.strictSame(
    answered,
    Array.from({ length: 100 }, (_, at) => at + 1),
    'requests above the limit get no answer',
  );
  requests.request(5_000);
  finish();
  await settle();
  t.equal(answered.at(-1), 5_000);
});

t.test('an inventory is sent again only after a relevant change', async (t) => {
  const disk = { mount: '/', sizeBytes: 1_000_000, usedBytes: 500_000, availableBytes: 500_000 };
  const sent = { hostname: 'a', bootedAtMs: 1_000, disks: [disk], interfaces: [{ name: 'eth0', up: true }] };
  t.notOk(hasChanged(sent, { ...sent, bootedAtMs: 1_400 }), 'a corrected clock');
  t.notOk(hasChanged(sent, { ...sent, disks: [{ ...disk, usedBytes: 505_000, availableBytes: 495_000 }] }), '0.5 %');
  t.ok(hasChanged(sent, { ...sent, disks: [{ ...disk, usedBytes: 512_000 }] }));
  t.ok(hasChanged(sent, { ...sent, disks: [disk, { ...disk, mount: '/data' }] }));
  t.ok(hasChanged(sent, { ...sent, interfaces: [{ name: 'eth0', up: false }] }));
  t.ok(hasChanged(sent, { ...sent, hostname: 'b' }));
});
