import type { Decision, IncidentDetail, RuleDecision } from '../../../api/types.ts';
import { texts } from '../../../texts/app/texts.ts';
import { ruleName } from '../../../texts/default-names.ts';
import { between, list } from '../../../texts/format.ts';
import { type Said, say } from '../../../texts/said.ts';
import { texts as channels } from '../../channels/texts/texts.ts';
import { amountOf } from '../cause-sentence.ts';
import { texts as own } from '../texts/texts.ts';

/** Returns the decision record of an outage; null for incidents of other kinds, whose records are of another form. */
export function outageDecision({ decision, kind }: IncidentDetail): Decision | null {
  return kind === 'monitor' && decision !== null && 'votes' in decision ? (decision as Decision) : null;
}

/** Values of a rule that a sentence names. */
const VALUES_MAX = 10;

/** Returns what a rule on servers had measured when it opened an incident; nothing for other incidents. Pure. */
export function measuredBy({ decision }: Pick<IncidentDetail, 'decision'>): Said[] {
  if (decision === null || !('samples' in decision)) return [];
  const { rule, samples, reason } = decision as RuleDecision;
  const [first, last] = [samples[0], samples.at(-1)];
  if (rule.type !== 'metric' || first === undefined || last === undefined) return [];
  const step = Math.max(1, (samples.length - 1) / (VALUES_MAX - 1));
  const shown = Array.from({ length: Math.min(samples.length, VALUES_MAX) }, (_, index) => {
    return amountOf(rule.metric, samples[Math.round(index * step)]?.v ?? last.v);
  });
  // The record has some of them if there were many, and says how many there were.
  const all = Number(/in each of (\d+) samples/.exec(reason)?.[1] ?? samples.length);
  return [
    say((time) =>
      samples.length === 1
        ? own.measuredOnce(ruleName(rule), amountOf(rule.metric, last.v), time(last.t, 'second'))
        : own.measured(
            ruleName(rule),
            all,
            time(first.t, 'second'),
            time(last.t, 'second'),
            list(shown),
            shown.length < all,
          ),
    ),
  ];
}

/** Returns the locations that a decision counted as up; none for records of another form. */
export function upIn(decision: IncidentDetail['recovery']): string[] {
  if (decision === null || !('votes' in decision)) return [];
  return (decision as Decision).votes.filter(({ counted_as }) => counted_as === 'up').map(({ location }) => location);
}

/** Why a failure did not count. */
const REASONS_TO_DOUBT = ['retrying', 'doubted'] as const;

/** Returns why an outage alerted, in sentences: who saw what, what was needed, and when it was sure. Pure. */
export function reasonsOf(decision: Decision, city: (code: string) => string): Said[] {
  const words = texts.incident;
  const down = decision.votes.filter(({ counted_as }) => counted_as === 'down');
  const working = decision.votes.filter(({ counted_as }) => counted_as === 'up').map(({ location }) => city(location));
  const failingToo = decision.votes.filter(({ vote, counted_as }) => vote === 'down' && counted_as === 'none');
  // As the decision counts: who was still retrying has a valid vote.
  const valid = decision.votes.filter(({ vote }) => vote !== 'unknown').length;
  const needed = decision.rule.required_down_votes;
  const seen = [
    ...(down.length === 0 ? [] : [words.confirmedBy(down.length, valid, needed)]),
    ...byError(down, city).map(({ error, where }) => words.reported(error, where)),
    ...REASONS_TO_DOUBT.flatMap((why) => {
      const where = failingToo.filter(({ not_counted_because }) => not_counted_because === why);
      return where.length === 0
        ? []
        : [
            words.failingToo(
              where.map(({ location }) => city(location)),
              words.notYet[why],
            ),
          ];
    }),
    ...(working.length === 0 ? [] : [words.working(working)]),
    ...decision.votes.flatMap(({ location, vote, not_counted_because: why }) =>
      why === null || vote === 'down' ? [] : [words.noVote(city(location), words.notCounted[why])],
    ),
    ...(decision.rule.retries === 0 ? [] : [words.retries(decision.rule.retries)]),
  ];
  return [...seen.map((reason) => [reason]), ...timesOf(decision)];
}

function timesOf({ times }: Decision): Said[] {
  const said = (iso: string, make: (at: string) => string) => say((time) => make(time(iso, 'atSecond')));
  const words = texts.incident;
  const { first_failed_at: failed, confirmed_at: confirmed } = times;
  const [notified] = times.notifications.filter(({ event }) => event === 'opened');
  return [
    ...(failed === null ? [] : [said(failed, words.firstFailed)]),
    ...(failed === null || confirmed === null
      ? []
      : [said(confirmed, (at) => words.confirmed(at, between(failed, confirmed)))]),
    ...(notified === undefined
      ? []
      : [said(notified.sent_at, (at) => words.notified(channelWord(notified.channel), at))]),
  ];
}

/** Returns what people call a type of channel. */
function channelWord(type: string): string {
  const words: Readonly<Record<string, string>> = channels.types;
  return words[type] ?? type;
}

/** Returns the failures by their error, the most frequent first. */
function byError(votes: Decision['votes'], city: (code: string) => string): { error: string; where: string[] }[] {
  const groups = new Map<string, string[]>();
  for (const { location, result } of votes) {
    const code = result?.error?.code ?? '';
    const error = texts.errors[code] ?? result?.error?.message ?? code;
    groups.set(error, [...(groups.get(error) ?? []), city(location)]);
  }
  return [...groups].map(([error, where]) => ({ error, where })).sort((a, b) => b.where.length - a.where.length);
}
