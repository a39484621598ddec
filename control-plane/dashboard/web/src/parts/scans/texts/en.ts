import { number, plural } from '../../../texts/format.ts';

const websites = (count: number) => plural(count, { one: 'website', other: 'websites' });

/** The texts of the security scans. */
export const en = {
  title: 'Security scans',
  empty: 'A scan finds missing security headers, old encryption, exposed files and open ports of a website.',
  viewer: 'There is no scan yet. Your role may not start one; ask a member of the workspace.',
  running: 'A scan is under way.',
  noneCompleted: 'No scan is complete yet.',
  serious: (count: number, all: number) =>
    `${number(count)} of ${websites(all)} with a critical or high finding in the last scan.`,
  notSerious: (all: number) => `The last scan of ${websites(all)} has no critical or high finding.`,
  columns: { website: 'Website', found: 'Findings', score: 'Score', when: 'Started' },
  found: (serious: number, others: number) =>
    serious + others === 0 ? 'nothing' : `${number(serious)} critical or high, ${number(others)} medium or low`,
  score: (score: number | null) => (score === null ? '–' : number(score)),
  scoreMeaning: 'From 0 to 100. What could not be measured never changes it.',
  form: {
    website: 'Website',
    noWebsite: 'A scan is about the website of an http monitor, and there is none yet.',
    createMonitor: 'Create monitor',
    confirm: 'How the website confirms that you may scan it',
    confirmHelp: (record: string, file: string) =>
      `Publish the token as TXT record ${record}, or as the only content of the file ${file}. Picket reads it before each scan.`,
    token: 'Token',
    start: 'Start scan',
  },
  one: {
    notFound: 'This scan does not exist, or was deleted.',
    toList: 'To the security scans',
    score: (score: string) => `Score ${score} of 100.`,
    queued: 'The scan waits for a probe.',
    running: 'A probe scans the website now.',
    failed: 'The scan failed.',
    passed: (count: number) => `${plural(count, { one: 'check', other: 'checks' })} passed`,
    delete: 'Delete',
    deleteTitle: (target: string) => `Delete the scan of ${target}?`,
    deleteText: 'Its findings are deleted. Other scans of the website stay.',
  },
  statuses: { queued: 'queued', running: 'running', completed: 'completed', failed: 'failed' },
  severities: {
    critical: 'critical',
    high: 'high',
    medium: 'medium',
    low: 'low',
    info: 'info',
    passed: 'passed',
    unknown: 'not measured',
  },
  areas: {
    files: 'Exposed files',
    ports: 'Open ports',
    certificate: 'Certificate',
    tls: 'Encryption',
    headers: 'Security headers',
    cookies: 'Cookies',
    content: 'Content',
    contact: 'Contact',
  },
};
