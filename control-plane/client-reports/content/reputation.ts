import { count } from '../../wording.js';
import type { ReputationFacts } from '../facts/facts.js';
import type { Block, Tone } from './content.js';
import type { Reading } from './reading.js';
import { tableBlocks } from './table.js';
import { number } from './wording.js';

const TONES: Readonly<Record<ReputationFacts['status'], Tone>> = { listed: 'bad', unknown: 'none', clean: 'good' };
const NAMES: Readonly<Record<ReputationFacts['status'], string>> = {
  ...{ listed: 'listed', unknown: 'no data', clean: 'clean' },
};

/** Returns the section on blacklists, as of when the report is made. */
export function reputationBlocks({ facts, times }: Reading): Block[] {
  const { reputation } = facts;
  if (reputation.length === 0) {
    const how = 'Create a blacklist monitor of an address or domain to see its listings here.';
    return [{ type: 'text', text: `There is no blacklist data yet. ${how}` }];
  }
  const of = (status: ReputationFacts['status']) => reputation.filter((row) => row.status === status).length;
  const [listed, unknown] = [of('listed'), of('unknown')];
  return [
    { type: 'text', text: sentence(reputation.length, listed, unknown) },
    {
      type: 'cards',
      cards: [
        { label: 'Targets', value: number(reputation.length), note: 'addresses and domains', tone: 'none' },
        { label: 'Listed', value: number(listed), note: 'on at least one list', tone: listed > 0 ? 'bad' : 'good' },
        { label: 'Clean', value: number(of('clean')), note: 'on all lists that answered', tone: 'none' },
      ],
    },
    ...tableBlocks({
      title: null,
      columns: [
        { title: 'Target', align: 'left', share: 26 },
        { title: 'Status', align: 'left', share: 11 },
        { title: 'Score', align: 'right', share: 10 },
        { title: 'Listings', align: 'left', share: 33 },
        { title: 'Checked', align: 'right', share: 20 },
      ],
      rows: reputation,
      cellsOf: ({ target, status, score, listings, checkedMs }) => [
        { text: target },
        { text: NAMES[status], tone: TONES[status] },
        { text: score === null ? 'no data' : number(score) },
        { text: listings.map(({ list, sinceMs }) => `${list} since ${times.date(sinceMs)}`).join('; ') || '–' },
        { text: checkedMs === null ? 'not yet' : times.time(checkedMs) },
      ],
      more: 'more without a listing',
    }),
  ];
}

function sentence(all: number, listed: number, unknown: number): string {
  const rest = unknown === 0 ? '' : ` ${count(unknown, 'target')} without data.`;
  if (listed > 0) return `${number(listed)} of ${count(all, 'target')} on at least one blacklist.${rest}`;
  return unknown === all ? `There is no answer of a blacklist yet.` : `No target is on a blacklist.${rest}`;
}
