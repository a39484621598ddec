import { clientOf } from '../../../http/client/client.js';
import { answerLanguage, type Language } from '../../../http/client/language.js';
import { failureForPeople } from '../../../http/html/failure-for-people.js';
import type { GuessLimit } from '../../../http/limits/guess-limit.js';
import type { Mount } from '../../../http/mount.js';
import { attachmentHeader } from '../../../http/response.js';
import { framed, sendPage } from '../../../on-call/page/frame.js';
import type { StandingOf } from '../../../plans/cache.js';
import { type CompletedReport, fileNameOf, isCompleted } from '../../download/completed.js';
import { fileBytes, whole } from '../../download/file-bytes.js';
import type { ReportFilesStore } from '../../download/files-store.js';
import type { ReportStore } from '../../store.js';
import type { RunStore } from '../runs-store.js';
import { LINK_TEXTS } from './texts.js';
import { linkTokenHash, SHARED_REPORT_PATH, TOKEN_PARAMETER } from './token.js';

interface LinkNeeds {
  runs: Pick<RunStore, 'findByLink'>;
  store: Pick<ReportStore, 'find'>;
  files: ReportFilesStore;
  standingOf: StandingOf;
  guesses: Pick<GuessLimit, 'check'>;
  clock: { now(): number };
}

/**
 * Returns the public download of a report with the link of a mail. A wrong link, one that has expired, and those of a deleted
 * report or schedule and of a stopped workspace get the same answer.
 */
export function sharedReportMount(needs: LinkNeeds): Mount {
  return {
    path: SHARED_REPORT_PATH,
    async handle(ctx) {
      const language = answerLanguage(ctx);
      try {
        const token = new URLSearchParams(ctx.querystring).get(TOKEN_PARAMETER) ?? '';
        const report = await reportOf(needs, token);
        // After the look-up: others behind the same network address cannot lock out somebody with a right link.
        if (report === null) {
          await needs.guesses.check(clientOf(ctx).ip, async () => null);
          return sendPage(ctx, 404, page(language, 'unknown'));
        }
        ctx.body = await fileBytes(needs.files, report, 'pdf', whole(report.size_bytes));
        ctx.type = 'application/pdf';
        ctx.length = report.size_bytes;
        ctx.set('Content-Disposition', attachmentHeader(`${fileNameOf(report)}.pdf`));
        ctx.set('Cache-Control', 'no-store');
        ctx.set('X-Robots-Tag', 'noindex, nofollow');
        ctx.set('Referrer-Policy', 'no-referrer');
      } catch (error) {
        const failure = failureForPeople(error);
        if (failure === null) throw error;
        ctx.set('Retry-After', failure.retryAfter);
        sendPage(ctx, failure.status, page(language, failure.notice));
      }
    },
  };
}

async function reportOf({ runs, store, standingOf, clock }: LinkNeeds, token: string): Promise<CompletedReport | null> {
  const hash = linkTokenHash(token);
  const run = hash === null ? null : await runs.findByLink(hash, clock.now());
  if (run === null || run.report_id === null) return null;
  const standing = await standingOf(run.workspace_id);
  if (standing === null || standing.stopped) return null;
  const report = await store.find(run.workspace_id, run.report_id);
  return report !== null && isCompleted(report) ? report : null;
}

function page(language: Language, notice: 'unknown' | 'tooMany' | 'unavailable'): string {
  const { title, text } = LINK_TEXTS[language][notice];
  return framed(language, title, `<h1>${title}</h1>\n<p>${text}</p>`);
}
