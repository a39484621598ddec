import { isoOrNull, toIso } from '../../kernel/clock.js';
import type { ReportDocument } from './documents.js';
import type { Report } from './schema.js';
import { groupedCode } from './verification/code.js';

/** Returns a report as the API shows it. */
export function reportView(report: ReportDocument): Report {
  return {
    id: report._id,
    title: report.title,
    client_name: report.client_name,
    period: { from: toIso(report.period.from_ms), to: toIso(report.period.to_ms) },
    time_zone: report.time_zone,
    sections: report.sections,
    monitors: report.monitors,
    paper_size: report.paper_size,
    branding: { color: report.color, has_logo: report.logo !== null },
    schedule_id: report.schedule_id ?? null,
    status: report.status,
    error: report.error,
    pages: report.pages,
    size_bytes: report.size_bytes,
    sha256: report.sha256,
    verification_code: groupedCode(report.verification_code),
    created_at: toIso(report.created_at_ms),
    completed_at: isoOrNull(report.completed_at_ms),
  };
}
