import type { Context } from 'koa';
import { clientOf } from '../../http/client/client.js';
import { answerLanguage } from '../../http/client/language.js';
import { failureForPeople } from '../../http/html/failure-for-people.js';
import type { GuessLimit } from '../../http/limits/guess-limit.js';
import type { Mount } from '../../http/mount.js';
import { sendPage } from '../../on-call/page/frame.js';
import { isCompleted } from '../download/completed.js';
import type { ReportStore } from '../store.js';
import { typedCode, VERIFY_PATH } from './code.js';
import { CODE_PARAMETER, formPage, foundPage } from './pages.js';

interface VerificationNeeds {
  store: Pick<ReportStore, 'findByCode'>;
  guesses: Pick<GuessLimit, 'check'>;
}

/**
 * Returns the public page that confirms a report by the code on its last page: `/verify/{code}`, and `/verify` with a form.
 * A code that is wrong and one of a deleted report get the same answer.
 */
export function verificationMount({ store, guesses }: VerificationNeeds): Mount {
  return {
    path: VERIFY_PATH,
    below: true,
    async handle(ctx) {
      const language = answerLanguage(ctx);
      const asked = { typed: typedText(ctx), formPath: ctx.path === VERIFY_PATH ? 'verify' : '../verify' };
      if (asked.typed === '') return sendPage(ctx, 200, formPage(language, 'ask', asked));
      try {
        const report = await find(asked.typed);
        if (report !== null) return sendPage(ctx, 200, foundPage(language, report, asked));
        // After the look-up: others behind the same network address cannot lock out somebody with a right code.
        await guesses.check(clientOf(ctx).ip, async () => null);
        sendPage(ctx, 404, formPage(language, 'unknown', asked));
      } catch (error) {
        const failure = failureForPeople(error);
        if (failure === null) throw error;
        ctx.set('Retry-After', failure.retryAfter);
        sendPage(ctx, failure.status, formPage(language, failure.notice, asked));
      }
    },
  };

  async function find(typed: string) {
    const code = typedCode(typed);
    const report = code === null ? null : await store.findByCode(code);
    return report !== null && isCompleted(report) ? report : null;
  }
}

/** Returns what was typed, or follows the path; empty without it. */
function typedText(ctx: Context): string {
  const inQuery = new URLSearchParams(ctx.querystring).get(CODE_PARAMETER);
  if (inQuery !== null) return inQuery.trim();
  try {
    return decodeURIComponent(ctx.path.slice(VERIFY_PATH.length + 1)).trim();
  } catch {
    // Not the encoding of a text, so no code either.
    return '?';
  }
}
