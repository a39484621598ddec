import { count } from '../../wording.js';
import type { SiteFacts, VulnerablePluginFacts } from '../facts/facts.js';
import type { Block, Tone } from './content.js';
import type { Reading } from './reading.js';
import { tableBlocks } from './table.js';
import { number } from './wording.js';

/** A site with all checks passing; below half of them, it is easy to attack. */
const GOOD_SCORE = 100;
const BAD_SCORE = 50;
const NOTES: Readonly<Record<SiteFacts['status'], string>> = {
  connected: '',
  silent: ' (no contact for 24 hours)',
  disconnected: ' (disconnected)',
};

/** Returns the section on WordPress sites, as of when the report is made; fixes and incidents are of the period. */
export function wordpressBlocks({ facts }: Reading): Block[] {
  const { sites, score } = facts.wordpress;
  if (sites.length === 0) {
    const how = 'Connect a WordPress site to see its checks here.';
    return [{ type: 'text', text: `There is no data on WordPress yet. ${how}` }];
  }
  const sum = (of: 'passing' | 'failing' | 'unknown' | 'fixes' | 'incidents') =>
    sites.reduce((total, site) => total + site[of], 0);
  const [failing, unknown, fixes, incidents] = [sum('failing'), sum('unknown'), sum('fixes'), sum('incidents')];
  return [
    { type: 'text', text: sentence(sites.length, sum('passing') + failing + unknown, { failing, unknown }) },
    {
      type: 'cards',
      cards: [
        { label: 'Score', value: number(score ?? 0), note: 'of 100', tone: toneOf(score ?? 0) },
        { label: 'Failing', value: number(failing), note: 'checks', tone: failing > 0 ? 'bad' : 'good' },
        { label: 'No data', value: number(unknown), note: 'checks', tone: 'none' },
        { label: 'Fixes', value: number(fixes), note: 'verified in the period', tone: 'none' },
        { label: 'Incidents', value: number(incidents), note: 'began in the period', tone: 'none' },
      ],
    },
    ...tableBlocks({
      title: null,
      columns: [
        { title: 'Site', align: 'left', share: 26 },
        { title: 'Score', align: 'right', share: 9 },
        { title: 'Passing', align: 'right', share: 10 },
        { title: 'Failing', align: 'right', share: 9 },
        { title: 'No data', align: 'right', share: 10 },
        { title: 'Fixes', align: 'right', share: 8 },
        { title: 'What to improve', align: 'left', share: 28 },
      ],
      rows: sites,
      cellsOf: (site) => [
        { text: `${site.name}${NOTES[site.status]}` },
        { text: number(site.score), tone: toneOf(site.score) },
        { text: number(site.passing) },
        { text: number(site.failing) },
        { text: number(site.unknown) },
        { text: number(site.fixes) },
        { text: site.improve.join(', ') || '–' },
      ],
      more: 'more with a higher score',
    }),
    ...pluginBlocks(sites),
  ];
}

/** Returns the table of vulnerable plugins, and what their licences require below it; nothing without any. */
function pluginBlocks(sites: readonly SiteFacts[]): Block[] {
  const rows = sites.flatMap(({ name: site, vulnerable }) => (vulnerable ?? []).map((plugin) => ({ site, plugin })));
  if (rows.length === 0) return [];
  return [
    ...tableBlocks<{ site: string; plugin: VulnerablePluginFacts }>({
      title: 'Vulnerable plugins',
      columns: [
        { title: 'Plugin', align: 'left', share: 30 },
        { title: 'Site', align: 'left', share: 26 },
        { title: 'Installed', align: 'right', share: 14 },
        { title: 'Vulnerabilities', align: 'right', share: 15 },
        { title: 'Fixed in', align: 'right', share: 15 },
      ],
      rows,
      cellsOf: ({ site, plugin: { name, version, vulnerabilities, fixedIn } }) => [
        { text: name },
        { text: site },
        { text: version || 'no data' },
        { text: number(vulnerabilities) },
        { text: fixedIn ?? 'no version known' },
      ],
      more: 'more vulnerable plugins',
    }),
    ...[...new Set(rows.flatMap(({ plugin }) => plugin.notices))].map((text): Block => ({ type: 'note', text })),
  ];
}

function sentence(sites: number, checks: number, { failing, unknown }: { failing: number; unknown: number }): string {
  const of = `${counted(checks, 'check')} of ${counted(sites, 'WordPress site')}`;
  const rest = unknown === 0 ? '' : ` ${number(unknown)} without data.`;
  if (failing > 0) return `${number(failing)} of ${of} failing.${rest}`;
  return unknown === 0 ? `All ${of} pass.` : `No check of ${of} is failing.${rest}`;
}

function counted(value: number, noun: string): string {
  return count(value, noun).replace(/^\d+/, number(value));
}

function toneOf(score: number): Tone {
  if (score >= GOOD_SCORE) return 'good';
  return score < BAD_SCORE ? 'bad' : 'fair';
}
