import { duration } from '../duration.js';
import type { SeenCertificate } from '../monitors/documents.js';
import { clockTime, count, shortName } from '../wording.js';
import type { CountedVote, DecisionRecord, VoteRecord } from './decision-record.js';
import { countedVotes } from './rule/counted-votes.js';

/** Keeps messages short enough for every channel. */
const ERROR_CHARS_MAX = 160;
const DAY_MS = 86_400_000;

/** Error codes as a message names them, if the code says enough. Other errors use their own message. */
const PHRASES: Record<string, string> = {
  dns_failure: 'a DNS failure',
  connection_refused: 'connection refused',
  connection_reset: 'a connection reset',
  connect_timeout: 'a connection timeout',
  tls_handshake: 'a failed TLS handshake',
  tls_untrusted: 'an untrusted certificate',
  tls_expired: 'an expired certificate',
  tls_name_mismatch: 'a certificate name mismatch',
  response_timeout: 'a response timeout',
  keyword_missing: 'a missing keyword',
  keyword_present: 'a forbidden keyword',
  too_many_redirects: 'too many redirects',
  response_too_large: 'an oversized response',
  blocked_target: 'a blocked target address',
  packet_loss: 'packet loss',
  unreachable: 'an unreachable target',
  protocol_error: 'a protocol error',
};

/** What a sentence says of a decision. */
type Decided = Pick<DecisionRecord, 'votes' | 'rule'>;

interface Outage {
  name: string;
  decision: Decided;
  firstFailedAtMs: number;
}

/** The sentences of a monitor's incidents. Pure. */
export interface IncidentMessages {
  down(of: Outage): string;
  /** For a new incident after a user resolved the previous one while the outage lasted. */
  stillDown(of: Outage): string;
  recovered(of: { name: string; votes: readonly VoteRecord[]; startedAtMs: number; nowMs: number }): string;
  nowCritical(decision: Decided): string;
  maintenanceEnded(): string;
  certificate(of: { name: string; notAfterMs: number; nowMs: number; issuer: string }): string;
  certificateRenewed(of: { name: string; notAfterMs: number }): string;
  certificateGone(of: { name: string }): string;
  certificateReplaced(of: { name: string; from: SeenCertificate; to: SeenCertificate }): string;
}

export const incidentMessages: IncidentMessages = {
  down({ name, decision, firstFailedAtMs }) {
    return `${shortName(name)} is down: ${failures(decision)}. First failed check ${clockTime(firstFailedAtMs)}.`;
  },
  stillDown({ name, decision, firstFailedAtMs }) {
    return `${shortName(name)} is still down after a user resolved its incident: ${failures(decision)}. First failed check ${clockTime(firstFailedAtMs)}.`;
  },
  recovered({ name, votes, startedAtMs, nowMs }) {
    const lasted = `${duration(nowMs - startedAtMs)} (${clockTime(startedAtMs)} to ${clockTime(nowMs)})`;
    return `${shortName(name)} is up again after ${lasted}: ${successes(votes)}.`;
  },
  nowCritical: (decision) => `Now critical: ${failures(decision)}.`,
  maintenanceEnded: () => 'The maintenance window ended and checks still fail.',
  certificate({ name, notAfterMs, nowMs, issuer }) {
    const by = issuer === '' ? '' : ` Issued by ${shortName(issuer)}.`;
    if (notAfterMs <= nowMs) return `The certificate of ${shortName(name)} expired on ${date(notAfterMs)}.${by}`;
    const days = Math.floor((notAfterMs - nowMs) / DAY_MS);
    const left = days === 0 ? 'in less than a day' : `in ${count(days, 'day')}`;
    return `The certificate of ${shortName(name)} expires ${left}, on ${date(notAfterMs)}.${by}`;
  },
  certificateRenewed: ({ name, notAfterMs }) =>
    `The certificate of ${shortName(name)} was renewed and is valid until ${date(notAfterMs)}.`,
  certificateGone: ({ name }) => `${shortName(name)} no longer presents the certificate that was about to expire.`,
  certificateReplaced({ name, from, to }) {
    const issuer =
      from.issuer === to.issuer
        ? `issued by ${shortName(to.issuer)} as before`
        : `issued by ${shortName(to.issuer)}, before by ${shortName(from.issuer)}`;
    const valid = `valid until ${date(to.not_after_ms)}, before until ${date(from.not_after_ms)}`;
    return `The certificate of ${shortName(name)} was replaced: ${issuer}; ${valid}.`;
  },
};

/**
 * `4 of 5 locations fail with connection refused (fra, nyc, lon, sfo); working from sin`. Only what the decision counted
 * is in the number, as in its record: `3 of 5 locations fail with connection refused (fra, nyc, lon), 3 needed; sin, sfo
 * fail too and are still retrying`.
 */
function failures(decision: Decided): string {
  const votes = countedVotes(decision);
  const failing = votes.filter((vote) => vote.counted_as === 'down');
  const working = locationsOf(votes, 'up');
  const groups = byError(failing);
  const fail = `${failing.length} of ${count(validVotes(votes), 'location')} ${failing.length === 1 ? 'fails' : 'fail'}`;
  const [first] = groups;
  const summary =
    groups.length === 1 && first !== undefined
      ? `${fail} with ${first.error} (${list(first.locations)})`
      : `${fail} (${groups.map((group) => `${list(group.locations)}: ${group.error}`).join('; ')})`;
  const others = notCounted(votes);
  return [
    others.length === 0 ? summary : `${summary}, ${decision.rule.required_down_votes} needed`,
    ...others,
    ...(working.length === 0 ? [] : [`working from ${list(working)}`]),
    ...noVotes(votes),
  ].join('; ');
}

/** Returns which locations fail too, and why the decision did not count them. */
function notCounted(votes: readonly CountedVote[]): string[] {
  const because = (reason: CountedVote['not_counted_because']) =>
    votes.filter((vote) => vote.vote === 'down' && vote.not_counted_because === reason).map(({ location }) => location);
  const retrying = because('retrying');
  const doubted = because('doubted');
  const fail = (locations: readonly string[]) => `${list(locations)} ${locations.length === 1 ? 'fails' : 'fail'} too`;
  return [
    ...(retrying.length === 0 ? [] : [`${fail(retrying)} and ${retrying.length === 1 ? 'is' : 'are'} still retrying`]),
    ...(doubted.length === 0 ? [] : [`${fail(doubted)}, perhaps because of the network there`]),
  ];
}

/** `4 of 5 locations reach it; sin still fails with connection refused` */
function successes(votes: readonly VoteRecord[]): string {
  const working = locationsOf(votes, 'up').length;
  const summary = `${working} of ${count(validVotes(votes), 'location')} ${working === 1 ? 'reaches' : 'reach'} it`;
  const failing = byError(votes.filter((vote) => vote.vote === 'down')).map(
    ({ error, locations }) => `${list(locations)} still ${locations.length === 1 ? 'fails' : 'fail'} with ${error}`,
  );
  return [summary, ...failing, ...noVotes(votes)].join('; ');
}

function noVotes(votes: readonly VoteRecord[]): string[] {
  const unknown = locationsOf(votes, 'unknown');
  return unknown.length === 0 ? [] : [`no vote from ${list(unknown)}`];
}

function validVotes(votes: readonly VoteRecord[]): number {
  return votes.filter((vote) => vote.vote !== 'unknown').length;
}

function locationsOf(votes: readonly VoteRecord[], value: VoteRecord['vote']): string[] {
  return votes.filter((vote) => vote.vote === value).map((vote) => vote.location);
}

/** Returns locations grouped by error, the most common error first. */
function byError(failing: readonly VoteRecord[]): { error: string; locations: string[] }[] {
  const groups = new Map<string, string[]>();
  for (const vote of failing) {
    const error = phrase(vote.result?.error ?? null);
    groups.set(error, [...(groups.get(error) ?? []), vote.location]);
  }
  return [...groups]
    .map(([error, locations]) => ({ error, locations }))
    .sort((a, b) => b.locations.length - a.locations.length);
}

function phrase(error: { code: string; message: string } | null): string {
  if (error === null) return 'a failure';
  const known = PHRASES[error.code];
  if (known !== undefined) return known;
  const text = error.message.trim() === '' ? error.code.replaceAll('_', ' ') : error.message.trim();
  return text.length > ERROR_CHARS_MAX ? `${text.slice(0, ERROR_CHARS_MAX - 1)}…` : text;
}

function list(items: readonly string[]): string {
  return items.join(', ');
}

/** `2026-02-14` */
function date(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, 10);
}
