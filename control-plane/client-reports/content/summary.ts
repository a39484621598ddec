import { duration } from '../../duration.js';
import { count, shortName } from '../../wording.js';
import type { IncidentSums, MonitorFacts } from '../facts/facts.js';
import { downtimeOf } from '../facts/sums.js';
import { meanRecovery } from './alerts.js';
import type { Block, Card } from './content.js';
import { coverageOf, responseOf, uptimeOf } from './figures.js';
import type { Reading } from './reading.js';
import { tableBlocks } from './table.js';
import { todoBlocks } from './todo.js';
import { milliseconds, number, percent, uptimeTone } from './wording.js';

/** Returns the Executive Summary. */
export function summaryBlocks(reading: Reading): Block[] {
  const { facts } = reading;
  if (facts.monitors.length === 0) return todoBlocks(reading);
  return [
    ...todoBlocks(reading),
    { type: 'cards', cards: cardsOf(reading) },
    ...sentencesOf(reading).map((text): Block => ({ type: 'text', text })),
    ...chartsOf(reading),
    ...monitorTable(reading),
  ];
}

function cardsOf({ facts, fromMs, toMs, percentUp }: Reading): Card[] {
  const { period, before, incidents, incidentsBefore } = facts;
  const uptime = uptimeOf(period, percentUp);
  const lengthMs = facts.monitors.reduce((sum, { createdMs }) => sum + toMs - (createdMs ?? fromMs), 0);
  const response = responseOf(period);
  return [
    {
      ...{ label: 'Uptime', value: percent(uptime), tone: uptimeTone(uptime) },
      note: versus(percent(uptimeOf(before, percentUp)), before.observedMs > 0),
    },
    {
      ...{ label: 'Downtime, all monitors', tone: 'none' },
      value: period.observedMs > 0 ? duration(downtimeOf(period)) : 'no data',
      note: versus(duration(downtimeOf(before)), before.observedMs > 0),
    },
    {
      ...{ label: 'Outages', value: number(incidents.outages), tone: incidents.outages === 0 ? 'good' : 'none' },
      note: versus(number(incidentsBefore.outages), before.observedMs > 0),
    },
    {
      ...{ label: 'Response time', value: milliseconds(response), tone: 'none' },
      note: versus(milliseconds(responseOf(before)), before.good > 0),
    },
    {
      ...{ label: 'Mean time to recover', value: recoveryText(incidents), tone: 'none' },
      note: versus(recoveryText(incidentsBefore), before.observedMs > 0),
    },
    {
      ...{ label: 'Time observed', value: percent(coverageOf(period, lengthMs)), tone: 'none' },
      note: count(facts.monitors.length, 'monitor'),
    },
  ];
}

function versus(before: string, isKnown: boolean): string {
  return isKnown ? `${before} in the period before` : 'no data of the period before';
}

function recoveryText(incidents: IncidentSums): string {
  const recovery = meanRecovery(incidents);
  if (recovery !== null) return duration(recovery);
  return incidents.total === 0 ? 'no incidents' : 'none resolved';
}

/** Tells the period in sentences that are made of the figures. */
function sentencesOf(reading: Reading): string[] {
  const { facts, times, percentUp } = reading;
  const uptime = uptimeOf(facts.period, percentUp);
  const leftOut = leftOutSentences(facts.period.leftOutMs);
  if (uptime === null) return leftOut.length > 0 ? leftOut : ['There is no data of this period.'];
  const { longest, outages } = facts.incidents;
  const flawed = facts.monitors.filter(({ period }) => downtimeOf(period) > 0).length;
  const observed = facts.monitors.filter(({ period }) => period.observedMs > 0).length;
  const sentences = [
    flawed === 0
      ? `${allOf(observed)} without any downtime.`
      : `${number(flawed)} of ${count(observed, 'monitor')} had downtime, ${duration(downtimeOf(facts.period))} in total.`,
  ];
  if (longest !== null) {
    const end = longest.open ? 'was not over at the end of the period' : `lasted ${duration(longest.lastedMs)}`;
    const which = outages === 1 ? 'The only outage' : `The longest of ${number(outages)} outages`;
    sentences.push(`${which}, of ${shortName(longest.name)}, began on ${times.time(longest.startedMs)} and ${end}.`);
  }
  return [...sentences, ...leftOut, ...changesOf(facts.monitors)];
}

function leftOutSentences(leftOutMs: number): string[] {
  if (leftOutMs === 0) return [];
  return [
    `Uptime and downtime leave out ${duration(leftOutMs)} of planned maintenance, summed over the monitors. Outages in that time are still counted as outages.`,
  ];
}

function allOf(observed: number): string {
  return observed === 1 ? 'The monitor worked' : `All ${number(observed)} monitors worked`;
}

/** Says what improved and what worsened most. Monitors without data of one of the periods have no change. */
function changesOf(monitors: readonly MonitorFacts[]): string[] {
  const changed = monitors
    .filter(({ period, before }) => period.observedMs > 0 && before.observedMs > 0)
    .map(({ name, period, before }) => ({ name, nowMs: downtimeOf(period), beforeMs: downtimeOf(before) }))
    .sort((a, b) => a.nowMs - a.beforeMs - (b.nowMs - b.beforeMs));
  const [best, worst] = [changed[0], changed.at(-1)];
  const sentence = (word: string, of: { name: string; nowMs: number; beforeMs: number }) =>
    `${shortName(of.name)} ${word} most: ${downFor(of.nowMs)}, after ${downFor(of.beforeMs)} in the period before.`;
  return [
    ...(best !== undefined && best.nowMs < best.beforeMs ? [sentence('improved', best)] : []),
    ...(worst !== undefined && worst.nowMs > worst.beforeMs ? [sentence('worsened', worst)] : []),
  ];
}

function downFor(ms: number): string {
  return ms === 0 ? 'no downtime' : `${duration(ms)} of downtime`;
}

function chartsOf({ facts, times, percentUp }: Reading): Block[] {
  const labelled = facts.days.map((day) => ({ day, label: times.day(day.fromMs) }));
  return [
    {
      ...{ type: 'uptime', title: 'Uptime by day, all monitors' },
      days: labelled.map(({ day, label }) => ({ label, percent: uptimeOf(day, percentUp) })),
    },
    {
      ...{ type: 'line', title: 'Mean response time by day, all monitors', unit: 'ms' },
      days: labelled.map(({ day, label }) => ({ label, value: responseOf(day) })),
    },
  ];
}

function monitorTable({ facts, fromMs, toMs, times, percentUp }: Reading): Block[] {
  return tableBlocks({
    title: 'Monitors',
    columns: [
      { title: 'Monitor', align: 'left', share: 36 },
      { title: 'Uptime', align: 'right', share: 13 },
      { title: 'Observed', align: 'right', share: 13 },
      { title: 'Downtime', align: 'right', share: 15 },
      { title: 'Outages', align: 'right', share: 10 },
      { title: 'Response', align: 'right', share: 13 },
    ],
    rows: facts.monitors,
    cellsOf: ({ name, period, createdMs, paused, outages }) => {
      const uptime = uptimeOf(period, percentUp);
      const notes = [
        ...(createdMs === null ? [] : [`measured since ${times.date(createdMs)}`]),
        ...(paused ? ['paused'] : []),
        ...(period.leftOutMs > 0 ? [`${duration(period.leftOutMs)} of planned maintenance left out`] : []),
      ];
      return [
        { text: notes.length === 0 ? name : `${name} (${notes.join(', ')})` },
        { text: percent(uptime), tone: uptimeTone(uptime) },
        { text: percent(coverageOf(period, toMs - (createdMs ?? fromMs))) },
        { text: period.observedMs > 0 ? duration(downtimeOf(period)) : 'no data' },
        { text: number(outages) },
        { text: milliseconds(responseOf(period)) },
      ];
    },
    more: 'more with less downtime',
  });
}
