import { number, plural } from '../../../texts/format.ts';

const checks = (count: number) => plural(count, { one: 'check', other: 'checks' });
const sites = (count: number) => plural(count, { one: 'site', other: 'sites' });

/** The texts of the WordPress sites. */
export const en = {
  title: 'WordPress',
  add: 'Add site',
  failing: (count: number, all: number) => `${checks(count)} of ${sites(all)} ${count === 1 ? 'fails' : 'fail'}.`,
  notFailing: (all: number, unknown: number) =>
    unknown === 0
      ? `All checks of ${sites(all)} pass.`
      : `No measured check of ${sites(all)} fails; ${checks(unknown)} not measured.`,
  noneConnected: 'No site is connected yet.',
  columns: { site: 'Site', failing: 'Failing', score: 'Score' },
  score: (score: number | null) => (score === null ? '–' : number(score)),
  scoreMeaning: 'Percentage of the ten checks that pass. A check that is not measured counts as not passing.',
  noFailing: 'none',
  empty: {
    title: 'Is your WordPress hardened?',
    lead: 'Picket checks how well a WordPress site is protected, closes what is open with one click, and proves the effect from outside. Every fix can be undone.',
    viewer: 'No site is added yet. Your role may not add one; ask a member of the workspace.',
  },
  form: {
    title: 'Add a WordPress site',
    lead: 'Picket gives you a code that connects the plugin of this site.',
    name: 'Name',
    url: 'Address of the home page',
    placeholder: 'https://shop.example',
    missing: 'Enter a name and an address.',
    create: 'Add site',
    viewer: 'Your role may not add a site. Ask a member of the workspace.',
  },
  connect: {
    title: 'Connect the plugin',
    again: 'Connect the plugin again',
    download: 'Download the plugin',
    install: 'In WordPress, upload the file under Plugins → Add New → Upload Plugin, and activate it.',
    enter: 'Open Settings → Picket there, and enter these two:',
    url: 'URL of Picket',
    code: 'Activation code',
    valid: (time: string) => `The code works once, until ${time}.`,
    noCode: 'A code is shown only once, and works for 30 minutes.',
    create: 'Create code',
    another: 'Create another code',
    waiting: 'Waiting for the plugin. This page changes by itself.',
  },
  one: {
    notFound: 'There is no such site. It may have been deleted.',
    toList: 'All WordPress sites',
    waiting: 'The plugin is not connected yet.',
    disconnected: 'The plugin was deactivated, so Picket knows nothing of this site.',
    silent: 'The plugin has sent nothing for 24 hours, so Picket knows nothing of this site.',
    failing: (count: number, unknown: number) =>
      `${checks(count)} ${count === 1 ? 'fails' : 'fail'}, ${number(unknown)} not measured.`,
    passing: (count: number, unknown: number) =>
      unknown === 0
        ? `All ${checks(count)} pass.`
        : `${checks(count)} ${count === 1 ? 'passes' : 'pass'}, ${number(unknown)} not measured.`,
    harden: 'Harden',
    hardenAll: 'Harden all',
    undo: 'Undo',
    unproven: 'The site at this address has not proved to be the connected one: it cannot be reached from outside.',
    homeFails: (evidence: string) =>
      `Seen from outside: ${evidence}. If a fix is the reason, undo it here: that works even if nobody can log in.`,
    delete: 'Delete',
    deleteTitle: (name: string) => `Delete ${name}?`,
    deleteText:
      'Its history is deleted, and the plugin loses its access. What the plugin has changed on the site stays until you deactivate it there. This cannot be undone.',
  },
  checks: 'Checks',
  check: {
    xmlrpc: 'XML-RPC disabled',
    'debug-mode': 'Debug mode off',
    'directory-browsing': 'Directory browsing blocked',
    'block-php-uploads': 'PHP blocked in uploads',
    'file-editor': 'File editor disabled',
    'hide-version': 'WordPress version hidden',
    'force-https': 'HTTPS forced',
    'security-headers': 'Security headers',
    'fatal-errors': 'No fatal errors',
    'vulnerable-plugins': 'No vulnerable plugins',
  },
  status: { passing: 'passing', failing: 'failing', unknown: 'unknown' },
  outside: (evidence: string) => `From outside: ${evidence}`,
  manual: {
    refused: 'This site does not allow the fix:',
    paste: {
      apache: 'What to paste into the virtual host of the site in the configuration of Apache',
      nginx: 'What to paste into the server block of the site in the configuration of nginx',
    },
  },
  vulnerabilities: {
    title: 'Vulnerable plugins',
    fixedIn: (version: string) => `Fixed in ${version}.`,
    unfixed: 'No fixed version is known.',
    inactive: 'The plugin is not active, but its files can be requested.',
    more: (count: number) => `${number(count)} more.`,
    source: { wordfence: 'Wordfence Intelligence', wpvulnerability: 'WPVulnerability' },
    update: 'Update',
    updateTitle: (plugin: string) => `Update ${plugin}?`,
    updateText:
      'WordPress installs the version that it offers. Picket copies the folder of the plugin first and tests the home page, the log-in page and one more page afterwards. If one of them fails, the copy is put back. The plugin is inactive for some seconds. Changes of its database are not undone.',
    deactivate: 'Deactivate',
    deactivateTitle: (plugin: string) => `Deactivate ${plugin}?`,
    deactivateText:
      'What the plugin does on the site ends. If a page fails then, the plugin is activated again. Its files can still be requested, so the check goes on failing until you update or delete it.',
    activate: 'Activate again',
    working: 'Working',
  },
  history: 'History',
  noHistory: 'Nothing was changed on this site yet.',
  kind: {
    fix: 'Harden',
    undo: 'Undo',
    update_plugin: 'Update',
    deactivate_plugin: 'Deactivate',
    restore_plugin: 'Put back',
  },
  job: {
    queued: 'waiting for the site',
    delivered: 'the site is working on it',
    applied: 'done, being verified',
    verified: 'done and verified',
    failed: 'failed',
    rolled_back: 'undone by the site itself',
    expired: 'not done within 24 hours',
  },
  beforePlugins: 'Done before plugins and theme were loaded, because the site did not answer otherwise.',
  emergency: {
    title: 'Emergency undo',
    meaning: 'Undoes fixes even if a plugin or the theme fails on every request, or nobody can log in.',
    passing: 'ready',
    failing: 'not possible',
    unknown: 'not measured',
  },
  facts: { wordpress: 'WordPress', php: 'PHP', server: 'Web server', plugin: 'Plugin', seen: 'Last contact' },
  about: 'About the site',
  ago: (lasted: string) => `${lasted} ago`,
};
