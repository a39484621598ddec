import t from 'tap';
import { type AreaStanding, type Standings, scoreOf } from '../../../control-plane/email-domains/check/score.js';

const ALL = { mx: 'passing', spf: 'passing', dkim: 'passing', dmarc: 'passing' } as const;
const SMALL = { mta_sts: 'passing', tls_rpt: 'passing', reverse_dns: 'passing', starttls: 'passing' } as const;

/** A table of what the areas count as, and the score that docs/email-domains.md promises. */
const CASES: [what: string, change: Partial<Record<keyof Standings, AreaStanding>>, score: number | null][] = [
  ['all pass', {}, 100],
  ['a large area fails', { spf: 'failing' }, 80],
  ['a large area could be better', { dmarc: 'warning' }, 90],
  ['a small area fails', { tls_rpt: 'failing' }, 95],
  ['a small area could be better: 97.5 is rounded down', { mta_sts: 'warning' }, 97],
  ['an area is left out: 95 of 95', { starttls: 'left_out' }, 100],
  ['an area is left out and another fails: 75 of 95', { starttls: 'left_out', spf: 'failing' }, 78],
  ['an area was never known', { dkim: 'unknown' }, null],
  ['everything fails', Object.fromEntries(Object.keys({ ...ALL, ...SMALL }).map((area) => [area, 'failing'])), 0],
  ['nothing is needed', Object.fromEntries(Object.keys({ ...ALL, ...SMALL }).map((area) => [area, 'left_out'])), null],
];

for (const [what, change, score] of CASES) {
  t.test(what, async (t) => {
    t.equal(scoreOf({ ...ALL, ...SMALL, ...change }), score);
  });
}
