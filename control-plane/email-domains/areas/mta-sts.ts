import { causeNameOf, GuardedFetchError } from '../../../kernel/fetch-failure.js';
import type { GuardedFetch } from '../../../kernel/guard/guarded-fetch.js';
import type { Lookups } from '../check/lookups.js';
import { type AreaVerdict, decided, type Evidence, type Finding, unknown } from './area.js';
import { plainName } from './dns-name.js';
import { type FoundRecords, readTags, recordsOf } from './record-texts.js';

const VERSION = /^v\s*=\s*STSv1\s*(;|$)/;
const TIMEOUT_MS = 10_000;
const POLICY_MX_MAX = 100;

type PolicyAnswer =
  | { kind: 'body'; body: string }
  | { kind: 'refused'; reason: string }
  /** The network did not let Picket ask, which says nothing about the policy. */
  | { kind: 'unknown'; reason: string };

export interface MtaStsAnswers {
  records: FoundRecords;
  /** null without a record. */
  policy: PolicyAnswer | null;
}

/**
 * Whether a sender of mail meets the failure too. A network that Picket cannot reach, or sockets that it lacks, are no fault of the
 * domain; an answer that is no HTTP is.
 */
function isOfServer(error: GuardedFetchError): boolean {
  if (error.code === 'tls' || error.code === 'blocked_target') return true;
  const cause = causeNameOf(error);
  return cause === 'ECONNREFUSED' || cause === 'HTTPParserError' || cause.startsWith('HPE_');
}

/** Returns the URL of a domain's policy (RFC 8461, section 3.3). */
export type PolicyUrl = (name: string) => string;

export const policyUrl: PolicyUrl = (name) => `https://mta-sts.${name}/.well-known/mta-sts.txt`;

export async function readMtaSts(
  name: string,
  needs: { lookups: Lookups; fetch: Pick<GuardedFetch, 'request'>; policyUrl: PolicyUrl; signal: AbortSignal },
): Promise<MtaStsAnswers> {
  const records = recordsOf(await needs.lookups.texts(`_mta-sts.${name}`), VERSION);
  if (records.kind === 'unknown' || records.texts.length !== 1) return { records, policy: null };
  return { records, policy: await fetchPolicy(needs.policyUrl(name), needs) };
}

async function fetchPolicy(
  url: string,
  { lookups, fetch, signal }: { lookups: Lookups; fetch: Pick<GuardedFetch, 'request'>; signal: AbortSignal },
): Promise<PolicyAnswer> {
  try {
    const { status, body, truncated } = await fetch.request(url, {
      ...{ method: 'GET', headers: {}, body: null, timeoutMs: TIMEOUT_MS, signal },
    });
    if (status !== 200) return { kind: 'refused', reason: `the server answers with status ${status}` };
    return truncated ? { kind: 'refused', reason: 'it is longer than 64 kB' } : { kind: 'body', body };
  } catch (error) {
    if (!(error instanceof GuardedFetchError)) throw error;
    if (error.code === 'dns_failure') {
      // The system's lookup does not tell a name without an address from one that nobody could look up. The resolver does.
      const { hostname } = new URL(url);
      const { kind } = await lookups.addresses(hostname);
      if (kind === 'none') return { kind: 'refused', reason: `${hostname} has no address` };
    }
    return { kind: isOfServer(error) ? 'refused' : 'unknown', reason: error.message };
  }
}

interface Policy {
  mode: 'enforce' | 'testing' | 'none';
  mx: string[];
}

/** Reads a policy strictly; null if it is not valid (RFC 8461, section 3.2). Pure. */
function parsePolicy(body: string): Policy | null {
  const values = new Map<string, string>();
  const mx: string[] = [];
  for (const line of body.split(/\r?\n/)) {
    if (line.trim() === '') continue;
    const [, key, value = ''] = /^([a-z][a-z0-9_.-]*)\s*:(.*)$/i.exec(line) ?? [];
    if (key === undefined) return null;
    if (key === 'mx') mx.push(plainName(value.trim()));
    else if (!values.has(key)) values.set(key, value.trim());
  }
  const mode = values.get('mode');
  if (values.get('version') !== 'STSv1' || !/^\d{1,10}$/.test(values.get('max_age') ?? '')) return null;
  if (mode !== 'enforce' && mode !== 'testing' && mode !== 'none') return null;
  if (mx.length > POLICY_MX_MAX || (mode !== 'none' && mx.length === 0)) return null;
  return { mode, mx };
}

/** Whether a pattern of a policy is for the host: the name itself, or `*.` for one label. */
function matches(pattern: string, host: string): boolean {
  return pattern.startsWith('*.') ? host.slice(host.indexOf('.')) === pattern.slice(1) : host === pattern;
}

/** Returns the verdict on MTA-STS. `hosts` are the mail servers of the domain; null if they are unknown. Pure. */
export function judgeMtaSts(
  name: string,
  { records, policy }: MtaStsAnswers,
  hosts: readonly string[] | null,
): AreaVerdict {
  if (records.kind === 'unknown')
    return unknown(`The MTA-STS record of ${name} could not be looked up: ${records.reason}.`);
  const label = `TXT _mta-sts.${name}`;
  const evidence: Evidence[] = records.texts.map((value) => ({ label, value }));
  const [text] = records.texts;
  if (text === undefined) {
    const message = `${name} has no MTA-STS record, so an attacker in the network can turn off the encryption of mail to it.`;
    const next_step = `Serve a policy at https://mta-sts.${name}/.well-known/mta-sts.txt, and publish the record.`;
    const proposal = { type: 'TXT' as const, name: `_mta-sts.${name}`, value: 'v=STSv1; id=1' };
    const finding: Finding = { code: 'mta_sts_missing', level: 'warning', message, next_step };
    return decided([finding], [{ label, value: 'no MTA-STS record' }], proposal);
  }
  const id = readTags(text)?.get('id') ?? '';
  if (records.texts.length > 1 || !/^[A-Za-z0-9]{1,32}$/.test(id)) {
    const message = `The MTA-STS record of ${name} is not valid. Senders ignore it.`;
    const next_step = 'Publish one record “v=STSv1; id=…”, with up to 32 letters and digits as id.';
    return decided([{ code: 'mta_sts_invalid', level: 'failing', message, next_step }], evidence);
  }
  return judgePolicy(name, policy, hosts, evidence);
}

function judgePolicy(
  name: string,
  policy: PolicyAnswer | null,
  hosts: readonly string[] | null,
  evidence: Evidence[],
): AreaVerdict {
  if (policy === null || policy.kind === 'unknown') {
    return unknown(`The MTA-STS policy of ${name} could not be fetched: ${policy?.reason ?? 'not asked'}.`, evidence);
  }
  const read = policy.kind === 'body' ? parsePolicy(policy.body) : null;
  evidence.push({ label: 'Policy', value: policy.kind === 'body' ? policy.body : policy.reason });
  if (read === null) {
    const why = policy.kind === 'body' ? 'it is not valid' : policy.reason;
    const message = `Senders cannot use the MTA-STS policy of ${name}: ${why}.`;
    const next_step = `Serve a valid policy at https://mta-sts.${name}/.well-known/mta-sts.txt, with a trusted certificate and without a redirect.`;
    return decided([{ code: 'mta_sts_policy_invalid', level: 'failing', message, next_step }], evidence);
  }
  if (hosts === null && read.mode === 'enforce') {
    return unknown(`The MTA-STS policy was not compared: the MX records of ${name} could not be looked up.`, evidence);
  }
  const findings: Finding[] = [];
  if (read.mode !== 'enforce') {
    const message = `The MTA-STS policy has mode “${read.mode}”, so it protects nothing yet.`;
    const next_step = 'When the TLS reports show no failures, change to “mode: enforce”.';
    findings.push({ code: 'mta_sts_not_enforced', level: 'warning', message, next_step });
  }
  const foreign = read.mode === 'none' ? [] : (hosts ?? []).filter((host) => !read.mx.some((mx) => matches(mx, host)));
  for (const host of foreign) {
    const message = `The mail server ${host} is not in the MTA-STS policy.`;
    const next_step = 'Add it to the policy as a line “mx:”, and change the id of the record.';
    const level = read.mode === 'enforce' ? 'failing' : 'warning';
    findings.push({ code: 'mta_sts_mx_missing', level, message, next_step });
  }
  return decided(findings, evidence);
}
