import { platformActor } from '../../actor.js';
import { isDuplicateKey, type RunTransaction, type Transaction } from '../../storage/transaction.js';
import { audited } from '../audited.js';
import type { HostDocument, StatusPageDocument } from '../documents.js';
import type { StatusPageNeeds } from '../needs.js';
import { challengeValue, isOfSameDomain } from './host-name.js';
import { checkedHost, lostHost, verdictOf } from './proof.js';
import type { HostRecords, ReadHostRecords } from './records.js';

export interface HostCheckNeeds extends Pick<StatusPageNeeds, 'store' | 'audit' | 'clock' | 'publicUrl' | 'box'> {
  readRecords: ReadHostRecords;
  runTransaction: RunTransaction;
}

/** Reads the records of a host name of a page and stores what they say. */
export async function checkHost(needs: HostCheckNeeds, page: StatusPageDocument, name: string): Promise<void> {
  const records = await needs.readRecords(name);
  await needs
    .runTransaction((tx) => apply(needs, tx, { page, name, records }))
    .catch((error: unknown) => {
      // Another page has verified the name at the same time. The next check finds it.
      if (!isDuplicateKey(error)) throw error;
    });
}

async function apply(
  needs: HostCheckNeeds,
  tx: Transaction,
  { page: read, name, records }: { page: StatusPageDocument; name: string; records: HostRecords },
): Promise<void> {
  const { store, clock, box, publicUrl } = needs;
  const page = await store.find(read.workspace_id, read._id, tx);
  const host = page?.hosts?.find((one) => one.name === name);
  // Deleted meanwhile, or the name was removed.
  if (page === null || host === undefined) return;
  const held = await store.findByVerifiedHost(name, tx);
  const holder = held === null || held._id === page._id ? null : held;
  const verdict = verdictOf(records, host.proof, {
    challenge: challengeValue(box, page._id, name),
    isAliasAmbiguous:
      isOfSameDomain(name, publicUrl) || (await store.isHostClaimedElsewhere(tx, page.workspace_id, name)),
    holder: holder === null ? null : { challenge: challengeValue(box, holder._id, name), proof: proofOf(holder, name) },
  });
  if (verdict === 'takes_over' && holder !== null) await write(needs, tx, holder, name, lostHost);
  await write(needs, tx, page, name, (one) => checkedHost(one, verdict, clock.now()));
}

function proofOf({ hosts = [] }: StatusPageDocument, name: string) {
  return hosts.find((host) => host.name === name)?.proof ?? null;
}

/** Only what people see of a host name is a change of the page, with an audit entry. */
async function write(
  { store, audit, clock }: HostCheckNeeds,
  tx: Transaction,
  page: StatusPageDocument,
  name: string,
  change: (host: HostDocument) => HostDocument,
): Promise<void> {
  const before = page.hosts?.find((host) => host.name === name);
  if (before === undefined) return;
  const after = change(before);
  const hosts = page.hosts?.map((host) => (host.name === name ? after : host)) ?? [];
  const wasVerified = before.proof !== null;
  const isVerified = after.proof !== null;
  if (before.proof === after.proof) return store.saveHosts(tx, page, hosts);
  await store.change(tx, page, { ...verifiedHosts(hosts), updated_at_ms: clock.now() });
  if (wasVerified === isVerified) return;
  const metadata = { host_name: name, host_verified: isVerified };
  await audit.record(tx, platformActor(page.workspace_id), audited('status_page.updated', page, metadata));
}

/** Returns the fields of a page that has these host names. */
export function verifiedHosts(hosts: HostDocument[]): { hosts: HostDocument[]; verified_hosts: string[] } {
  return { hosts, verified_hosts: hosts.filter(({ proof }) => proof !== null).map(({ name }) => name) };
}
