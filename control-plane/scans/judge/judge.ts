import { judgeCertificate } from './certificate.js';
import { judgeContact } from './contact.js';
import { judgeContent } from './content.js';
import { judgeCookies } from './cookies.js';
import { judgeFiles } from './files.js';
import { inArea, type Judged, type ScanFinding, SEVERITIES, unknown } from './finding.js';
import { judgeHeaders, judgeTransport } from './headers.js';
import type { Measured, MeasuredPage } from './measured.js';
import { judgePorts } from './ports.js';
import { scoreOf } from './score.js';
import { judgeTls } from './tls.js';

const ERROR_STATUS_MIN = 400;

/**
 * Returns the findings of a scan, the worst first, and its score. A response that redirects to another host, or that is an
 * error, is not the page that visitors see: only what holds for the whole website is judged then. Pure.
 */
export function judge(measured: Measured, nowMs: number): { findings: ScanFinding[]; score: number } {
  const { page, tls } = measured;
  const isPage = page.redirectsTo === null && page.status < ERROR_STATUS_MIN;
  const findings = [
    ...inArea('files', judgeFiles(measured)),
    ...inArea('ports', judgePorts(measured)),
    ...(tls === null ? [] : inArea('certificate', judgeCertificate(tls, nowMs))),
    ...inArea('tls', judgeTls(measured)),
    ...inArea('headers', judgeTransport(page)),
    ...(isPage ? judgePage(measured, nowMs) : inArea('content', [notThePage(page)])),
  ];
  findings.sort((a, b) => SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity));
  return { findings, score: scoreOf(findings) };
}

function judgePage({ page, securityText }: Measured, nowMs: number): ScanFinding[] {
  return [
    ...inArea('headers', judgeHeaders(page)),
    ...inArea('cookies', judgeCookies(page)),
    ...inArea('content', judgeContent(page)),
    ...inArea('contact', judgeContact(securityText, nowMs)),
  ];
}

function notThePage({ redirectsTo, status }: MeasuredPage): Judged {
  if (redirectsTo === null) {
    const message = `The first page answers with status ${status}. Its headers, cookies and content could not be measured.`;
    return unknown('page_status', message);
  }
  return {
    code: 'redirects_elsewhere',
    severity: 'info',
    evidence: redirectsTo,
    message: `The page redirects to ${redirectsTo}, which this scan is not about.`,
    next_step: `Monitor ${redirectsTo} as well, and scan it.`,
  };
}
