import { noteLimit } from './rate-limit.ts';

/** How an API request failed. `status` 0: no answer came. */
export class ApiProblem extends Error {
  readonly status: number;
  /** Stable, such as `validation_failed`; `unreachable` without an answer. */
  readonly code: string;
  /** By JSON pointer of the field, such as `/name`. */
  readonly fields: Readonly<Record<string, string>>;
  readonly retryAfterS: number | null;
  /** The whole problem document, for its further fields. */
  readonly body: Readonly<Record<string, unknown>>;

  constructor(status: number, body: Record<string, unknown>, retryAfterS: number | null) {
    super(typeof body['detail'] === 'string' ? body['detail'] : '');
    this.name = 'ApiProblem';
    this.status = status;
    this.code = typeof body['code'] === 'string' ? body['code'] : status === 0 ? 'unreachable' : 'internal';
    this.fields = fieldsOf(body['errors']);
    this.retryAfterS = retryAfterS;
    this.body = body;
  }
}

function fieldsOf(errors: unknown): Record<string, string> {
  if (!Array.isArray(errors)) return {};
  return Object.fromEntries(errors.map(({ path, message }) => [String(path), String(message)]));
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
}

/** Resolves to the answer with its version. Throws ApiProblem, also when nothing answered. */
export async function send<Body>(
  method: Method,
  path: string,
  { body, text: file, signal, ifMatch = null }: RequestOptions = {},
): Promise<Answer<Body>> {
  const content =
    file ?? (body === undefined ? null : { content: JSON.stringify(body), contentType: 'application/json' });
  const response = await fetch(apiUrl(path), {
    method,
    headers: {
      accept: 'application/json',
      ...(content === null ? {} : { 'content-type': content.contentType }),
      ...(ifMatch === null ? {} : { 'if-match': ifMatch }),
    },
    ...(content === null ? {} : { body: content.content }),
    ...(signal === undefined ? {} : { signal }),
  }).catch((error: unknown) => {
    if (signal?.aborted === true) throw error;
    throw new ApiProblem(0, {}, null);
  });
  noteLimit(response.headers);
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
