import type { Clock } from '../../../kernel/clock.js';
import type { RunTransaction, Transaction } from '../../storage/transaction.js';
import type { Timeline } from '../../timeline/timeline.js';
import type { MonitoredDomainDocument, RegistrationDocument } from '../documents.js';
import type { MonitoredDomainListener } from '../domain-expiry.js';
import type { KnownServers } from '../rdap/bootstrap.js';
import type { LookUp } from '../registrations/look-up.js';
import { registrationOf } from '../registrations/next.js';
import type { MonitoredDomainStore } from '../store.js';

export interface CheckDomainNeeds {
  domains: MonitoredDomainStore;
  lookUp: LookUp;
  listener: MonitoredDomainListener;
  timeline: Timeline;
  runTransaction: RunTransaction;
  clock: Clock;
}

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
  const { domains } = needs;
  return async (domain, servers, signal) => {
    const found = await needs.lookUp(domain, servers, signal);
    if (signal.aborted) return false;
    if ('laterAtMs' in found) {
      await domains.postpone(domain, found.laterAtMs);
      return false;
    }
    return needs.runTransaction((tx) => save(needs, tx, domain, found.registration));
  };
}

async function save(
  { domains, listener, timeline, clock }: CheckDomainNeeds,
  tx: Transaction,
  domain: MonitoredDomainDocument,
  found: RegistrationDocument,
): Promise<boolean> {
  const change = { registration: registrationOf(found), next_at_ms: found.next_at_ms };
  const saved = await domains.saveRegistration(tx, domain, change);
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
