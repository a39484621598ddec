import { count } from '../../wording.js';
import type { EmailDomainFacts } from '../facts/facts.js';
import type { Block, Tone } from './content.js';
import type { Reading } from './reading.js';
import { tableBlocks } from './table.js';
import { number } from './wording.js';

const TONES: Readonly<Record<EmailDomainFacts['status'], Tone>> = {
  passing: 'good',
  warning: 'none',
  failing: 'bad',
  unknown: 'none',
};
const NAMES: Readonly<Record<EmailDomainFacts['status'], string>> = {
  passing: 'passing',
  warning: 'could be better',
  failing: 'failing',
  unknown: 'no data',
};

/** Returns the section on e-mail domains, as of when the report is made. */
export function emailBlocks({ facts, times }: Reading): Block[] {
  const { emailDomains } = facts;
  if (emailDomains.length === 0) {
    const how = 'Add an e-mail domain to see its score here.';
    return [{ type: 'text', text: `There is no data on e-mail yet. ${how}` }];
  }
  const failing = emailDomains.filter(({ status }) => status === 'failing').length;
  const scores = emailDomains.flatMap(({ score }) => score ?? []);
  const lowest = scores.length === 0 ? 'no data' : number(Math.min(...scores));
  return [
    { type: 'text', text: sentence(emailDomains.length, failing, scores.length) },
    {
      type: 'cards',
      cards: [
        { label: 'Domains', value: number(emailDomains.length), note: 'checked daily', tone: 'none' },
        { label: 'Failing', value: number(failing), note: 'in at least one area', tone: failing > 0 ? 'bad' : 'good' },
        { label: 'Lowest score', value: lowest, note: 'of 100', tone: 'none' },
      ],
    },
    ...tableBlocks({
      title: null,
      columns: [
        { title: 'Domain', align: 'left', share: 26 },
        { title: 'Status', align: 'left', share: 14 },
        { title: 'Score', align: 'right', share: 10 },
        { title: 'What to improve', align: 'left', share: 30 },
        { title: 'Checked', align: 'right', share: 20 },
      ],
      rows: emailDomains,
      cellsOf: ({ name, status, score, failing: areas, warning, checkedMs }) => [
        { text: name },
        { text: NAMES[status], tone: TONES[status] },
        { text: score === null ? 'no data' : number(score) },
        { text: [...areas, ...warning].join(', ') || '–' },
        { text: checkedMs === null ? 'not yet' : times.time(checkedMs) },
      ],
      more: 'more with a higher score',
    }),
  ];
}

function sentence(all: number, failing: number, scored: number): string {
  if (failing > 0) return `${number(failing)} of ${count(all, 'e-mail domain')} failing in at least one area.`;
  return scored === 0 ? 'There is no score of an e-mail domain yet.' : 'No e-mail domain is failing.';
}
