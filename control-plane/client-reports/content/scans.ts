import { count } from '../../wording.js';
import type { ScanFacts } from '../facts/facts.js';
import type { Block, Tone } from './content.js';
import type { Reading } from './reading.js';
import { tableBlocks } from './table.js';
import { number } from './wording.js';

/** Returns the section on security scans: the last completed one of each website in the period. */
export function scanBlocks({ facts, times }: Reading): Block[] {
  const { scans } = facts;
  if (scans.length === 0) {
    const how = 'Scan the website of a monitor to see its score here.';
    return [{ type: 'text', text: `No security scan was completed in this period. ${how}` }];
  }
  const serious = scans.filter(isSerious).length;
  const lowest = Math.min(...scans.map(({ score }) => score));
  return [
    { type: 'text', text: sentence(scans.length, serious) },
    {
      type: 'cards',
      cards: [
        { label: 'Websites', value: number(scans.length), note: 'scanned in this period', tone: 'none' },
        {
          label: 'With serious findings',
          value: number(serious),
          note: 'critical or high',
          tone: serious > 0 ? 'bad' : 'good',
        },
        { label: 'Lowest score', value: number(lowest), note: 'of 100', tone: toneOf(lowest) },
      ],
    },
    ...tableBlocks({
      title: null,
      columns: [
        { title: 'Website', align: 'left', share: 25 },
        { title: 'Score', align: 'right', share: 8 },
        { title: 'Critical, high', align: 'right', share: 12 },
        { title: 'Medium, low', align: 'right', share: 11 },
        { title: 'What to do first', align: 'left', share: 28 },
        { title: 'Scanned', align: 'right', share: 16 },
      ],
      rows: scans,
      cellsOf: ({ target, score, critical, high, medium, low, unknown, first, scannedMs }) => [
        { text: unknown > 0 ? `${target} (${number(unknown)} not measured)` : target },
        { text: number(score), tone: toneOf(score) },
        { text: `${number(critical)}, ${number(high)}`, tone: critical + high > 0 ? 'bad' : 'none' },
        { text: `${number(medium)}, ${number(low)}` },
        { text: first.join(' ') || '–' },
        { text: times.time(scannedMs) },
      ],
      more: 'more with a higher score',
    }),
  ];
}

function isSerious({ critical, high }: ScanFacts): boolean {
  return critical + high > 0;
}

function toneOf(score: number): Tone {
  if (score >= 90) return 'good';
  return score >= 60 ? 'fair' : 'bad';
}

function sentence(all: number, serious: number): string {
  if (serious === 0) return `The last scan of ${count(all, 'website')} has no critical or high finding.`;
  return `${number(serious)} of ${count(all, 'website')} with a critical or high finding in its last scan.`;
}
