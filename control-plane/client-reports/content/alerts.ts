import { duration } from '../../duration.js';
import { count } from '../../wording.js';
import { type IncidentSums, SEVERITIES, type Severity } from '../facts/facts.js';
import type { Block, Card, Tone } from './content.js';
import type { Reading } from './reading.js';
import { tableBlocks } from './table.js';
import { number } from './wording.js';

const TONES: Readonly<Record<Severity, Tone>> = { critical: 'bad', warning: 'fair', info: 'none' };
const NAMES: Readonly<Record<Severity, string>> = { critical: 'Critical', warning: 'Warning', info: 'Info' };

/** Returns how long incidents took to be resolved, on average; null without a resolved one. */
export function meanRecovery({ resolved, recoveryMs }: IncidentSums): number | null {
  return resolved === 0 ? null : recoveryMs / resolved;
}

/** Returns the Alerts Summary. */
export function alertsBlocks({ facts, times }: Reading): Block[] {
  const { incidents, incidentsBefore } = facts;
  if (incidents.total === 0) {
    const before = incidentsBefore.total === 0 ? '' : `, after ${number(incidentsBefore.total)} in the period before`;
    return [{ type: 'text', text: `No incident began in this period${before}.` }];
  }
  const recovery = meanRecovery(incidents);
  const isKnown = facts.before.observedMs > 0 || incidentsBefore.total > 0;
  const before = (value: number) =>
    isKnown ? `${number(value)} in the period before` : 'no data of the period before';
  const cards: Card[] = [
    ...SEVERITIES.map((severity) => ({
      label: NAMES[severity],
      value: number(incidents.bySeverity[severity]),
      note: before(incidentsBefore.bySeverity[severity]),
      tone: incidents.bySeverity[severity] === 0 ? ('none' as const) : TONES[severity],
    })),
    {
      ...{ label: 'Mean time to recover', value: recovery === null ? 'none resolved' : duration(recovery) },
      ...{ note: `${number(incidents.resolved)} of ${number(incidents.total)} resolved`, tone: 'none' },
    },
  ];
  return [
    {
      type: 'text',
      text: `${count(incidents.total, 'incident')} began in this period, ${before(incidentsBefore.total)}.`,
    },
    { type: 'cards', cards },
    {
      ...{ type: 'stacked', title: 'Incidents by day and severity' },
      series: SEVERITIES.map((severity) => ({ name: NAMES[severity], tone: TONES[severity] })),
      days: facts.days.map(({ fromMs }, place) => ({
        label: times.day(fromMs),
        values: SEVERITIES.map((severity) => incidents.days[place]?.[severity] ?? 0),
      })),
    },
    ...thingTable(incidents),
  ];
}

function thingTable({ things }: IncidentSums): Block[] {
  return tableBlocks({
    title: 'By monitor and server',
    columns: [
      { title: 'Name', align: 'left', share: 36 },
      { title: 'Incidents', align: 'right', share: 12 },
      { title: 'Critical', align: 'right', share: 11 },
      { title: 'In total', align: 'right', share: 15 },
      { title: 'Longest', align: 'right', share: 15 },
      { title: 'Open', align: 'right', share: 11 },
    ],
    rows: things,
    cellsOf: ({ name, total, bySeverity: { critical }, totalMs, longestMs, open }) => [
      { text: name },
      { text: number(total) },
      { text: number(critical), ...(critical > 0 ? { tone: 'bad' as const } : {}) },
      { text: duration(totalMs) },
      { text: duration(longestMs) },
      { text: open === 0 ? '–' : number(open), ...(open > 0 ? { tone: 'bad' as const } : {}) },
    ],
    more: 'more with fewer incidents',
  });
}
