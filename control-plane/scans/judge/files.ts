import type { FindingSeverity } from './finding.js';
import { type Judged, passed, unknown } from './finding.js';
import type { Measured } from './measured.js';

/** What each file gives away. A path that is not here is that of a newer probe. */
const FILES: Readonly<Record<string, { severity: FindingSeverity; what: string }>> = {
  '/.git/HEAD': { severity: 'critical', what: 'The whole source code and its history can be downloaded from “.git”' },
  '/.env': { severity: 'critical', what: 'A file with settings, most likely with passwords, can be downloaded' },
  '/.htpasswd': { severity: 'critical', what: 'A file with hashes of passwords can be downloaded' },
  '/wp-config.php.bak': {
    severity: 'critical',
    what: 'A copy of the settings of WordPress with its database password can be downloaded',
  },
  '/wp-config.php~': {
    severity: 'critical',
    what: 'A copy of the settings of WordPress with its database password can be downloaded',
  },
  '/backup.sql': { severity: 'critical', what: 'A copy of a database can be downloaded' },
  '/dump.sql': { severity: 'critical', what: 'A copy of a database can be downloaded' },
  '/backup.zip': { severity: 'high', what: 'A file that looks like a backup can be downloaded' },
  '/backup.tar.gz': { severity: 'high', what: 'A file that looks like a backup can be downloaded' },
  '/phpinfo.php': { severity: 'medium', what: 'A page shows the settings of PHP and of the server' },
  '/server-status': { severity: 'medium', what: 'A page shows which addresses visitors ask for' },
};

/** Returns the findings on files that must not be public. The evidence names the file, never its content. Pure. */
export function judgeFiles({ files }: Pick<Measured, 'files'>): Judged[] {
  const exposed = files.filter(({ outcome }) => outcome === 'exposed');
  const findings = exposed.map(({ path }): Judged => {
    const { severity, what } = FILES[path] ?? {
      severity: 'medium',
      what: 'A file that should not be public can be downloaded',
    };
    return {
      code: `file_exposed:${path}`,
      severity,
      evidence: `${path} answers with the content of such a file`,
      message: `${what}.`,
      next_step: `Delete ${path} or refuse it in the web server, and replace all passwords and keys in it.`,
    };
  });
  const unmeasured = files.filter(({ outcome }) => outcome === 'unknown').map(({ path }) => path);
  if (unmeasured.length > 0 || files.length === 0) {
    findings.push({
      ...unknown('files', 'Whether some files are public could not be measured.'),
      evidence: unmeasured.join(', ') || null,
    });
  }
  return findings.length > 0
    ? findings
    : [passed('files', `None of ${files.length} files that should not be public is.`)];
}
