import { createHash } from 'node:crypto';
import type { Clock } from '../../../kernel/clock.js';
import type { Logger } from '../../../kernel/logger.js';
import { logoUrl } from '../../logo/logo.js';
import type { RunTransaction } from '../../storage/transaction.js';
import { compileReport } from '../content/compile.js';
import type { PercentUp } from '../content/figures.js';
import { MADE_FILES, type MadeFile, type ReportDocument } from '../documents.js';
import type { ReportFilesStore } from '../download/files-store.js';
import { ReportProblem, type ReportSources } from '../facts/facts.js';
import { gatherFacts } from '../facts/gather.js';
import type { ReportMonthsStore } from '../months-store.js';
import type { MakePdf } from '../pdf/make-pdf.js';
import { dataCsv } from '../raw-data/data-csv.js';
import type { ReportStore, WaitingReport } from '../store.js';
import { groupedCode, VERIFY_PATH } from '../verification/code.js';

export interface GenerateNeeds {
  store: ReportStore;
  files: ReportFilesStore;
  months: ReportMonthsStore;
  sources: ReportSources;
  percentUp: PercentUp;
  publicUrl: string;
  makePdf: MakePdf;
  /** Of tasks, which nobody waits for. */
  runTransaction: RunTransaction;
  clock: Clock;
  logger: Logger;
}

/** An attempt that a kill has cut off counts too: what ends the process each time must not do so forever. */
const ATTEMPTS_MAX = 5;
const RETRY_MS_MAX = 60_000;
/** All parts of the files are written in one transaction. Those of a report of 1,000 monitors have less than 1 MiB. */
const FILE_BYTES_MAX = 16 * 1_048_576;
const GAVE_UP = 'Picket could not generate the report. Create it again; if that fails too, tell your operator.';

/**
 * Generates a report and stores it, or notes why that is impossible. Resolves to whether the report is finished. If
 * `signal` is aborted, the report stays as it was, and another control plane begins again.
 */
export async function generateReport(
  needs: GenerateNeeds,
  waiting: WaitingReport,
  signal: AbortSignal,
): Promise<boolean> {
  const { store, clock, logger } = needs;
  const report = await store.begin(waiting);
  if (report === null) return false;
  if (report.attempts > ATTEMPTS_MAX) return fail(needs, report, GAVE_UP);
  try {
    await complete(needs, report, signal);
    return true;
  } catch (err) {
    if (signal.aborted) return false;
    if (err instanceof ReportProblem) return fail(needs, report, err.message);
    const of = { err, workspace: report.workspace_id, report: report._id };
    if (report.attempts === ATTEMPTS_MAX) {
      logger.error(of, 'gave up the generation of a report');
      return fail(needs, report, GAVE_UP);
    }
    logger.warn(of, 'generating a report failed, retrying');
    await store.postpone(report, clock.now() + Math.min(1_000 * 2 ** report.attempts, RETRY_MS_MAX));
    return false;
  }
}

async function complete(needs: GenerateNeeds, report: ReportDocument, signal: AbortSignal): Promise<void> {
  const { store, files, clock } = needs;
  const facts = await gatherFacts(needs.sources, report, clock.now(), signal);
  const content = compileReport(report, facts, {
    percentUp: needs.percentUp,
    logo: await logoOf(files, report),
    verification: { code: groupedCode(report.verification_code), url: `${needs.publicUrl}${VERIFY_PATH}` },
  });
  const { pdf, pages } = await needs.makePdf(content, signal);
  const made: Record<MadeFile, Uint8Array> = {
    pdf,
    csv: Buffer.from(dataCsv(report, facts, needs.percentUp)),
    content: Buffer.from(JSON.stringify(content)),
  };
  if (Object.values(made).some(({ byteLength }) => byteLength > FILE_BYTES_MAX))
    throw new ReportProblem('The report is larger than 16 MiB. Create it with fewer sections or a shorter period.');
  const sha256 = createHash('sha256').update(pdf).digest('hex');
  await needs.runTransaction(async (tx) => {
    const end = {
      status: 'completed',
      pages,
      size_bytes: pdf.byteLength,
      data_bytes: made.csv.byteLength,
      content_bytes: made.content.byteLength,
      sha256,
      completed_at_ms: clock.now(),
    } as const;
    // Another control plane may have completed it, or a person deleted it: then these files belong to nothing.
    if (!(await store.end(tx, report, end))) return;
    const of = { workspaceId: report.workspace_id, id: report._id };
    for (const file of MADE_FILES) await files.insert(tx, of, file, made[file]);
  });
}

async function logoOf(files: ReportFilesStore, report: ReportDocument): Promise<string | null> {
  if (report.logo === null) return null;
  const bytes = await files.part({ workspaceId: report.workspace_id, id: report._id }, 'logo', 0);
  return bytes === null ? null : logoUrl({ type: report.logo, bytes });
}

async function fail(needs: GenerateNeeds, report: ReportDocument, error: string): Promise<boolean> {
  await needs.runTransaction(async (tx) => {
    if (!(await needs.store.end(tx, report, { status: 'failed', error }))) return;
    await needs.months.takeBack(tx, report.workspace_id, report.created_at_ms);
  });
  return true;
}
