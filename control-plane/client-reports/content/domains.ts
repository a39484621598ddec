import type { DomainFacts } from '../facts/facts.js';
import type { Block, Tone } from './content.js';
import type { Reading } from './reading.js';
import { tableBlocks } from './table.js';
import { RENEWAL_DAYS } from './todo.js';
import { number } from './wording.js';

const SOON_DAYS = 30;

/** What the table says in place of a date. */
const WITHOUT_DATE: Readonly<Record<DomainFacts['status'], string>> = {
  pending: 'not checked yet',
  known: 'not published',
  unsupported: 'not published',
  not_told: 'not published',
  not_registered: 'not registered',
  unreachable: 'no answer',
};

/** Returns the table of the registered domains of the monitors, as of when the report is made; nothing without any. */
export function domainBlocks({ facts, times }: Pick<Reading, 'facts' | 'times'>): Block[] {
  const { domains } = facts;
  if (domains.length === 0) return [];
  return tableBlocks<DomainFacts>({
    title: 'Domains',
    columns: [
      { title: 'Domain', align: 'left', share: 34 },
      { title: 'Registrar', align: 'left', share: 32 },
      { title: 'Registered until', align: 'right', share: 20 },
      { title: 'Days left', align: 'right', share: 14 },
    ],
    rows: domains,
    cellsOf: ({ name, status, registrar, expiresMs, daysRemaining }) => [
      { text: name },
      { text: registrar ?? '–' },
      { text: expiresMs === null ? WITHOUT_DATE[status] : times.date(expiresMs) },
      daysRemaining === null
        ? { text: '–' }
        : { text: daysRemaining < 0 ? 'expired' : number(daysRemaining), tone: toneOf(daysRemaining) },
    ],
    more: 'more domains that expire later',
  });
}

function toneOf(daysRemaining: number): Tone {
  if (daysRemaining <= RENEWAL_DAYS) return 'bad';
  return daysRemaining <= SOON_DAYS ? 'fair' : 'good';
}
