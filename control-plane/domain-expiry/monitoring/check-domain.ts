import type { Clock } from '../../../kernel/clock.js';
import type { Random } from '../../../kernel/random.js';
import type { StandingOf } from '../../plans/cache.js';
import type { RunTransaction, Transaction } from '../../storage/transaction.js';
import type { Timeline } from '../../timeline/timeline.js';
import type { MonitoredDomainDocument, RegistrationDocument } from '../documents.js';
import type { MonitoredDomainListener } from '../domain-expiry.js';
import type { KnownServers } from '../rdap/bootstrap.js';
import { endOfDayMs, firstQuestionsMax } from '../registrations/first-questions.js';
import type { FirstQuestionStore } from '../registrations/first-questions-store.js';
import type { LookUp } from '../registrations/look-up.js';
import { whileUnasked } from '../registrations/next.js';
import { ownView } from '../registrations/own-view.js';
import type { MonitoredDomainStore } from '../store.js';

export interface CheckDomainNeeds {
  domains: MonitoredDomainStore;
  lookUp: LookUp;
  listener: MonitoredDomainListener;
  timeline: Timeline;
  runTransaction: RunTransaction;
  firstQuestions: FirstQuestionStore;
  standingOf: StandingOf;
  clock: Clock;
  random: Random;
}

const DAY_IS_FULL = 'the workspace has added as many domains as are asked for on one day; this one follows tomorrow';

/**
 * Gives a domain what is known of its registration, in one transaction with its incident and the timeline. Resolves to false if
 * that has to wait: the server must be left alone.
 */
export type CheckDomain = (
  domain: MonitoredDomainDocument,
  servers: KnownServers,
  signal: AbortSignal,
) => Promise<boolean>;

export function createCheckDomain(needs: CheckDomainNeeds): CheckDomain {
  const { domains, firstQuestions, clock } = needs;
  return async (domain, servers, signal) => {
    const { workspace_id: workspaceId, registration } = domain;
    const nowMs = clock.now();
    // Also if the answer is known already: a workspace must not learn that another one has the domain.
    const isFirst = registration.status === 'pending';
    if (isFirst) {
      const max = firstQuestionsMax((await needs.standingOf(workspaceId))?.plan ?? 'Free');
      if (!(await firstQuestions.take(workspaceId, nowMs, max))) {
        const change = { registration: { ...registration, problem: DAY_IS_FULL }, next_at_ms: endOfDayMs(nowMs) };
        await domains.postpone(domain, change);
        return false;
      }
    }
    const found = await needs.lookUp(domain, servers, signal);
    if (isFirst && (signal.aborted || 'laterAtMs' in found)) await firstQuestions.giveBack(workspaceId, nowMs);
    if (signal.aborted) return false;
    if ('laterAtMs' in found) {
      const seen = whileUnasked(domain, found.problem, clock.now());
      await domains.postpone(domain, { registration: seen, next_at_ms: found.laterAtMs });
      return false;
    }
    return needs.runTransaction((tx) => save(needs, tx, domain, found.registration));
  };
}

async function save(
  { domains, listener, timeline, clock, random }: CheckDomainNeeds,
  tx: Transaction,
  domain: MonitoredDomainDocument,
  found: RegistrationDocument,
): Promise<boolean> {
  const view = ownView(domain, found, clock.now(), random.fraction());
  const saved = await domains.saveRegistration(tx, domain, view);
  if (saved === null) return false;
  const { workspace_id: workspaceId, suffix, registration } = saved;
  const { status } = registration;
  if (status !== domain.registration.status) {
    const isTold = status !== 'unsupported' || (await domains.noteUnsupported(tx, workspaceId, suffix));
    if (isTold) await timeline.record(tx, linesOf(saved, clock.now()));
  }
  await listener.checked(tx, saved);
  return true;
}

/** The timeline has what a person may have to do something about. */
function linesOf(
  { _id: id, workspace_id: workspaceId, name, suffix, registration }: MonitoredDomainDocument,
  atMs: number,
) {
  const { status } = registration;
  if (status !== 'unsupported' && status !== 'not_registered') return [];
  const messages = {
    unsupported: `The registry of .${suffix} has no RDAP server, so Picket cannot see when ${name} expires.`,
    not_registered: `The registry of .${suffix} says that ${name} is not registered.`,
  };
  return [
    {
      ...{ workspaceId, atMs, type: `domain.${status}`, message: messages[status], actor: 'system' },
      resource: { type: 'domain', id, name },
      metadata: { suffix },
    },
  ];
}
