import type { FieldProblem } from '../texts/fields/facts.ts';
import { fieldSentence } from '../texts/fields/field-sentence.ts';
import { heedLoadedFor, heldBy, isAboutToLeave, loadedForHeader } from './loaded-for.ts';
import { noteLimit } from './rate-limit.ts';
import { mayRepeat } from './session-end.ts';

/** How an API request failed. `status` 0: no answer came. */
export class ApiProblem extends Error {
  readonly status: number;
  /** Stable, such as `validation_failed`; `unreachable` without an answer. */
  readonly code: string;
  /** What is wrong with which field, in the language of the person, by JSON pointer such as `/name`. */
  readonly fields: Readonly<Record<string, string>>;
  /** The same as the API says it. */
  readonly problems: readonly FieldProblem[];
  readonly retryAfterS: number | null;
  /** The whole problem document, for its further fields. */
  readonly body: Readonly<Record<string, unknown>>;

  constructor(status: number, body: Record<string, unknown>, retryAfterS: number | null) {
    super(typeof body['detail'] === 'string' ? body['detail'] : '');
    this.name = 'ApiProblem';
    this.status = status;
    this.code = typeof body['code'] === 'string' ? body['code'] : status === 0 ? 'unreachable' : 'internal';
    this.problems = problemsOf(body['errors']);
    this.fields = fieldsOf(this.problems);
    this.retryAfterS = retryAfterS;
    this.body = body;
  }
}

/** Whether a request failed because what it is about does not exist any more. */
export const isNotFound = (error: unknown): boolean => error instanceof ApiProblem && error.status === 404;

/** A proxy in front may answer with anything. */
function problemsOf(errors: unknown): FieldProblem[] {
  return Array.isArray(errors) ? errors.filter((error) => typeof error?.path === 'string') : [];
}

function fieldsOf(problems: readonly FieldProblem[]): Record<string, string> {
  return Object.fromEntries(problems.map((problem) => [problem.path, fieldSentence(problem)]));
}

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Returns the URL of an API path such as `/v1/monitors`. The page's base has the path of the installation. */
export function apiUrl(path: string): string {
  return new URL(path.replace(/^\//, ''), document.baseURI).href;
}

/** The body of an answer (undefined for 204), and the version of the object that it shows; null if it names none. */
export interface Answer<Body> {
  body: Body;
  etag: string | null;
}

interface RequestOptions {
  body?: unknown;
  /** A file, in place of `body`. */
  text?: { content: string; contentType: string };
  signal?: AbortSignal | undefined;
  /** The API refuses a change with 412 when the object has another version by now. */
  ifMatch?: string | null;
  /** The API carries a POST with the same key out once, however often it is sent within a day. */
  idempotencyKey?: string | null;
  /** The request does not depend on the workspace that the session is in. */
  isForAny?: boolean;
}

/**
 * Resolves to the answer with its version. Throws ApiProblem, also when nothing answered. When the session has ended, it
 * waits until the person has logged in again and repeats the request: nothing was done by one that was refused.
 */
export async function send<Body>(method: Method, path: string, options: RequestOptions = {}): Promise<Answer<Body>> {
  for (;;) {
    try {
      return await sendOnce<Body>(method, path, options);
    } catch (error) {
      if (
        !isWithoutSession(error) ||
        !(await mayRepeat(method === 'GET', error.status === 401 ? 'logged_out' : 'elsewhere'))
      )
        throw error;
    }
  }
}

/** A page that must stay can be refused because the session is one of another workspace. */
function isWithoutSession(error: unknown): error is ApiProblem {
  if (!(error instanceof ApiProblem)) return false;
  return error.status === 401 || (error.status === 409 && heldBy() !== null);
}

/** The same without a question to the person. */
export async function sendOnce<Body>(
  method: Method,
  path: string,
  { body, text: file, signal, ifMatch = null, idempotencyKey = null, isForAny = false }: RequestOptions = {},
): Promise<Answer<Body>> {
  const content =
    file ?? (body === undefined ? null : { content: JSON.stringify(body), contentType: 'application/json' });
  const response = await fetch(apiUrl(path), {
    method,
    headers: {
      accept: 'application/json',
      ...(isForAny ? {} : loadedForHeader()),
      ...(content === null ? {} : { 'content-type': content.contentType }),
      ...(ifMatch === null ? {} : { 'if-match': ifMatch }),
      ...(idempotencyKey === null ? {} : { 'idempotency-key': idempotencyKey }),
    },
    ...(content === null ? {} : { body: content.content }),
    ...(signal === undefined ? {} : { signal }),
  }).catch((error: unknown) => {
    if (signal?.aborted === true) throw error;
    throw new ApiProblem(0, {}, null);
  });
  noteLimit(response.headers);
  // The page is about to go, and whoever waits must not show that something failed.
  if (heedLoadedFor(response.headers) && isAboutToLeave()) return new Promise(() => {});
  const text = await response.text().catch(() => '');
  if (!response.ok)
    throw new ApiProblem(response.status, parsed(text), Number(response.headers.get('retry-after')) || null);
  return { body: (text === '' ? undefined : JSON.parse(text)) as Body, etag: response.headers.get('etag') };
}

/** Resolves to the body of the answer; undefined for 204. Throws ApiProblem, also when nothing answered. */
export async function call<Body>(method: Method, path: string, body?: unknown, signal?: AbortSignal): Promise<Body> {
  return (await send<Body>(method, path, { body, signal })).body;
}

/** A proxy in front may answer with a page of its own. */
function parsed(text: string): Record<string, unknown> {
  try {
    const body: unknown = JSON.parse(text);
    return typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
