import { duration } from '../duration.js';
import type { VoteRecord } from '../incidents/documents.js';
import type { IncidentMessages, PlatformText } from '../incidents/incidents.js';

/** Short enough for every channel; a name may have 200 characters, an error message many more. */
const ERROR_CHARS_MAX = 160;
const NAME_CHARS_MAX = 120;
const DAY_MS = 86_400_000;

/** What a reader at 3 a.m. calls an error, where the code says enough. */
const PHRASES: Record<string, string> = {
  dns_failure: 'a DNS failure',
  connection_refused: 'connection refused',
  connection_reset: 'a connection reset',
  connect_timeout: 'no connection in time',
  tls_handshake: 'a failed TLS handshake',
  tls_untrusted: 'an untrusted certificate',
  tls_expired: 'an expired certificate',
  tls_name_mismatch: 'a certificate for another name',
  response_timeout: 'no response in time',
  keyword_missing: 'the keyword missing',
  keyword_present: 'a keyword that must not be there',
  too_many_redirects: 'too many redirects',
  response_too_large: 'a response that is too large',
  blocked_target: 'an address that may not be checked',
  packet_loss: 'lost packets',
  unreachable: 'the target unreachable',
  protocol_error: 'an answer that breaks the protocol',
};

export const incidentMessages: IncidentMessages = {
  down({ name, votes, firstFailedAtMs }) {
    return `${short(name)} is down: ${tally(votes)}. First failed check ${clockTime(firstFailedAtMs)}.`;
  },
  stillDown({ name, votes, firstFailedAtMs }) {
    return `${short(name)} is still down although its incident was resolved by hand: ${tally(votes)}. First failed check ${clockTime(firstFailedAtMs)}.`;
  },
  recovered({ name, votes, startedAtMs, nowMs }) {
    const lasted = `${duration(nowMs - startedAtMs)} (${clockTime(startedAtMs)} to ${clockTime(nowMs)})`;
    return `${short(name)} is up again after ${lasted}: ${good(votes)}.`;
  },
  nowCritical: (votes) => `Critical now: ${tally(votes)}.`,
  maintenanceEnded: () => 'The maintenance window is over and checks still fail.',
  certificate({ name, notAfterMs, nowMs, issuer }) {
    const by = issuer === '' ? '' : ` Issued by ${short(issuer)}.`;
    if (notAfterMs <= nowMs) return `The certificate of ${short(name)} expired on ${date(notAfterMs)}.${by}`;
    const days = Math.floor((notAfterMs - nowMs) / DAY_MS);
    const left = days === 0 ? 'in less than a day' : `in ${count(days, 'day')}`;
    return `The certificate of ${short(name)} expires ${left}, on ${date(notAfterMs)}.${by}`;
  },
  certificateRenewed: ({ name, notAfterMs }) =>
    `The certificate of ${short(name)} was renewed and is valid until ${date(notAfterMs)}.`,
  certificateGone: ({ name }) => `${short(name)} no longer presents the certificate that was about to expire.`,
};

/** The sentence of a platform alert; `place` is the location as people know it. */
export function platformMessage(place: string, code: string, text: PlatformText): string {
  const where = place === code ? code : `${place} (${code})`;
  switch (text.kind) {
    case 'silent':
      return `No probe of ${where} has been connected since ${clockTime(text.sinceMs)}: the location has no vote on the ${count(text.monitors, 'monitor')} assigned to it. They are judged by their other locations.`;
    case 'back':
      return `A probe of ${where} is connected again.`;
    case 'quarantined':
      return `${where} is quarantined: ${text.failing} of its ${count(text.monitors, 'monitor')} fail from there while other locations reach them. Its votes are void until its own network works again.`;
    case 'trusted':
      return `${where} is trusted again: its votes count.`;
  }
}

/** `4 of 5 locations report connection refused (fra, nyc, lon, sfo); sin says up` */
function tally(votes: readonly VoteRecord[]): string {
  const valid = votes.filter((vote) => vote.vote !== 'unknown');
  const failing = valid.filter((vote) => vote.vote === 'down');
  const groups = byError(failing);
  const of = `${failing.length} of ${count(valid.length, 'location')}`;
  const [first] = groups;
  const says =
    groups.length === 1 && first !== undefined
      ? `${of} ${failing.length === 1 ? 'reports' : 'report'} ${first.error} (${list(first.locations)})`
      : `${of} fail (${groups.map((group) => `${list(group.locations)}: ${group.error}`).join('; ')})`;
  return [says, ...others(votes)].join('; ');
}

function good(votes: readonly VoteRecord[]): string {
  const valid = votes.filter((vote) => vote.vote !== 'unknown');
  const ups = valid.filter((vote) => vote.vote === 'up');
  const failing = valid.filter((vote) => vote.vote === 'down');
  const says = `${ups.length} of ${count(valid.length, 'location')} ${ups.length === 1 ? 'reaches' : 'reach'} it`;
  const still = byError(failing).map((group) => `${list(group.locations)} still: ${group.error}`);
  return [says, ...still, ...silent(votes)].join('; ');
}

function others(votes: readonly VoteRecord[]): string[] {
  const ups = votes.filter((vote) => vote.vote === 'up').map((vote) => vote.location);
  const say = ups.length === 0 ? [] : [`${list(ups)} ${ups.length === 1 ? 'says' : 'say'} up`];
  return [...say, ...silent(votes)];
}

function silent(votes: readonly VoteRecord[]): string[] {
  const unknown = votes.filter((vote) => vote.vote === 'unknown').map((vote) => vote.location);
  return unknown.length === 0 ? [] : [`${list(unknown)} ${unknown.length === 1 ? 'has' : 'have'} no valid vote`];
}

/** Locations by what they report, the most common error first. */
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

/** A name as a sentence carries it. */
export function short(name: string): string {
  return name.length > NAME_CHARS_MAX ? `${name.slice(0, NAME_CHARS_MAX - 1)}…` : name;
}

function list(items: readonly string[]): string {
  return items.join(', ');
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}

/** `12:00:03 UTC` */
export function clockTime(atMs: number): string {
  return `${new Date(atMs).toISOString().slice(11, 19)} UTC`;
}

/** `2026-02-14` */
function date(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, 10);
}
