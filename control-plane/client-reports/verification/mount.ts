import type { Context } from 'koa';
import { AppError } from '../../errors.js';
import { clientOf } from '../../http/client/client.js';
import { answerLanguage } from '../../http/client/language.js';
import type { GuessLimit } from '../../http/limits/guess-limit.js';
import type { Mount } from '../../http/mount.js';
import { sendPage } from '../../on-call/page/frame.js';
import { isDatabaseUnavailable } from '../../storage/unavailable.js';
import { isCompleted } from '../download/completed.js';
import type { ReportStore } from '../store.js';
import { typedCode, VERIFY_PATH } from './code.js';
import { CODE_PARAMETER, formPage, foundPage } from './pages.js';

const RETRY_AFTER_S = 3;

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
        const failure = failureOf(error);
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

/** Returns what a person sees instead of a problem document; null for an error that is not expected here. */
function failureOf(error: unknown) {
  if (error instanceof AppError && error.code === 'rate_limited')
    return { status: 429, notice: 'tooMany', retryAfter: error.extra.headers?.['Retry-After'] ?? '60' } as const;
  if (!isDatabaseUnavailable(error)) return null;
  return { status: 503, notice: 'unavailable', retryAfter: String(RETRY_AFTER_S) } as const;
}
