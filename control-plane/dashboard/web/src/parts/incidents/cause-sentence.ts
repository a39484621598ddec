import type { Incident } from '../../api/types.ts';
import { texts as app } from '../../texts/app/texts.ts';
import { list, number, percent } from '../../texts/format.ts';
import { type Said, say } from '../../texts/said.ts';
import { texts as rules } from '../alert-rules/metric-texts/texts.ts';
import { metricOf, shownThreshold, splitSeries } from '../alert-rules/metrics.ts';
import { texts } from './texts/texts.ts';

type Facts = NonNullable<Incident['facts']>;

/**
 * Returns why an incident opened in the language of the page, from its facts. Without facts, as an
 * earlier control plane answers during an upgrade, it has the own sentence of the API.
 * Pure.
 */
export function causeSentence({ facts, message }: Pick<Incident, 'facts' | 'message'>): Said {
  return facts ? factsSentence(facts) : [message];
}

function factsSentence(facts: Facts): Said {
  const words = texts.cause;
  switch (facts.type) {
    case 'outage': {
      const { failing, of, error, has_other_errors: hasOthers } = facts;
      const said = app.errors[error?.code ?? ''] ?? error?.message ?? '';
      return [said === '' ? words.down(failing, of) : words.outage(failing, of, said, hasOthers)];
    }
    case 'metric': {
      const operator = rules.operators[facts.operator as keyof typeof rules.operators] ?? facts.operator;
      const limit = amountOf(facts.metric, facts.threshold);
      const value = amountOf(facts.metric, facts.value);
      return say((time) => words.metric(labelOf(facts.metric), value, time(facts.since), operator, limit));
    }
    case 'server_offline':
      return say((time) => words.offline(time(facts.since)));
    case 'disk_full': {
      const { mount, used_percent: used, full_at: fullAt } = facts;
      if (fullAt === null) return [words.diskFull(mount, percent(used))];
      return say((time) => words.diskFilling(mount, percent(used), time(fullAt, 'at')));
    }
    case 'certificate':
      return say((time) => words.certificate(time(facts.expires_at, 'day'), facts.issuer));
    case 'blacklist':
      return [words.listed(facts.list, list(facts.meanings))];
  }
}

function labelOf(series: string): string {
  const { metric, device } = splitSeries(series);
  const known = metricOf(metric);
  if (known === null) return series;
  const label = rules.metrics[known.name];
  return device === '' ? label : rules.ofDevice(label, device);
}

/** Returns a value with the unit of its metric. Pure. */
export function amountOf(series: string, value: number): string {
  const known = metricOf(splitSeries(series).metric);
  return known === null ? number(value) : rules.values[known.unit](number(shownThreshold(value, known.unit)));
}
