import type { Readable } from 'node:stream';
import type { Static, TObject, TSchema } from 'typebox';
import type { Scope } from '../accounts/scopes.js';
import type { Actor } from '../actor.js';
import type { ErrorCode } from '../errors.js';
import type { Transaction } from '../storage/transaction.js';

/**
 * Who may call a route. A scope: keys with that scope or `*`, and people whose role allows it. `any`: every valid
 * credential. `full`: keys with `*`, owners and admins. `operator`: operators, 404 for anyone else.
 * `public`: no credential, `actor` is null.
 */
export type Access = Scope | 'any' | 'full' | 'operator' | 'public';

export interface RouteInput<P extends TObject, Q extends TObject, B extends TSchema> {
  actor: Actor;
  params: Static<P>;
  query: Static<Q>;
  body: Static<B>;
  /** Set instead of `body` when the request came with one of the route's `textTypes`. */
  text: { type: string; content: string } | null;
  /** The version that `If-Match` names, null without one or with `*`. */
  ifVersion: number | null;
}

/** What a handler answers; `http/` makes the envelope, the `Location`, the `ETag` and the status line of it. */
export interface Reply {
  status: 200 | 201 | 202 | 204;
  /** One object or a list; goes out as `{"data": ...}`. */
  data?: unknown;
  /** Present on lists only: goes out as `next_cursor`. */
  nextCursor?: string | null;
  /** Path for the `Location` header of a 201. */
  location?: string;
  /** Version of the single object in `data`, for `ETag`. */
  version?: number;
  /** Instead of `data`: a body of another media type, streamed when it is a Readable. */
  raw?: { type: string; body: string | Buffer | Readable; filename?: string };
}

interface RouteBase<P extends TObject, Q extends TObject, B extends TSchema> {
  /** The documented path, `/v1/monitors/{id}`; it is served under `/v1` and `/api/v1` alike. */
  path: `/v1/${string}` | `/api/v1/${string}`;
  access: Access;
  /** Heading in the OpenAPI document: `Monitors`. */
  tag: string;
  /** One line for the OpenAPI document. */
  summary: string;
  /** More than a line, Markdown, where the summary does not say it all. */
  description?: string;
  params?: P;
  query?: Q;
  body?: B;
  /** A request without a body is as good as `{}`. */
  bodyOptional?: boolean;
  /** Media types besides JSON that the route takes as text, e.g. `application/yaml`. */
  textTypes?: readonly string[];
  /** Schema of `data` by success status; `null` for an answer without a body. */
  replies: Partial<Record<200 | 201 | 202 | 204, TSchema | null>>;
  /** Media type of a `raw` reply, for the OpenAPI document. */
  rawTypes?: readonly string[];
  /** Schema of a `raw` reply that is JSON, where the route answers `data` as well, for the OpenAPI document. */
  rawJson?: TSchema;
  /** Codes that only this route's own rules lead to, for the OpenAPI document: `plan_limit`, `conflict`. */
  errors?: readonly ErrorCode[];
  /** `data` is a list with `next_cursor`; the schema in `replies` is that of one row. */
  list?: boolean;
}

export interface ReadRoute<P extends TObject = TObject, Q extends TObject = TObject, B extends TSchema = TSchema>
  extends RouteBase<P, Q, B> {
  method: 'GET' | 'POST';
  kind: 'read';
  handle(input: RouteInput<P, Q, B>): Promise<Reply>;
}

export interface MutationRoute<P extends TObject = TObject, Q extends TObject = TObject, B extends TSchema = TSchema>
  extends RouteBase<P, Q, B> {
  method: 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  kind: 'mutation';
  /**
   * Runs inside one transaction that also holds the audit entry and the stored answer of an `Idempotency-Key`:
   * either all of them are committed or none. May run more than once; effects go through `tx.afterCommit`.
   */
  handle(input: RouteInput<P, Q, B>, tx: Transaction): Promise<Reply>;
}

export interface ActionRoute<P extends TObject = TObject, Q extends TObject = TObject, B extends TSchema = TSchema>
  extends RouteBase<P, Q, B> {
  method: 'POST';
  kind: 'action';
  /**
   * Acts outside of the database, which no transaction takes back: sends a message. So it runs in none, and under
   * an `Idempotency-Key` once.
   */
  handle(input: RouteInput<P, Q, B>): Promise<Reply>;
}

export type Route = ReadRoute | MutationRoute | ActionRoute;

/** Whether the route honours `If-Match`. */
export function takesVersion(route: Route): boolean {
  return route.method === 'PATCH' || route.method === 'PUT' || route.method === 'DELETE';
}

/** Keeps the static types of params, query and body inside the handler; outside, all routes are of one type. */
export function readRoute<P extends TObject, Q extends TObject, B extends TSchema>(
  route: Omit<ReadRoute<P, Q, B>, 'kind'>,
): Route {
  return { ...route, kind: 'read' } as Route;
}

export function mutationRoute<P extends TObject, Q extends TObject, B extends TSchema>(
  route: Omit<MutationRoute<P, Q, B>, 'kind'>,
): Route {
  return { ...route, kind: 'mutation' } as Route;
}

export function actionRoute<P extends TObject, Q extends TObject, B extends TSchema>(
  route: Omit<ActionRoute<P, Q, B>, 'kind'>,
): Route {
  return { ...route, kind: 'action' } as Route;
}
