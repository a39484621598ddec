import type { Lookups } from '../../check/lookups.js';
import { isDnsName, plainName } from '../dns-name.js';
import { failureOf, recordsOf } from '../record-texts.js';
import { parseSpf, SPF_VERSION, type SpfRecord, type SpfTerm } from './parse.js';

/** RFC 7208, section 4.6.4. */
export const SPF_LOOKUPS_MAX = 10;
export const SPF_VOID_LOOKUPS_MAX = 2;

/** What a receiver finds when it evaluates an SPF record for an address that no mechanism matches. */
export interface SpfWalk {
  /** The SPF records of the domain itself. */
  records: string[];
  own: SpfRecord | null;
  /** Mechanisms and modifiers that cost a lookup, with those of included records. */
  lookups: number;
  /** false if the walk ended early because there are too many lookups: then there may be more. */
  complete: boolean;
  /** Lookups that found nothing. */
  voids: number;
  usesPtr: boolean;
  /** What ends each path through `redirect`; null without `all`. */
  all: SpfTerm['qualifier'] | null;
  problems: SpfProblem[];
  /** Why a lookup failed; null if none did. */
  unknown: string | null;
}

export interface SpfProblem {
  code: 'spf_invalid_term' | 'spf_include_loop' | 'spf_include_missing' | 'spf_include_many' | 'spf_invalid_name';
  /** The domain of the record, and what is wrong with it. */
  domain: string;
  detail: string;
}

/**
 * Walks through the record and what it includes, in the order of a receiver. It ends with the first lookup over the limit, so
 * hostile records cost no more than good ones.
 */
export async function walkSpf(name: string, lookups: Lookups): Promise<SpfWalk> {
  const walk: SpfWalk = {
    ...{ records: [], own: null, lookups: 0, complete: true, voids: 0, usesPtr: false, all: null, problems: [] },
    unknown: null,
  };
  const found = recordsOf(await lookups.texts(name), SPF_VERSION);
  if (found.kind === 'unknown') return { ...walk, unknown: found.reason };
  walk.records = found.texts;
  const [text] = found.texts;
  if (text === undefined || found.texts.length > 1) return walk;
  walk.own = parseSpf(text);
  await walkRecord(walk, walk.own, { domain: name, path: [plainName(name)], isRoot: true }, lookups);
  return walk;
}

interface Place {
  domain: string;
  /** The domains on the way here, for loops. */
  path: readonly string[];
  /** false within an include, whose `all` does not count for the domain. */
  isRoot: boolean;
}

async function walkRecord(walk: SpfWalk, record: SpfRecord, place: Place, lookups: Lookups): Promise<void> {
  for (const detail of record.invalid) walk.problems.push({ code: 'spf_invalid_term', domain: place.domain, detail });
  let ended = false;
  for (const term of record.terms) {
    if (term.mechanism === 'all') {
      if (place.isRoot) walk.all = term.qualifier;
      ended = true;
      break;
    }
    if (term.mechanism === 'ptr') walk.usesPtr = true;
    if (term.mechanism === 'ip4' || term.mechanism === 'ip6') continue;
    if (!countLookup(walk)) return;
    await walkTerm(walk, term, place, lookups);
  }
  if (ended || record.redirect === null || !countLookup(walk)) return;
  await follow(walk, record.redirect, place, place.isRoot, lookups);
}

/** Returns false beyond the limit. */
function countLookup(walk: SpfWalk): boolean {
  walk.lookups++;
  if (walk.lookups <= SPF_LOOKUPS_MAX) return true;
  walk.complete = false;
  return false;
}

async function walkTerm(walk: SpfWalk, term: SpfTerm, place: Place, lookups: Lookups): Promise<void> {
  if (term.mechanism === 'include') return follow(walk, term.domain ?? '', place, false, lookups);
  if (term.mechanism === 'ptr') return;
  const domain = term.domain ?? place.domain;
  // Macros depend on the message, so what they mean cannot be looked up.
  if (domain.includes('%')) return;
  if (!isDnsName(domain)) {
    walk.problems.push({ code: 'spf_invalid_name', domain: place.domain, detail: domain });
    return;
  }
  const answer = term.mechanism === 'mx' ? await lookups.exchanges(domain) : await lookups.addresses(domain);
  if (answer.kind === 'none') walk.voids++;
  if (answer.kind === 'failed' || answer.kind === 'timeout') walk.unknown ??= failureOf(answer);
}

async function follow(walk: SpfWalk, spec: string, from: Place, isRoot: boolean, lookups: Lookups): Promise<void> {
  if (spec.includes('%')) return;
  const domain = plainName(spec);
  if (!isDnsName(domain)) {
    walk.problems.push({ code: 'spf_invalid_name', domain: from.domain, detail: spec });
    return;
  }
  if (from.path.includes(domain)) {
    walk.problems.push({ code: 'spf_include_loop', domain: from.domain, detail: domain });
    return;
  }
  const answer = await lookups.texts(domain);
  if (answer.kind === 'none') walk.voids++;
  const found = recordsOf(answer, SPF_VERSION);
  if (found.kind === 'unknown') {
    walk.unknown ??= found.reason;
    return;
  }
  const [text] = found.texts;
  if (text === undefined || found.texts.length > 1) {
    const code = text === undefined ? 'spf_include_missing' : 'spf_include_many';
    walk.problems.push({ code, domain: from.domain, detail: domain });
    return;
  }
  await walkRecord(walk, parseSpf(text), { domain, path: [...from.path, domain], isRoot }, lookups);
}
