import type { Judgement } from './judgement.js';

const IS_LOG_LINE = /^\[\d\d-[A-Z][a-z]{2}-\d{4} \d\d:\d\d:\d\d[^\]\n]*\] /m;
const IS_PHP_MESSAGE = /<b>(?:Warning|Notice|Deprecated|Fatal error|Parse error)<\/b>: .{1,2000}? on line <b>\d+<\/b>/s;

interface Page {
  status: number;
  body: string;
}

/** Returns whether a page is a log of PHP. The plugin has the same function. */
function isPhpLog({ status, body }: Page): boolean {
  return status === 200 && IS_LOG_LINE.test(body);
}

/** Returns what the debug mode has left in public. Its absence does not prove that the debug mode is off. */
export function judgeDebugTraces({ home, log }: { home: Page; log: Page }): Judgement {
  if (isPhpLog(log)) return { status: 'failing', evidence: 'everybody can read wp-content/debug.log' };
  if (IS_PHP_MESSAGE.test(home.body)) return { status: 'failing', evidence: 'the home page shows PHP messages' };
  return { status: 'unknown', evidence: 'no public debug.log, and no PHP message on the home page' };
}
