/** The ten checks of every site, in the order of their numbers. */
export const CHECKS = [
  { id: 'xmlrpc', name: 'XML-RPC disabled', severity: 'high' },
  { id: 'debug-mode', name: 'Debug mode off', severity: 'high' },
  { id: 'directory-browsing', name: 'Directory browsing blocked', severity: 'medium' },
  { id: 'block-php-uploads', name: 'PHP blocked in uploads', severity: 'critical' },
  { id: 'file-editor', name: 'File editor disabled', severity: 'high' },
  { id: 'hide-version', name: 'WordPress version hidden', severity: 'low' },
  { id: 'force-https', name: 'HTTPS forced', severity: 'high' },
  { id: 'security-headers', name: 'Security headers', severity: 'medium' },
  { id: 'fatal-errors', name: 'No fatal errors', severity: 'high' },
  { id: 'vulnerable-plugins', name: 'No vulnerable plugins', severity: 'critical' },
] as const;

export type CheckId = (typeof CHECKS)[number]['id'];

export const CHECK_IDS: readonly CheckId[] = CHECKS.map(({ id }) => id);

export const SEVERITIES = ['critical', 'high', 'medium', 'low'] as const;

/** The checks that this version of the plugin measures and fixes. The others are `unknown`. */
export const FIXABLE_IDS = ['xmlrpc'] as const;
export type FixableId = (typeof FIXABLE_IDS)[number];

/** Returns whether Picket can fix the check by itself. */
export function isFixable(check: CheckId): check is FixableId {
  return (FIXABLE_IDS as readonly string[]).includes(check);
}
