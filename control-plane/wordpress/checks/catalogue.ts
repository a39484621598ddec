/** The ten checks of every site, in the order of their numbers. */
export const CHECKS = [
  { id: 'xmlrpc', name: 'XML-RPC disabled', severity: 'high', isFixable: true },
  { id: 'debug-mode', name: 'Debug mode off', severity: 'high', isFixable: true },
  { id: 'directory-browsing', name: 'Directory browsing blocked', severity: 'medium', isFixable: true },
  { id: 'block-php-uploads', name: 'PHP blocked in uploads', severity: 'critical', isFixable: true },
  { id: 'file-editor', name: 'File editor disabled', severity: 'high', isFixable: true },
  { id: 'hide-version', name: 'WordPress version hidden', severity: 'low', isFixable: true },
  { id: 'force-https', name: 'HTTPS forced', severity: 'high', isFixable: true },
  { id: 'security-headers', name: 'Security headers', severity: 'medium', isFixable: true },
  { id: 'fatal-errors', name: 'No fatal errors', severity: 'high', isFixable: false },
  { id: 'vulnerable-plugins', name: 'No vulnerable plugins', severity: 'critical', isFixable: false },
] as const;

export type CheckId = (typeof CHECKS)[number]['id'];

export const CHECK_IDS: readonly CheckId[] = CHECKS.map(({ id }) => id);

export const SEVERITIES = ['critical', 'high', 'medium', 'low'] as const;

/** The checks that Picket can fix by itself, where the site allows it. */
export const FIXABLE_IDS: readonly CheckId[] = CHECKS.filter(({ isFixable }) => isFixable).map(({ id }) => id);

/** Why a check that was never measured is not. */
export function whyUnmeasured(check: CheckId): string {
  return check === 'vulnerable-plugins'
    ? 'this version of the plugin does not report which plugins the site has'
    : 'not measured yet, or not by this version of the plugin';
}
