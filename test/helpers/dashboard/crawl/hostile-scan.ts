import type { ScanDocument } from '../../../../control-plane/scans/documents.js';
import { SEVERITIES } from '../../../../control-plane/scans/judge/finding.js';
import { completedScan } from '../../scans/completed.js';
import type { WorkspaceInBrowser } from '../workspace-in-browser.js';
import { ALL, LONG, MARKUP } from './hostile-names.js';

/** Stores a scan whose findings have texts to break pages, of each severity. Resolves to its id. */
export async function fillScans({ mongo, workspaceId }: WorkspaceInBrowser): Promise<string> {
  const of = {
    _id: 'scn_01kf5e6q0h3v8r2m9x4t7c1z5n',
    workspace_id: workspaceId,
    target: `https://${`${'w'.repeat(60)}.`.repeat(3)}test/`,
    ended_at_ms: Date.now(),
    created_at_ms: Date.now(),
    failure: { code: 'no_result', message: ALL },
  };
  const scan = completedScan(of, SEVERITIES);
  const findings = scan.findings.map((finding) => ({ ...finding, message: ALL, next_step: LONG, evidence: MARKUP }));
  await mongo.db.collection<ScanDocument>('scans').insertOne({ ...scan, findings });
  return scan._id;
}
