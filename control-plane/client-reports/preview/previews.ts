import { json } from 'node:stream/consumers';
import type { Clock } from '../../../kernel/clock.js';
import type { Actor } from '../../actor.js';
import { AppError } from '../../errors.js';
import { createWorkLimit, type WorkLimits } from '../../http/limits/work-limit.js';
import type { Reply, Sender } from '../../http/route.js';
import { compileReport } from '../content/compile.js';
import type { ReportContent } from '../content/content.js';
import type { PercentUp } from '../content/figures.js';
import type { ReportOrder } from '../documents.js';
import { completedReport, recordDownload } from '../download/completed.js';
import { fileBytes, whole } from '../download/file-bytes.js';
import { ReportProblem, type ReportSources } from '../facts/facts.js';
import { gatherFacts } from '../facts/gather.js';
import { reportPage } from '../html/page.js';
import type { ReportNeeds } from '../needs.js';

/** Each reads the history of up to 1,000 monitors while a person waits. */
const PREVIEWS: WorkLimits = {
  runningMax: 2,
  runningPerWorkspaceMax: 1,
  runningOfFreeMax: 1,
  waitMsMax: 10_000,
  runMsMax: { Free: 20_000, Pro: 60_000, Enterprise: 60_000 },
  budgetMs: { Free: 20_000, Pro: Number.POSITIVE_INFINITY, Enterprise: Number.POSITIVE_INFINITY },
};
const RETRY_AFTER_S = 5;

interface PreviewNeeds extends Pick<ReportNeeds, 'store' | 'files' | 'audit' | 'runRequestTransaction'> {
  sources: ReportSources;
  percentUp: PercentUp;
  clock: Clock;
}

/** Shows reports as pages. */
export interface Previews {
  /** Returns the page of a completed report, which says the same as its PDF. Throws 404, 409 and 410. */
  ofReport(sender: Sender, id: string): Promise<Reply>;
  /** Returns the page of a report that was not created. Throws 409 for a workspace that is too large, and 429. */
  ofOrder(sender: Sender, order: ReportOrder): Promise<Reply>;
}

export function createPreviews(needs: PreviewNeeds): Previews {
  const { clock, sources, percentUp } = needs;
  const limit = createWorkLimit(needs, PREVIEWS, {
    busy,
    spent: 'The previews of this workspace have taken',
    advice: 'choose a shorter period',
  });
  return {
    async ofReport({ actor }, id) {
      const report = await completedReport(needs.store, actor, id);
      const bytes = await fileBytes(needs.files, report, 'content', whole(report.content_bytes));
      // At most 16 MiB, and a hundredth of it in most reports.
      const content = (await json(bytes)) as ReportContent;
      await recordDownload(needs, actor, report, 'html');
      return pageReply(content);
    },
    ofOrder: ({ actor, gone }, order) =>
      limit.run({ workspaceId: actor.workspaceId, plan: actor.plan, gone, tooLong }, async (signal) => {
        const of = { ...order, workspace_id: actor.workspaceId };
        const facts = await gatherFacts(sources, of, clock.now(), signal).catch((error: unknown) => {
          throw error instanceof ReportProblem ? new AppError('conflict', error.message) : error;
        });
        const reply = pageReply(compileReport(order, facts, { percentUp, logo: null, verification: null }));
        await recordPreview(needs, actor, order);
        return reply;
      }),
  };
}

/** Records that somebody has read what a report would say, which is as much as a download tells. */
async function recordPreview(
  { audit, runRequestTransaction }: Pick<PreviewNeeds, 'audit' | 'runRequestTransaction'>,
  actor: Actor,
  { title, client_name }: ReportOrder,
): Promise<void> {
  await runRequestTransaction((tx) =>
    audit.record(tx, actor, {
      action: 'report.previewed',
      resource: { type: 'workspace', id: actor.workspaceId, name: actor.workspaceName },
      metadata: { title, client_name },
    }),
  );
}

function pageReply(content: ReportContent): Reply {
  const { html, policy } = reportPage(content);
  return { status: 200, raw: { type: 'text/html; charset=utf-8', body: html, policy } };
}

function busy(): AppError {
  return new AppError('rate_limited', `Other reports are being previewed. Try again in ${RETRY_AFTER_S} seconds.`, {
    headers: { 'Retry-After': String(RETRY_AFTER_S) },
  });
}

function tooLong(ms: number): AppError {
  const detail = `The preview took longer than ${ms / 1_000} s. Create the report, or choose a shorter period.`;
  return new AppError('unavailable', detail, { headers: { 'Retry-After': String(RETRY_AFTER_S) } });
}
