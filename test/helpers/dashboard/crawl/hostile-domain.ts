import { AREA_STATUSES, AREAS } from '../../../../control-plane/email-domains/areas/area.js';
import type { AreaState, EmailDomainDocument } from '../../../../control-plane/email-domains/documents.js';
import type { WorkspaceInBrowser } from '../workspace-in-browser.js';
import { ALL, LONG, MARKUP } from './hostile-names.js';

const YEAR_MS = 365 * 86_400_000;

/** Stores an e-mail domain whose records have texts to break pages, in each status. Resolves to its id. */
export async function fillEmailDomains({ mongo, workspaceId }: WorkspaceInBrowser): Promise<string> {
  const nowMs = Date.now();
  const domain: EmailDomainDocument = {
    _id: 'eml_01kf5e6q0h3v8r2m9x4t7c1z5n',
    workspace_id: workspaceId,
    name: `${`${'w'.repeat(60)}.`.repeat(3)}test`,
    dkim_selectors: ['w'.repeat(63)],
    next_at_ms: nowMs + YEAR_MS,
    requested_at_ms: null,
    areas: AREAS.map(areaOf),
    score: 50,
    checked_at_ms: nowMs,
    trouble: { since_ms: nowMs, from_score: 100, score: 50, areas: ['spf'] },
    checks: 1,
    created_at_ms: nowMs,
    updated_at_ms: nowMs,
    version: 1,
  };
  await mongo.db.collection<EmailDomainDocument>('email_domains').insertOne(domain);
  return domain._id;
}

function areaOf(area: AreaState['area'], index: number): AreaState {
  const status = AREA_STATUSES[index % AREA_STATUSES.length] ?? 'passing';
  return {
    area,
    verdict: {
      status,
      findings: [{ code: 'spf_too_many_lookups', level: 'failing', message: ALL, next_step: LONG }],
      evidence: [
        { label: MARKUP, value: LONG },
        { label: ALL, value: MARKUP },
      ],
      proposal: { type: 'TXT', name: LONG, value: 'w'.repeat(400) },
      applies: true,
    },
    standing: status === 'not_measured' ? 'left_out' : status,
    failed_checks: 0,
  };
}
