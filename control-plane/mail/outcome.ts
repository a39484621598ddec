import { cut } from '../cut.js';
import { oneLine } from './one-line.js';

/** The outcome of one attempt to send a mail. */
export type MailOutcome =
  /** The server took the mail. `warning` names recipients that it refused. */
  | { kind: 'sent'; responseStatus: number | null; warning: string | null }
  /** A retry may succeed. `cause`: whether the server fails for every mail, or refused this one for now. */
  | { kind: 'retry'; error: string; responseStatus: number | null; cause: 'server' | 'mail' }
  /** The server refused the recipient or the content for good. `ofAddress`: it says that there is no such mailbox. */
  | { kind: 'refused'; error: string; responseStatus: number | null; ofAddress?: true };

const ERROR_CHARS_MAX = 300;
/** RFC 5321: the server is shutting down, so the code says nothing about the mail. */
const SERVICE_NOT_AVAILABLE = 421;
/**
 * RFC 3463 and RFC 7505: there is no such mailbox or domain, the address is no address, its owner has moved, or the domain takes no
 * mail. Other refusals of a recipient, such as a full mailbox, a block list or a relay that is not allowed, say nothing of that.
 */
const OF_ADDRESS = /(?:^|[\s-])5\.1\.(?:1|2|3|6|10)(?=\s|$)/;

interface SentInfo {
  rejected?: string[] | undefined;
  response?: string | undefined;
}

/** Returns the outcome of a mail that the server took for at least one recipient. */
export function sentMail(info: SentInfo): MailOutcome {
  const rejected = info.rejected ?? [];
  const warning = rejected.length === 0 ? null : cut(`refused for ${rejected.join(', ')}`, ERROR_CHARS_MAX);
  const code = Number(info.response?.slice(0, 3));
  return { kind: 'sent', responseStatus: Number.isInteger(code) && code >= 200 ? code : null, warning };
}

/**
 * Returns the outcome of a failed attempt. A 5xx for a recipient or the content is a refusal. A 5xx for the login, the
 * greeting or the sender is retried, because the operator can fix its cause. The error does not contain the `secrets`,
 * which spam filters may quote.
 */
export function failedMail(error: unknown, signal: AbortSignal, secrets: readonly string[]): MailOutcome {
  if (signal.aborted) {
    const timeout = 'timeout: the mail server took too long';
    return { kind: 'retry', error: timeout, responseStatus: null, cause: 'server' };
  }
  const { code, command, responseStatus, text } = partsOf(error);
  // Removed before the text is cut, because a secret that is cut would not be found.
  const clean = secrets.reduce((rest, secret) => rest.replaceAll(secret, '[secret]'), text);
  const described = cut(code === '' ? clean : `${code}: ${clean}`, ERROR_CHARS_MAX);
  const isOfMail = (code === 'EENVELOPE' && command !== 'MAIL FROM') || code === 'EMESSAGE';
  if (!isOfMail || responseStatus === SERVICE_NOT_AVAILABLE) {
    return { kind: 'retry', error: described, responseStatus, cause: 'server' };
  }
  // Without a response, nodemailer itself refused the address.
  if (responseStatus !== null && responseStatus >= 500 && code === 'EENVELOPE' && OF_ADDRESS.test(text)) {
    return { kind: 'refused', error: described, responseStatus, ofAddress: true };
  }
  return responseStatus === null || responseStatus >= 500
    ? { kind: 'refused', error: described, responseStatus }
    : { kind: 'retry', error: described, responseStatus, cause: 'mail' };
}

function partsOf(error: unknown) {
  const fields: { code?: unknown; command?: unknown; responseCode?: unknown } = Object(error);
  const status = Number(fields.responseCode);
  return {
    code: typeof fields.code === 'string' ? fields.code : '',
    command: typeof fields.command === 'string' ? fields.command : '',
    responseStatus: fields.responseCode !== undefined && Number.isInteger(status) ? status : null,
    text: oneLine(error instanceof Error ? error.message : String(error)),
  };
}
