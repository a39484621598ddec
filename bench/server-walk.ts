import type { ServerIdentity } from '../control-plane/servers/servers.js';
import type { ServerHistory } from '../test/helpers/server-history.js';
import { encodeReport } from '../test/helpers/server-history.js';

const HOUR_MS = 3_600_000;
const PERIOD_MS = 10_000;
/** Timers of an agent fire a little late, each by another amount. */
const JITTER_MS = 8;

/** The specification's eight metrics of a server that works: random walks that return to their middle. */
export function serverWalk(): () => Record<string, number> {
  const noise = () => Math.random() + Math.random() + Math.random() - 1.5;
  const state = { cpu: 20, mem: 50, disk: 60, load: [1, 1, 1], received: 1e6, sent: 5e5 };
  const hundredths = (value: number) => Math.round(Math.max(0, value) * 100) / 100;
  return () => {
    state.cpu += noise() * 6 + (20 - state.cpu) * 0.1;
    state.mem += noise() * 0.2 + (50 - state.mem) * 0.01;
    state.disk += Math.random() * 0.001;
    state.load = state.load.map((load, at) => load + noise() * (0.2 / (at * 4 + 1)) + (1 - load) * 0.02);
    state.received = Math.max(0, state.received * (1 + noise() * 0.4) + (1e6 - state.received) * 0.1);
    state.sent = Math.max(0, state.sent * (1 + noise() * 0.4) + (5e5 - state.sent) * 0.1);
    const [one = 0, five = 0, fifteen = 0] = state.load;
    return {
      cpu_percent: hundredths(state.cpu),
      mem_used_percent: hundredths(state.mem),
      disk_used_percent: hundredths(state.disk),
      load_1: hundredths(one),
      load_5: hundredths(five),
      load_15: hundredths(fifteen),
      net_bytes_recv_rate: Math.round(state.received),
      net_bytes_sent_rate: Math.round(state.sent),
    };
  };
}

/** The reports of one hour, or of what of it lies before `toMs`, as an agent at one each 10 s sends them. */
export function reportsOf(server: ServerIdentity, walk: () => Record<string, number>, hourMs: number, toMs: number) {
  const reports = [];
  for (let slotMs = hourMs; slotMs < Math.min(hourMs + HOUR_MS, toMs); slotMs += PERIOD_MS) {
    const atMs = slotMs + Math.floor(Math.random() * JITTER_MS);
    reports.push({ ...server, atMs, receivedAtMs: atMs + 15, report: encodeReport(atMs, walk()) });
  }
  return reports;
}

/** Delivers everything in [fromMs, toMs) and packs each day of it. */
export async function deliverDays(
  history: ServerHistory,
  server: ServerIdentity,
  walk: () => Record<string, number>,
  fromMs: number,
  toMs: number,
): Promise<void> {
  const job = history.newPackJob('bench');
  for (let hourMs = fromMs - (fromMs % HOUR_MS); hourMs < toMs; hourMs += HOUR_MS) {
    await history.reports.insert(reportsOf(server, walk, hourMs, toMs));
    if (hourMs % (24 * HOUR_MS) === 0) await job.runDue(hourMs);
  }
  await job.runDue(toMs);
  await job.stop();
}
