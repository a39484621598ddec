import type { HttpOptions__Output } from '../../../proto/generated/picket/link/v1/HttpOptions.js';
import type { Deadline } from '../deadline.js';
import { duration, quoted } from '../format.js';
import { CheckFailure } from '../outcome.js';
import { BODY_BYTES_MAX, containsText, decompressed } from './body-text.js';
import type { HttpResponse } from './response.js';

const DEFAULT_STATUS = 200;

export function expectedStatus(options: HttpOptions__Output): number {
  return options.expectedStatus === 0 ? DEFAULT_STATUS : options.expectedStatus;
}

/** Throws CheckFailure unless the response has the expected status and satisfies the keywords. */
export async function evaluateResponse(
  response: HttpResponse,
  options: HttpOptions__Output,
  deadline: Deadline,
): Promise<void> {
  const { head } = response;
  if (head.status !== expectedStatus(options)) {
    throw new CheckFailure('status_mismatch', `expected status ${expectedStatus(options)}, got ${head.status}`);
  }
  const { keyword, keywordAbsent } = options;
  if (keyword === undefined && keywordAbsent === undefined) return;
  const text = await deadline.race(
    decompressed({ bytes: response.body, truncated: response.truncated }, head),
    () =>
      new CheckFailure('response_timeout', `the body could not be decompressed within ${duration(deadline.timeoutMs)}`),
  );
  if (keywordAbsent !== undefined && containsText(text.bytes, head, keywordAbsent)) {
    throw new CheckFailure('keyword_present', `the body contains the forbidden keyword ${quoted(keywordAbsent)}`);
  }
  const missing = keyword !== undefined && !containsText(text.bytes, head, keyword);
  if (text.truncated && (missing || keywordAbsent !== undefined)) {
    const searched = quoted(missing ? keyword : (keywordAbsent ?? ''));
    const limit = `${BODY_BYTES_MAX / 1024 / 1024} MiB`;
    throw new CheckFailure(
      'response_too_large',
      `the body is larger than ${limit}, and its first ${limit} do not contain ${searched}`,
    );
  }
  if (missing) {
    throw new CheckFailure(
      'keyword_missing',
      `the body of ${text.bytes.length} bytes does not contain the keyword ${quoted(keyword)}`,
    );
  }
}
