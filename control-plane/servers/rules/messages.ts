import { duration } from '../../duration.js';
import type { RuleIncidentEnd, ServerMessages } from '../../incidents/incidents.js';
import { clockTime, short } from '../../verdicts/messages.js';

/** Which side of the threshold is the wrong one. */
const SIDES: Record<string, string> = {
  '>': 'over',
  gt: 'over',
  '>=': 'at or over',
  gte: 'at or over',
  '<': 'under',
  lt: 'under',
  '<=': 'at or under',
  lte: 'at or under',
};

const HOURS_SHOWN_WHOLE = 3;

export const serverMessages: ServerMessages = {
  breached({ server, rule, series, unit, value, sinceMs, atMs }) {
    const side = SIDES[rule.operator] ?? rule.operator;
    const lasts = atMs > sinceMs ? ` since ${clockTime(sinceMs)} (${duration(atMs - sinceMs)})` : '';
    return `${short(server.name)}: ${series} is ${quantity(value, unit)}, ${side} the limit of ${quantity(rule.threshold, unit)}${lasts}. Rule “${short(rule.name)}”.`;
  },
  cleared({ server, rule, series, unit, value, startedAtMs, atMs }) {
    const side = SIDES[rule.operator] ?? rule.operator;
    return `${short(server.name)}: ${series} is ${quantity(value, unit)} and no longer ${side} the limit of ${quantity(rule.threshold, unit)}, after ${lasted(startedAtMs, atMs)}.`;
  },
  gone: ({ server, series }) => `${short(server.name)} no longer reports ${series}.`,
  offline({ server, heardAtMs, atMs }) {
    const heard =
      heardAtMs === null ? '' : ` for ${duration(atMs - heardAtMs)}: the last report came at ${clockTime(heardAtMs)}`;
    return `${short(server.name)} is offline, nothing was heard of its agent${heard}.`;
  },
  online: ({ server, startedAtMs, atMs }) =>
    `${short(server.name)} is online again after ${lasted(startedAtMs, atMs)}.`,
  diskFull({ server, mount, percent, hoursLeft, pointsPerHour }) {
    const now = `${short(server.name)}: ${short(mount)} is ${digits(percent, 1)} % full`;
    if (hoursLeft === null) return `${now}.`;
    return `${now} and will be full in about ${hours(hoursLeft)} at the present rate (${digits(pointsPerHour, 2)} points an hour).`;
  },
  diskRelieved({ server, mount, percent }) {
    const name = `${short(server.name)}: ${short(mount)}`;
    if (percent === null) return `${name} is no longer reported.`;
    return `${name} is ${digits(percent, 1)} % full and no longer fills up at a rate that matters.`;
  },
  ended: ({ why, by }) => `Resolved because ${reason(why)}${by === 'system' ? '' : ` by ${by}`}.`,
  joined: ({ rule }) => `Rule “${short(rule)}” sees it too.`,
};

function reason(why: RuleIncidentEnd): string {
  switch (why.kind) {
    case 'rule_deleted':
      return `the alert rule “${short(why.rule)}” was deleted`;
    case 'rule_disabled':
      return `the alert rule “${short(why.rule)}” was disabled`;
    case 'rule_changed':
      return `the alert rule “${short(why.rule)}” was changed`;
    case 'server_deleted':
      return `the server ${short(why.server)} was deleted`;
    case 'server_changed':
      return `no alert rule is for ${short(why.server)} since its tags were changed`;
    case 'blacklist_monitor_deleted':
      return `the blacklist monitor of ${short(why.target)} was deleted`;
    case 'no_rule':
      return 'no alert rule asks for it any more';
  }
}

function lasted(fromMs: number, toMs: number): string {
  return `${duration(toMs - fromMs)} (${clockTime(fromMs)} to ${clockTime(toMs)})`;
}

/** `97.2 %`, `1.5 GiB`, `12 MiB/s`, `4 h 10 min`. */
export function quantity(value: number, unit: string): string {
  switch (unit) {
    case 'percent':
      return `${digits(value, 2)} %`;
    case 'bytes':
      return bytes(value);
    case 'bytes_per_second':
      return `${bytes(value)}/s`;
    case 'seconds':
      return duration(value * 1_000);
    default:
      return digits(value, 2);
  }
}

const BYTE_UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'];

function bytes(value: number): string {
  const power = Math.min(BYTE_UNITS.length - 1, Math.max(0, Math.floor(Math.log2(Math.max(1, value)) / 10)));
  return `${digits(value / 1_024 ** power, 1)} ${BYTE_UNITS[power]}`;
}

function digits(value: number, decimals: number): string {
  return String(Number(value.toFixed(decimals)));
}

function hours(left: number): string {
  if (left < 1) return `${Math.max(1, Math.round(left * 60))} min`;
  return left < HOURS_SHOWN_WHOLE ? `${digits(left, 1)} h` : `${Math.round(left)} h`;
}
