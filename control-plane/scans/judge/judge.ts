import { judgeCertificate } from './certificate.js';
import { judgeContact } from './contact.js';
import { judgeContent } from './content.js';
import { judgeCookies } from './cookies.js';
import { judgeFiles } from './files.js';
import { inArea, type ScanFinding, SEVERITIES } from './finding.js';
import { judgeHeaders } from './headers.js';
import type { Measured } from './measured.js';
import { judgePorts } from './ports.js';
import { scoreOf } from './score.js';
import { judgeTls } from './tls.js';

/** Returns the findings of a scan, the worst first, and its score. Pure. */
export function judge(measured: Measured, nowMs: number): { findings: ScanFinding[]; score: number } {
  const { page, tls } = measured;
  const findings = [
    ...inArea('files', judgeFiles(measured)),
    ...inArea('ports', judgePorts(measured)),
    ...(tls === null ? [] : inArea('certificate', judgeCertificate(tls, nowMs))),
    ...inArea('tls', judgeTls(measured)),
    ...inArea('headers', judgeHeaders(page)),
    ...inArea('cookies', judgeCookies(page)),
    ...inArea('content', judgeContent(page)),
    ...inArea('contact', judgeContact(measured.securityText, nowMs)),
    ...redirectFinding(page.redirectsTo),
  ];
  findings.sort((a, b) => SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity));
  return { findings, score: scoreOf(findings) };
}

function redirectFinding(host: string | null): ScanFinding[] {
  if (host === null) return [];
  const message = `The page redirects to ${host}, which this scan is not about.`;
  const next_step = `Monitor ${host} as well, and scan it.`;
  return [{ code: 'redirects_elsewhere', area: 'content', severity: 'info', message, next_step, evidence: host }];
}
