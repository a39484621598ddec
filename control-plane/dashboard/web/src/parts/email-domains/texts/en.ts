import { number, plural } from '../../../texts/format.ts';

const domains = (count: number) => plural(count, { one: 'domain', other: 'domains' });

/** The texts of the e-mail domains. */
export const en = {
  title: 'E-mail domains',
  add: 'Add domain',
  failing: (count: number, all: number) => `${number(count)} of ${domains(all)} failing in at least one area.`,
  notFailing: (all: number) => `None of ${domains(all)} is failing.`,
  columns: { domain: 'Domain', improve: 'What to improve', score: 'Score' },
  score: (score: number | null) => (score === null ? '–' : number(score)),
  scoreMeaning: 'From 0 to 100. A failed lookup never changes it.',
  nothing: 'nothing',
  notYet: 'not checked yet',
  empty: 'Picket checks daily whether the e-mails of a domain arrive: MX, SPF, DKIM, DMARC and more.',
  viewer: 'Your role may not add domains; ask a member of the workspace.',
  form: {
    title: 'New domain',
    name: 'Domain',
    placeholder: 'example.com',
    selectors: 'DKIM selectors (optional)',
    selectorsHelp: 'Separated by commas. They are in the header “DKIM-Signature” of a sent e-mail, after “s=”.',
    missing: 'Enter a domain.',
    create: 'Add domain',
  },
  one: {
    notFound: 'This e-mail domain does not exist, or was deleted.',
    toList: 'To the e-mail domains',
    score: (score: number | null) => (score === null ? 'There is no score yet.' : `Score ${number(score)} of 100.`),
    check: 'Check now',
    delete: 'Delete',
    deleteTitle: (name: string) => `Delete ${name}?`,
    deleteText: 'Its history is deleted, and its incident is resolved.',
    proposal: (type: string, name: string) => `${type} record for ${name}`,
    proposalHelp: 'Adapt the record before you publish it.',
    evidence: 'What Picket found',
  },
  areas: {
    mx: 'Incoming mail servers (MX)',
    spf: 'Allowed senders (SPF)',
    dkim: 'Signatures (DKIM)',
    dmarc: 'Policy for forged mail (DMARC)',
    mta_sts: 'Enforced encryption (MTA-STS)',
    tls_rpt: 'Reports about encryption (TLS-RPT)',
    reverse_dns: 'Reverse DNS of the mail servers',
    starttls: 'Encryption of the mail servers (STARTTLS)',
  },
  status: {
    passing: 'passing',
    warning: 'could be better',
    failing: 'failing',
    unknown: 'not known',
    not_measured: 'not measured',
  },
};
