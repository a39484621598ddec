import type { IncidentKind, LocationVote } from '../../../incidents/kind.js';
import type { Said } from '../said.js';
import { type MetricWords, metricCause } from './metrics.js';

/** What the page needs to say the cause in a language. */
export interface Cause {
  /** The state in English capitals, as the kind of the incident names it. */
  state: string;
  votes: readonly LocationVote[];
  facts: ReturnType<IncidentKind['facts']>;
  nowMs: number;
}

/** The words of a language for why an incident opened. */
export interface CauseWords {
  metrics: MetricWords;
  number(value: number): string;
  /** `failures` are the errors with the locations that reported them. */
  outage(failing: number, of: number, failures: string): string;
  /** `connection refused` of `connection_refused`. */
  error(code: string): string;
  city(code: string, city: string): string;
  offline(since: Piece): Said;
  disk(mount: string, used: string): string;
  diskFull(at: Piece): Said;
  expires(at: Piece): Said;
  expired(at: Piece): Said;
  issuer(issuer: string): string;
  /** null if the sentence of the incident says more. */
  listed: ((list: string, meanings: readonly string[]) => string) | null;
}

type Piece = Said[number];

/** Returns the cause from the votes or the facts of the incident; null if they do not say it. Pure. */
export function causeOf({ votes, facts, nowMs }: Cause, words: CauseWords): Said | null {
  switch (facts?.type) {
    case 'outage':
      return outage(votes, words);
    case 'metric':
      return metricCause(facts, words.metrics, words.number);
    case 'server_offline':
      return words.offline(timeOf(facts.since));
    case 'disk_full': {
      const { mount, used_percent: used, full_at: fullAt } = facts;
      const full = fullAt === null ? ['.'] : words.diskFull(timeOf(fullAt));
      return [words.disk(mount, words.number(used)), ...full];
    }
    case 'certificate': {
      const at = timeOf(facts.expires_at);
      const said = at.atMs <= nowMs ? words.expired(at) : words.expires(at);
      return facts.issuer === '' ? said : [...said, ` ${words.issuer(facts.issuer)}`];
    }
    case 'blacklist':
      return words.listed === null ? null : [words.listed(facts.list, facts.meanings)];
    default:
      return null;
  }
}

const timeOf = (iso: string) => ({ atMs: Date.parse(iso) });

/** `3 of 5 locations report an outage: connection refused (Frankfurt, Singapore), dns failure (London).` */
function outage(votes: readonly LocationVote[], words: CauseWords): Said | null {
  const down = votes.filter(({ counted }) => counted === 'down');
  const all = votes.filter(({ counted }) => counted !== 'none').length;
  if (down.length === 0) return null;
  const groups = new Map<string, string[]>();
  for (const { errorCode, locationCode, location } of down) {
    const code = errorCode ?? '';
    groups.set(code, [...(groups.get(code) ?? []), words.city(locationCode, location)]);
  }
  const errors = [...groups]
    .sort(([, a], [, b]) => b.length - a.length)
    .map(([code, where]) => `${words.error(code)} (${where.join(', ')})`);
  return [words.outage(down.length, all, errors.join(', '))];
}
