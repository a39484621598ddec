import { type AreaVerdict, decided, type Evidence, type Finding, type RecordProposal, unknown } from '../area.js';
import { SPF_LOOKUPS_MAX, SPF_VOID_LOOKUPS_MAX, type SpfProblem, type SpfWalk } from './walk.js';

/** Whether the domain says that it sends no mail: `v=spf1 -all` (RFC 7208, section 10.1.2). */
export function sendsNoMail({ records, own }: SpfWalk): boolean {
  const [term] = own?.terms ?? [];
  return records.length === 1 && own?.terms.length === 1 && term?.mechanism === 'all' && term.qualifier === '-';
}

/** Returns the verdict on the SPF record. `hasMailServers` decides what record is proposed: none if it is unknown (null). Pure. */
export function judgeSpf(name: string, walk: SpfWalk, hasMailServers: boolean | null): AreaVerdict {
  const evidence = evidenceOf(name, walk);
  const [record] = walk.records;
  const proposal: RecordProposal | null =
    hasMailServers === null ? null : { type: 'TXT', name, value: hasMailServers ? 'v=spf1 mx -all' : 'v=spf1 -all' };
  if (record === undefined) {
    if (walk.unknown !== null) return unknown(`The SPF record of ${name} could not be looked up: ${walk.unknown}.`);
    const message = `${name} has no SPF record, so anybody can send mail in its name.`;
    const next_step = 'Publish an SPF record that names your mail servers and those of the services that send for you.';
    return decided([{ code: 'spf_missing', level: 'failing', message, next_step }], evidence, proposal);
  }
  if (walk.records.length > 1) {
    const message = `${name} has ${walk.records.length} SPF records. Receivers then ignore all of them.`;
    const next_step = 'Join them in one record and delete the others.';
    return decided([{ code: 'spf_several_records', level: 'failing', message, next_step }], evidence);
  }
  const findings = [...walk.problems.map(problemFinding), ...limitFindings(walk), ...policyFindings(name, walk)];
  // What a failed lookup hides can only add to failures, not take one away.
  const isDecided = findings.some(({ level }) => level === 'failing');
  if (walk.unknown !== null && !isDecided) {
    return unknown(`A name in the SPF record of ${name} could not be looked up: ${walk.unknown}.`, evidence);
  }
  return decided(findings, evidence);
}

function evidenceOf(name: string, { records, own, lookups, complete, voids }: SpfWalk): Evidence[] {
  if (records.length === 0) return [{ label: `TXT ${name}`, value: 'no SPF record' }];
  const found = records.map((value) => ({ label: `TXT ${name}`, value }));
  if (own === null) return found;
  const counted = complete ? `${lookups} of at most ${SPF_LOOKUPS_MAX}` : `more than ${SPF_LOOKUPS_MAX}`;
  return [
    ...found,
    { label: 'Lookups', value: counted },
    { label: 'Lookups without an answer', value: `${voids} of at most ${SPF_VOID_LOOKUPS_MAX}` },
  ];
}

const PROBLEMS: Readonly<Record<SpfProblem['code'], (problem: SpfProblem) => { message: string; next_step: string }>> =
  {
    spf_invalid_term: ({ domain, detail }) => ({
      message: `The SPF record of ${domain} has a term that is not valid: ${shortDetail(detail)}.`,
      next_step: 'Correct or remove the term. Receivers ignore a record with an invalid term.',
    }),
    spf_include_loop: ({ domain, detail }) => ({
      message: `The SPF record of ${domain} includes ${detail}, which leads back to itself.`,
      next_step: 'Remove the include that closes the loop.',
    }),
    spf_include_missing: ({ domain, detail }) => ({
      message: `The SPF record of ${domain} includes ${detail}, which has no SPF record.`,
      next_step: 'Remove the include, or correct its name.',
    }),
    spf_include_many: ({ domain, detail }) => ({
      message: `The SPF record of ${domain} includes ${detail}, which has more than one SPF record.`,
      next_step: 'Ask the owner of that domain to join its records, or remove the include.',
    }),
    spf_invalid_name: ({ domain, detail }) => ({
      message: `The SPF record of ${domain} names a domain that is not valid: ${shortDetail(detail)}.`,
      next_step: 'Correct the name.',
    }),
  };

function problemFinding(problem: SpfProblem): Finding {
  return { code: problem.code, level: 'failing', ...PROBLEMS[problem.code](problem) };
}

const DETAIL_CHARS_MAX = 80;

function shortDetail(detail: string): string {
  const plain = detail.replace(/[\p{C}\s]+/gu, ' ');
  return plain.length > DETAIL_CHARS_MAX ? `${plain.slice(0, DETAIL_CHARS_MAX)}…` : plain;
}

function limitFindings({ lookups, voids, usesPtr }: SpfWalk): Finding[] {
  const findings: Finding[] = [];
  if (lookups > SPF_LOOKUPS_MAX) {
    findings.push({
      code: 'spf_too_many_lookups',
      level: 'failing',
      message: `The SPF record needs more than ${SPF_LOOKUPS_MAX} DNS lookups. Receivers then ignore it.`,
      next_step:
        'Remove includes of services that you no longer use, or replace them by the addresses that they stand for.',
    });
  }
  if (voids > SPF_VOID_LOOKUPS_MAX) {
    findings.push({
      code: 'spf_too_many_void_lookups',
      level: 'failing',
      message: `${voids} names in the SPF record do not exist or have no address; at most ${SPF_VOID_LOOKUPS_MAX} may.`,
      next_step: 'Remove the names that no longer exist.',
    });
  }
  if (usesPtr) {
    findings.push({
      code: 'spf_ptr',
      level: 'warning',
      message: 'The SPF record uses “ptr”, which is slow, and which many receivers ignore.',
      next_step: 'Replace “ptr” by the addresses of your mail servers.',
    });
  }
  return findings;
}

function policyFindings(name: string, { all, own, complete }: SpfWalk): Finding[] {
  if (all === '+') {
    return [
      {
        code: 'spf_allows_all',
        level: 'failing',
        message: `The SPF record of ${name} ends with “+all”: it allows everybody to send.`,
        next_step: 'End the record with “-all” or “~all”.',
      },
    ];
  }
  const isOpen = all === '?' || (all === null && (own?.redirect ?? null) === null);
  if (!isOpen || !complete) return [];
  return [
    {
      code: all === '?' ? 'spf_neutral' : 'spf_without_all',
      level: 'warning',
      message: `The SPF record of ${name} does not say that other senders are refused.`,
      next_step: 'End the record with “-all” or “~all”.',
    },
  ];
}
