import type { Clock } from '../../../kernel/clock.js';
import type { StandingOf } from '../../plans/cache.js';
import { PLANS, type PlanName } from '../../plans/plans.js';
import type { RunTransaction } from '../../storage/transaction.js';
import type { Timeline } from '../../timeline/timeline.js';
import { AREA_TITLES } from '../areas/area.js';
import { type AppliedCheck, applyCheck } from '../check/apply-check.js';
import type { CheckDomain } from '../check/check-domain.js';
import type { DomainDayDocument, EmailDomainDocument } from '../documents.js';
import type { DomainListener } from '../email-domains.js';
import type { EmailDomainStore } from '../store.js';
import type { DomainDaysStore } from './days-store.js';
import { CONFIRM_AFTER_MS, nextDailyMs } from './schedule.js';

/** The domains of a stopped workspace are not checked, and become due again this often. */
const STOPPED_RECHECK_MS = 60_000;

interface CheckAndSaveNeeds {
  store: EmailDomainStore;
  days: DomainDaysStore;
  checkDomain: CheckDomain;
  listener: DomainListener;
  timeline: Timeline;
  planOf(workspaceId: string): Promise<PlanName | null>;
  standingOf: StandingOf;
  runTransaction: RunTransaction;
  clock: Clock;
}

/**
 * Checks a domain and saves the result, in one transaction with the history, the timeline and the incident. Resolves to false
 * if its workspace is stopped, or if it was deleted, changed or checked meanwhile. An aborted check saves nothing.
 */
export type CheckAndSave = (domain: EmailDomainDocument, signal: AbortSignal) => Promise<boolean>;

export function createCheckAndSave(needs: CheckAndSaveNeeds): CheckAndSave {
  const { store, days, listener, runTransaction, clock } = needs;
  return async (domain, signal) => {
    if ((await needs.standingOf(domain.workspace_id))?.stopped === true) {
      await store.postpone(domain, clock.now() + STOPPED_RECHECK_MS);
      return false;
    }
    const check = await needs.checkDomain(domain, signal);
    if (signal.aborted) return false;
    const plan = (await needs.planOf(domain.workspace_id)) ?? 'Free';
    const { changes, isFresh, ...state } = applyCheck(domain, check);
    const dailyMs = nextDailyMs(domain._id, clock.now());
    const next_at_ms = isFresh ? Math.min(dailyMs, clock.now() + CONFIRM_AFTER_MS) : dailyMs;
    return runTransaction(async (tx) => {
      const saved = await store.saveCheck(tx, domain, { ...state, next_at_ms });
      if (saved === null) return false;
      await days.put(tx, dayOf(saved, check.checkedAtMs, PLANS[plan].hoursSeconds));
      // The first check changes nothing: it only finds what is there.
      if (domain.checked_at_ms !== null) {
        await needs.timeline.record(
          tx,
          changes.flatMap((change) => timelineEntries(saved, change, check.checkedAtMs)),
        );
      }
      if (saved.trouble !== null || domain.trouble !== null) await listener.checked(tx, saved);
      return true;
    });
  };
}

function dayOf(domain: EmailDomainDocument, atMs: number, keptSeconds: number): DomainDayDocument {
  const date = new Date(atMs).toISOString().slice(0, 10);
  return {
    _id: `${domain._id}/${date}`,
    workspace_id: domain.workspace_id,
    domain_id: domain._id,
    date,
    score: domain.score,
    statuses: domain.areas.map(({ area, verdict }) => ({ area, status: verdict.status })),
    checked_at_ms: atMs,
    expires_at: new Date(atMs + keptSeconds * 1_000),
  };
}

/** The timeline has what became known to be better or worse. */
function timelineEntries(domain: EmailDomainDocument, change: AppliedCheck['changes'][number], atMs: number) {
  const { area, from, to } = change;
  if (to === 'unknown' || to === 'left_out') return [];
  return [
    {
      workspaceId: domain.workspace_id,
      atMs,
      type: `email_domain.${to}`,
      resource: { type: 'email_domain', id: domain._id, name: domain.name },
      message: `${AREA_TITLES[area]} of ${domain.name} is ${WORDS[to]}.`,
      actor: 'system',
      metadata: { area, from, to },
    },
  ];
}

const WORDS = { passing: 'passing', warning: 'not as it should be', failing: 'failing' } as const;
