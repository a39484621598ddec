import { AppError } from '../../errors.js';
import { isDatabaseUnavailable } from '../../storage/unavailable.js';

const UNAVAILABLE_RETRY_S = 3;
const LIMITED_RETRY_S = 60;

/** What a page says of an error to a person, who cannot read a problem document. */
export interface FailureForPeople {
  status: 429 | 503;
  notice: 'tooMany' | 'unavailable';
  /** For the header `Retry-After`, in seconds. */
  retryAfter: string;
}

/** Returns null for an error that is not expected. */
export function failureForPeople(error: unknown): FailureForPeople | null {
  if (error instanceof AppError && error.code === 'rate_limited') {
    const retryAfter = error.extra.headers?.['Retry-After'] ?? String(LIMITED_RETRY_S);
    return { status: 429, notice: 'tooMany', retryAfter };
  }
  if (!isDatabaseUnavailable(error)) return null;
  return { status: 503, notice: 'unavailable', retryAfter: String(UNAVAILABLE_RETRY_S) };
}
