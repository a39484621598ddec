import { count } from '../../wording.js';
import type { CertificateFacts } from '../facts/facts.js';
import type { Block, Tone } from './content.js';
import type { Reading } from './reading.js';
import { tableBlocks } from './table.js';
import { needsRenewal, RENEWAL_DAYS } from './todo.js';
import { number } from './wording.js';

const SOON_DAYS = 30;

/** Returns the section on certificates, as of when the report is made. */
export function certificateBlocks({ facts, times }: Reading): Block[] {
  const { certificates, withoutCertificate } = facts;
  const unseen =
    withoutCertificate === 0
      ? []
      : [{ type: 'note' as const, text: `${count(withoutCertificate, 'https monitor')} without a certificate yet.` }];
  if (certificates.length === 0) {
    const how = 'Create a monitor of an https address: Picket then checks its certificate too.';
    return [{ type: 'text', text: `There is no certificate data yet. ${how}` }, ...unseen];
  }
  const expired = certificates.filter(({ daysRemaining }) => daysRemaining < 0).length;
  const urgent = certificates.filter(needsRenewal).length;
  const soon = certificates.filter(({ daysRemaining }) => daysRemaining >= 0 && daysRemaining <= SOON_DAYS).length;
  return [
    {
      type: 'text',
      text:
        urgent === 0
          ? `All ${count(certificates.length, 'certificate')} are trusted and valid for more than ${RENEWAL_DAYS} days.`
          : `${number(urgent)} of ${count(certificates.length, 'certificate')} must be renewed or replaced.`,
    },
    {
      type: 'cards',
      cards: [
        { label: 'Certificates', value: number(certificates.length), note: 'of https monitors', tone: 'none' },
        { label: 'Expired', value: number(expired), note: 'now', tone: expired > 0 ? 'bad' : 'good' },
        { label: 'Expiring', value: number(soon), note: `within ${SOON_DAYS} days`, tone: soon > 0 ? 'fair' : 'good' },
      ],
    },
    ...tableBlocks({
      title: null,
      columns: [
        { title: 'Monitor', align: 'left', share: 34 },
        { title: 'Issuer', align: 'left', share: 26 },
        { title: 'Grade', align: 'left', share: 10 },
        { title: 'Valid until', align: 'right', share: 16 },
        { title: 'Days left', align: 'right', share: 14 },
      ],
      rows: certificates,
      cellsOf: (certificate) => [
        { text: certificate.monitor },
        { text: certificate.issuer },
        { text: certificate.grade, tone: toneOf(certificate) },
        { text: times.date(certificate.notAfterMs) },
        {
          text: certificate.daysRemaining < 0 ? 'expired' : number(certificate.daysRemaining),
          tone: toneOf(certificate),
        },
      ],
      more: 'more that expire later',
    }),
    ...unseen,
  ];
}

function toneOf(certificate: CertificateFacts): Tone {
  if (needsRenewal(certificate)) return 'bad';
  return certificate.daysRemaining <= SOON_DAYS || certificate.grade === 'B' ? 'fair' : 'good';
}
