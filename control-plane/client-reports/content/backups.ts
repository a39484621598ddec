import { duration } from '../../duration.js';
import { bytes, count } from '../../wording.js';
import type { BackupFacts } from '../facts/facts.js';
import type { Block, Tone } from './content.js';
import type { Reading } from './reading.js';
import { tableBlocks } from './table.js';
import { number, percent } from './wording.js';

/** Returns the section on backups. */
export function backupBlocks({ facts, fromMs, times }: Reading): Block[] {
  const { backups } = facts;
  if (backups.length === 0) {
    const how = 'Create a backup job, and let the backup send a ping when it ends, to see its runs here.';
    return [{ type: 'text', text: `There is no backup data yet. ${how}` }];
  }
  const sum = (of: (row: BackupFacts) => number) => backups.reduce((total, row) => total + of(row), 0);
  const [succeeded, failed, missed] = [sum((row) => row.succeeded), sum((row) => row.failed), sum((row) => row.missed)];
  const rate = successRate({ succeeded, failed, missed });
  const longest = Math.max(...backups.map(({ longestGapMs }) => longestGapMs));
  return [
    { type: 'text', text: sentence(backups.length, succeeded, failed + missed) },
    {
      type: 'cards',
      cards: [
        { label: 'Good runs', value: percent(rate), note: runsOf(succeeded + failed + missed), tone: toneOf(rate) },
        { label: 'Failed', value: number(failed), note: 'runs', tone: failed > 0 ? 'bad' : 'none' },
        { label: 'Missed', value: number(missed), note: 'runs', tone: missed > 0 ? 'bad' : 'none' },
        { label: 'Longest gap', value: duration(longest), note: 'without a good run of a job', tone: 'none' },
      ],
    },
    ...tableBlocks({
      title: null,
      columns: [
        { title: 'Backup', align: 'left', share: 32 },
        { title: 'Runs', align: 'right', share: 9 },
        { title: 'Good', align: 'right', share: 12 },
        { title: 'Longest gap', align: 'right', share: 15 },
        { title: 'Size', align: 'right', share: 12 },
        { title: 'Last good run', align: 'right', share: 20 },
      ],
      rows: backups,
      cellsOf: (row) => [
        { text: row.sinceMs > fromMs ? `${row.name} (measured since ${times.date(row.sinceMs)})` : row.name },
        { text: number(row.succeeded + row.failed + row.missed) },
        { text: percent(successRate(row)), tone: toneOf(successRate(row)) },
        { text: duration(row.longestGapMs) },
        { text: row.sizeBytes === null ? 'no data' : bytes(row.sizeBytes) },
        { text: row.lastGoodMs === null ? 'none' : times.time(row.lastGoodMs) },
      ],
      more: 'more with a higher share of good runs',
    }),
  ];
}

/** Returns the share of good runs in percent; null without a run. */
function successRate({ succeeded, failed, missed }: Pick<BackupFacts, 'succeeded' | 'failed' | 'missed'>) {
  const all = succeeded + failed + missed;
  // In whole hundredths, so that the sum is exact whoever computes it.
  return all === 0 ? null : Math.floor((succeeded * 10_000) / all) / 100;
}

function sentence(jobs: number, good: number, bad: number): string {
  const of = jobs === 1 ? 'of 1 backup job' : `of ${number(jobs)} backup jobs`;
  if (good + bad === 0) return `No run ${of} ended in this period.`;
  if (bad === 0) return `All ${runsOf(good)} ${of} were good.`;
  return `${number(bad)} of ${runsOf(good + bad)} ${of} failed or ${bad === 1 ? 'was' : 'were'} missed.`;
}

function runsOf(runs: number): string {
  return count(runs, 'run').replace(/^\d+/, number(runs));
}

function toneOf(rate: number | null): Tone {
  if (rate === null) return 'none';
  if (rate >= 100) return 'good';
  return rate >= 90 ? 'fair' : 'bad';
}
