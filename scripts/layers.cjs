/**
 * The layers of the product, lowest first, as `scripts/check-layers` enforces them and docs/architecture.md quotes
 * them. A folder that is missing here fails the check.
 */

/** The top-level folders: programs and shared code. Each folder may import only itself and the folders in its list. */
const ROOMS = {
  kernel: [],
  proto: [],
  'node-link': ['kernel', 'proto'],
  probe: ['kernel', 'proto', 'node-link'],
  'server-agent': ['kernel', 'proto', 'node-link'],
  'control-plane': ['kernel', 'proto'],
  supervisor: ['kernel'],
  scripts: ['kernel', 'proto', 'control-plane', 'supervisor'],
  bench: ['kernel', 'proto', 'node-link', 'probe', 'server-agent', 'control-plane', 'scripts', 'test'],
};

/** Folders of the control plane that are not slices: what every slice uses. They import no slice. */
const BASE = ['storage', 'plans', 'retention', 'http', 'references'];

/** The slices in order: a slice imports only slices before it, so that no two slices depend on each other. */
const SLICES = [
  'audit',
  'mail',
  'accounts',
  'sessions',
  'second-factor',
  'sign-in',
  'own-account',
  'workspaces',
  'single-sign-on',
  'team',
  'billing',
  'install',
  'nodes',
  'recipients',
  'timeline',
  'maintenance',
  'incidents',
  'notifications',
  'on-call',
  'recipient-pages',
  'monitors',
  'results',
  'verdicts',
  'monitor-transfer',
  'monitor-bulk',
  'alert-rules',
  'servers',
  'blacklist',
  'backup-jobs',
  'client-reports',
  'status-pages',
  'wordpress',
  'dashboard',
  'live',
  'health',
];

/** Folders of the control plane that contain programs: the command line, and the composition root. */
const PROGRAMS = ['commands', 'product'];

/** The files of each slice that other slices may import. They import nothing from slices that are not listed. */
const PUBLIC_FILES = {
  'control-plane/audit/': ['audit', 'changes', 'documents'],
  'control-plane/mail/': [
    'mailer',
    'mail-server',
    'outcome',
    'foreign-text',
    'link',
    'mailbox',
    'place-for-sender',
    'one-click',
    'contents/*',
    'template/escape-html',
  ],
  'control-plane/accounts/': [
    'accounts',
    'break-glass',
    'confirmation-store',
    'documents',
    'free-workspaces',
    'join',
    'member-access',
    'memberships-store',
    'new-free-workspace',
    'operators',
    'person-actor',
    'requiring-workspaces',
    'schema',
    'user-of-actor',
    'users-store',
    'view',
    'workspaces-store',
    'one-time-tokens/one-time-tokens',
    'passwords/password',
    'passwords/password-strength',
    'standing/standing',
    'standing/store',
  ],
  'control-plane/sessions/': [
    'cookie',
    'devices/device',
    'devices/origin',
    'documents',
    'failed-log-in',
    'is-known-device',
    'second-factor-check',
    'sessions',
    'sign-in',
    'validity',
  ],
  'control-plane/second-factor/': ['second-factor', 'attempts/limit'],
  'control-plane/sign-in/': ['lock-out', 'with-log-in'],
  'control-plane/own-account/': ['prove-address'],
  'control-plane/install/': ['install'],
  'control-plane/nodes/': ['nodes', 'join-token'],
  'control-plane/recipients/': ['limits', 'recipients'],
  'control-plane/timeline/': ['timeline'],
  'control-plane/maintenance/': ['calendar', 'maintenance', 'schedule/cron', 'schedule/times', 'schedule/zone'],
  'control-plane/incidents/': [
    'incidents',
    'documents',
    'kind',
    'decision-view',
    'examples',
    'silence/personal-silence',
  ],
  'control-plane/notifications/': ['notifications'],
  'control-plane/on-call/': ['page/frame', 'page/fitted'],
  'control-plane/monitors/': ['monitors', 'documents', 'ids-query', 'schema'],
  'control-plane/results/': ['results', 'documents'],
  'control-plane/alert-rules/': ['alert-rules', 'documents', 'rule-type'],
};

/** The files that every slice may import from the folders in `BASE` and from `control-plane/` itself. */
const SHARED = {
  'control-plane/': [
    'actor',
    'csv',
    'cut',
    'duration',
    'errors',
    'printable',
    'roles',
    'slice',
    'start-at-zero',
    'wording',
  ],
  'control-plane/http/': [
    'access',
    'authenticate',
    'etag',
    'event-stream',
    'html/*',
    'mount',
    'paging',
    'route',
    'client/*',
    'input/*',
    'input/time/*',
    'limits/*',
    'refusals',
    'response',
  ],
  'control-plane/storage/': ['*', 'clock/*', 'health/*', 'leases/*', 'writes/*'],
  'control-plane/plans/': ['*'],
  'control-plane/retention/': ['*'],
  'control-plane/references/': ['*'],
};

module.exports = { ROOMS, BASE, SLICES, PROGRAMS, PUBLIC_FILES, SHARED };
