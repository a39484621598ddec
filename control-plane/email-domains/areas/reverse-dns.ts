import type { Lookups } from '../check/lookups.js';
import { type AreaVerdict, decided, type Evidence, type Finding, notNeeded, unknown } from './area.js';
import { isDnsName, plainName } from './dns-name.js';
import { type MailServers, withoutMailServers } from './mx.js';

/** Addresses of each mail server that are looked at. */
const ADDRESSES_MAX = 4;
/** Names of an address that are confirmed. An answer has room for hundreds. */
const NAMES_MAX = 4;

export interface ReverseName {
  host: string;
  address: string;
  /** `unconfirmed`: no name of the address leads back to it. */
  state: 'confirmed' | 'unconfirmed' | 'none' | 'unknown';
  names: string[];
}

export async function readReverseNames({ servers }: MailServers, lookups: Lookups): Promise<ReverseName[]> {
  const pairs = servers.flatMap(({ host, addresses }) =>
    addresses.kind === 'addresses'
      ? addresses.addresses.slice(0, ADDRESSES_MAX).map((address) => ({ host, address }))
      : [],
  );
  return Promise.all(pairs.map(async (pair) => ({ ...pair, ...(await confirmedName(pair.address, lookups)) })));
}

async function confirmedName(address: string, lookups: Lookups): Promise<Pick<ReverseName, 'state' | 'names'>> {
  const answer = await lookups.namesOf(address);
  if (answer.kind === 'none') return { state: 'none', names: [] };
  if (answer.kind !== 'names') return { state: 'unknown', names: [] };
  const names = answer.names.map(plainName).filter(isDnsName).slice(0, NAMES_MAX);
  const forward = await Promise.all(names.map((name) => lookups.addresses(name)));
  if (forward.some((found) => found.kind === 'addresses' && found.addresses.includes(address))) {
    return { state: 'confirmed', names };
  }
  const isUnknown = forward.some(({ kind }) => kind === 'failed' || kind === 'timeout');
  return { state: isUnknown ? 'unknown' : 'unconfirmed', names };
}

/** Returns the verdict on the reverse DNS of the mail servers. Pure. */
export function judgeReverseDns(name: string, mail: MailServers, found: readonly ReverseName[]): AreaVerdict {
  const without = withoutMailServers(name, mail, 'Reverse DNS');
  if (without !== null) return without;
  const evidence: Evidence[] = found.map(({ host, address, state, names }) => ({
    label: `${host} ${address}`,
    value: `${names.join(', ') || 'no name'} (${STATES[state]})`,
  }));
  const isUnanswered = mail.servers.some(
    ({ addresses }) => addresses.kind === 'failed' || addresses.kind === 'timeout',
  );
  if (found.length === 0 && !isUnanswered) {
    return notNeeded(
      `Reverse DNS was not measured: no mail server of ${name} has an address that Picket may ask about.`,
    );
  }
  if (found.length === 0 || found.some(({ state }) => state === 'unknown')) {
    return unknown(`The reverse DNS of the mail servers of ${name} could not be looked up.`, evidence);
  }
  const bad = found.filter(({ state }) => state !== 'confirmed');
  const level = bad.length === found.length ? 'failing' : 'warning';
  const findings = bad.map(
    ({ address, host, state }): Finding => ({
      code: state === 'none' ? 'reverse_dns_missing' : 'reverse_dns_unconfirmed',
      level,
      message:
        state === 'none'
          ? `The address ${address} of ${host} has no name in reverse DNS.`
          : `The name of the address ${address} of ${host} does not lead back to it.`,
      next_step: `Ask the provider of the address to set its reverse DNS to the name of the mail server, ${host}.`,
    }),
  );
  return decided(findings, evidence);
}

const STATES: Readonly<Record<ReverseName['state'], string>> = {
  confirmed: 'leads back to the address',
  unconfirmed: 'does not lead back to the address',
  none: 'no record',
  unknown: 'lookup failed',
};
