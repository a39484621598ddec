import type { Decision, IncidentDetail } from '../../api/types.ts';
import { texts } from '../../texts/app/texts.ts';
import { duration, secondTime } from '../../texts/format.ts';

/** Returns the decision record of an outage; null for incidents of other kinds, whose records are of another form. */
export function outageDecision({ decision, kind }: IncidentDetail): Decision | null {
  return kind === 'monitor' && decision !== null && 'votes' in decision ? (decision as Decision) : null;
}

/** Returns the locations that a decision counted as up; none for records of another form. */
export function upIn(decision: IncidentDetail['recovery']): string[] {
  if (decision === null || !('votes' in decision)) return [];
  return (decision as Decision).votes.filter(({ counted_as }) => counted_as === 'up').map(({ location }) => location);
}

/** Returns why an outage alerted, in sentences: who saw what, what was needed, and when it was sure. Pure. */
export function reasonsOf(decision: Decision, city: (code: string) => string, nowMs: number): string[] {
  const words = texts.incident;
  const down = decision.votes.filter(({ counted_as }) => counted_as === 'down');
  const working = decision.votes.filter(({ counted_as }) => counted_as === 'up').map(({ location }) => city(location));
  const valid = down.length + working.length;
  const [first, ...others] = byError(down, city);
  const needed = decision.rule.required_down_votes;
  return [
    ...(first === undefined ? [] : [words.failing(first.where.length, valid, first.error, first.where, needed)]),
    ...others.map(({ error, where }) => words.alsoFailing(error, where)),
    ...(working.length === 0 ? [] : [words.working(working)]),
    ...decision.votes.flatMap(({ location, not_counted_because: why }) =>
      why === null ? [] : [words.noVote(city(location), words.notCounted[why])],
    ),
    ...(decision.rule.retries === 0 ? [] : [words.retries(decision.rule.retries)]),
    ...timesOf(decision, nowMs),
  ];
}

function timesOf({ times }: Decision, nowMs: number): string[] {
  const at = (iso: string) => secondTime(iso, nowMs);
  const words = texts.incident;
  const { first_failed_at: failed, confirmed_at: confirmed } = times;
  const [notified] = times.notifications.filter(({ event }) => event === 'opened');
  return [
    ...(failed === null ? [] : [words.firstFailed(at(failed))]),
    ...(failed === null || confirmed === null
      ? []
      : [words.confirmed(at(confirmed), duration(Date.parse(confirmed) - Date.parse(failed)))]),
    ...(notified === undefined ? [] : [words.notified(notified.channel, at(notified.sent_at))]),
  ];
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
