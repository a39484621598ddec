import { duration } from '../../../duration.js';
import { clockTime, shortName } from '../../../wording.js';
import { digits, quantity } from './quantity.js';

/** A metric that a rule evaluates; `value` and `threshold` are in its unit. */
export interface MetricCondition {
  series: string;
  unit: string;
  operator: string;
  threshold: number;
  value: number;
}

/** A server as sentences name it. */
interface NamedServer {
  name: string;
}

/** Which side of the threshold meets the condition. */
const SIDES: Record<string, string> = {
  '>': 'over',
  '>=': 'at or over',
  '<': 'under',
  '<=': 'at or under',
};

const HOURS_SHOWN_WHOLE = 3;

/** The messages of incidents that rules on servers open. */
export const serverMessages = {
  breached(of: {
    server: NamedServer;
    rule: string;
    condition: MetricCondition;
    sinceMs: number;
    atMs: number;
  }): string {
    const { server, rule, condition, sinceMs, atMs } = of;
    const lasts = atMs > sinceMs ? ` since ${clockTime(sinceMs)} (${duration(atMs - sinceMs)})` : '';
    return `${shortName(server.name)}: ${currentValue(condition)}, ${limitOf(condition)}${lasts}. Rule “${shortName(rule)}”.`;
  },
  cleared(of: { server: NamedServer; condition: MetricCondition; startedAtMs: number; atMs: number }): string {
    const { server, condition, startedAtMs, atMs } = of;
    return `${shortName(server.name)}: ${currentValue(condition)} and no longer ${limitOf(condition)}, after ${lasted(startedAtMs, atMs)}.`;
  },
  /** The server no longer sends samples of the series. */
  gone({ server, series }: { server: NamedServer; series: string }): string {
    return `${shortName(server.name)} no longer sends samples of ${series}.`;
  },
  offline({ server, heardAtMs, atMs }: { server: NamedServer; heardAtMs: number | null; atMs: number }): string {
    const name = shortName(server.name);
    if (heardAtMs === null) return `${name} is offline: its agent has sent no sample yet.`;
    return `${name} is offline: its agent has sent no sample for ${duration(atMs - heardAtMs)}. The last one arrived at ${clockTime(heardAtMs)}.`;
  },
  online({ server, startedAtMs, atMs }: { server: NamedServer; startedAtMs: number; atMs: number }): string {
    return `${shortName(server.name)} is online again after ${lasted(startedAtMs, atMs)}.`;
  },
  /** With `hoursLeft` null the disk is full already. */
  diskFull(of: {
    server: NamedServer;
    mount: string;
    percent: number;
    hoursLeft: number | null;
    pointsPerHour: number;
  }): string {
    const now = `${shortName(of.server.name)}: ${shortName(of.mount)} is ${digits(of.percent, 1)} % full`;
    if (of.hoursLeft === null) return `${now}.`;
    return `${now} and will be full in about ${hours(of.hoursLeft)} at the present rate of ${digits(of.pointsPerHour, 2)} percentage points per hour.`;
  },
  /** With `percent` null the server no longer sends samples of the disk. */
  diskRelieved({ server, mount, percent }: { server: NamedServer; mount: string; percent: number | null }): string {
    if (percent === null) return serverMessages.gone({ server, series: shortName(mount) });
    return `${shortName(server.name)}: ${shortName(mount)} is ${digits(percent, 1)} % full and will not be full soon.`;
  },
};

function currentValue({ series, unit, value }: MetricCondition): string {
  return `${series} is ${quantity(value, unit)}`;
}

function limitOf({ operator, threshold, unit }: MetricCondition): string {
  return `${SIDES[operator] ?? operator} the limit of ${quantity(threshold, unit)}`;
}

function lasted(fromMs: number, toMs: number): string {
  return `${duration(toMs - fromMs)} (${clockTime(fromMs)} to ${clockTime(toMs)})`;
}

function hours(left: number): string {
  if (left < 1) return `${Math.max(1, Math.round(left * 60))} min`;
  return left < HOURS_SHOWN_WHOLE ? `${digits(left, 1)} h` : `${Math.round(left)} h`;
}
