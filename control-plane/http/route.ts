import type { Readable } from 'node:stream';
import type { Static, TObject, TSchema } from 'typebox';
import type { Actor, Scope } from '../actor.js';
import type { ErrorCode } from '../errors.js';
import type { Transaction } from '../storage/transaction.js';
import type { Client } from './client/client.js';
import type { ByteRange } from './input/byte-range.js';

/**
 * Who may call a route. A scope: keys with that scope or `*`, and people whose role includes it. `any`: every valid
 * credential. `session`: every person who is logged in, and no key. `person`: those of them whom Picket itself has logged
 * in, not the identity provider of a workspace. `view`: every member, and keys with `*`. `self`: like `view`, and like
 * `full` for what is about somebody else, which the handler checks. `full`: owners, admins, and their keys with `*`.
 * `owner`: owners, and their keys with `*`. `owner_session`: owners who are logged in, and no key: rules of log-in, with which a
 * key could let in whom it wants. `operator`: owners and admins of the operators' workspace while they act in it, and
 * their keys with `*`; 404 for all others. `public`: everyone without a credential; `actor` is null.
 */
export type Access =
  | Scope
  | ('any' | 'session' | 'person' | 'view' | 'self' | 'full')
  | ('owner' | 'owner_session' | 'operator' | 'public');

export interface RouteInput<P extends TObject, Q extends TObject, B extends TSchema> {
  actor: Actor;
  params: Static<P>;
  query: Static<Q>;
  body: Static<B>;
  /** The body as sent, with the headers of `rawBody`; null for a route without it. */
  raw: { bytes: Buffer; headers: Readonly<Record<string, string>> } | null;
  /** The version in `If-Match`; null without the header and for `*`. */
  ifVersion: number | null;
  /**
   * The header `Range` of a route with `ranges`; null without it. Also null with `If-Range`: then the whole file is sent,
   * which is always right.
   */
  range: string | null;
  /** The program that sent the request, also for public routes. */
  client: Client;
  /** Aborted with an `AppError` when the client closes the connection before it has the response. For work that takes long. */
  gone: AbortSignal;
}

/** The result of a handler. `http/` adds the envelope, the `Location`, the `ETag` and the status line. */
export interface Reply {
  status: 200 | 201 | 202 | 204 | 206 | 302;
  /** One object or a list, sent as `{"data": ...}`. */
  data?: unknown;
  /**
   * For routes with `warns` only, sent beside `data`: what the request did that a person may not expect. Sentences that name no
   * more than the caller may read.
   */
  warnings?: readonly string[];
  /** For lists only: sent as `next_cursor`. */
  nextCursor?: string | null;
  /**
   * For lists with `searched` only, sent as `searched_to`: the time of the last row that a search looked at before it was cut
   * off; null if it was not.
   */
  searchedTo?: string | null;
  /** Path for the `Location` header of a 201. */
  location?: string;
  /** Version of the single object in `data`, for `ETag`. */
  version?: number;
  /**
   * A body of another media type, instead of `data`. A Readable is streamed. `compressed` is the body as gzip, for replies
   * that are sent many times: compressing takes longer than everything else.
   */
  raw?: {
    type: string;
    body: string | Buffer | Readable;
    filename?: string;
    compressed?: Buffer;
    /** Which bytes of the file the body has, for routes with `ranges`. */
    range?: ByteRange;
    /** The content security policy of a page; without it, that of the API. */
    policy?: string;
  };
  /** Values of `Set-Cookie`. They are never stored for an `Idempotency-Key`, because they carry sessions. */
  cookies?: readonly string[];
  /** Where a 302 sends the browser: an absolute http or https URL that our own code built. */
  redirect?: string;
}

/** Who waits for the answer to a request. */
export type Sender = Pick<RouteInput<TObject, TObject, TSchema>, 'actor' | 'gone'>;

/** A form of the body other than JSON, such as YAML. */
export interface TextBody {
  /** Its media types: `application/yaml`. */
  types: readonly string[];
  /**
   * Returns the value that the text means, nested at most `BODY_DEPTH_MAX` deep. It is then validated like JSON. Texts that
   * wait for their turn take memory: one that has no place is not received. The actor and `gone` are those of the handler.
   */
  read(receive: () => Promise<Buffer>, sender: Sender): Promise<unknown>;
}

interface RouteBase<P extends TObject, Q extends TObject, B extends TSchema> {
  /** The documented path, `/v1/monitors/{id}`. It is served under both `/v1` and `/api/v1`. */
  path: `/v1/${string}` | `/api/v1/${string}`;
  access: Access;
  /**
   * Whether a session must have been confirmed within 10 minutes, because the route changes who has access or what they
   * pay. API keys are exempt.
   */
  fresh?: true;
  /**
   * Whether the person, or the creator of the key, must have confirmed their e-mail address, because the route gives access
   * or sends to the outside, and the account may have been made with the address of somebody else.
   */
  confirmedEmail?: true;
  /**
   * Who may use the route while the workspace is stopped: `deleted` people of a workspace that is being deleted, `always`
   * also those of a suspended one. Without it, nobody: 403.
   */
  whileStopped?: 'deleted' | 'always';
  /**
   * The audit action that refusals of the route are recorded with: `team.change_refused`. Without it, only those for want of a right
   * are, as `access.refused`.
   */
  refusedAs?: `${string}.${string}`;
  /** Heading in the OpenAPI document: `Monitors`. */
  tag: string;
  /** One line for the OpenAPI document. */
  summary: string;
  /** Markdown, where the summary is not enough. */
  description?: string;
  params?: P;
  query?: Q;
  body?: B;
  /** Whether a request without a body means `{}`. */
  bodyOptional?: boolean;
  /** Another form of the body that the route also accepts. */
  textBody?: TextBody;
  /**
   * The handler gets the body as it was sent, of at most 1 MiB, because its signature is of these bytes. It replaces `body`
   * and `textBody`. `headers` are the names, in lower case, of the headers that the handler gets too.
   */
  rawBody?: { type: string; headers: readonly string[]; description: string };
  /** Schema of `data` by success status; `null` for a response without a body. */
  replies: Partial<Record<Reply['status'], TSchema | null>>;
  /** Media type of a `raw` reply, for the OpenAPI document. */
  rawTypes?: readonly string[];
  /** Schema of a `raw` reply in JSON, for a route that can also reply with `data`; for the OpenAPI document. */
  rawJson?: TSchema;
  /** The handler can send a part of its file, with status 206. */
  ranges?: true;
  /** Error codes that only the route's handler can cause, for the OpenAPI document: `plan_limit`, `conflict`. */
  errors?: readonly ErrorCode[];
  /** Whether the object has a version although its path does not accept `If-Match`, or creates it; for the OpenAPI document. */
  versioned?: boolean;
  /** The reply can have `warnings`. */
  warns?: true;
  /** `data` is a list with `next_cursor`; the schema in `replies` is that of one row. */
  list?: boolean;
  /** A list that can be searched, and says with `searched_to` when the search was cut off. */
  searched?: boolean;
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
  /** Whether a request only asks what would change. Its response is not stored for an `Idempotency-Key`: a repeat asks again. */
  isDryRun?(input: Pick<RouteInput<P, Q, B>, 'query' | 'body'>): boolean;
  /**
   * Runs in one transaction with the audit entry and the stored response of an `Idempotency-Key`: all of them are
   * committed, or none. It can run more than once, so other effects must go through `tx.afterCommit`.
   */
  handle(input: RouteInput<P, Q, B>, tx: Transaction): Promise<Reply>;
}

export interface ActionRoute<P extends TObject = TObject, Q extends TObject = TObject, B extends TSchema = TSchema>
  extends RouteBase<P, Q, B> {
  method: 'POST' | 'PUT';
  kind: 'action';
  /**
   * Acts outside the database, for example sends a message, which no transaction can roll back. So it runs without a
   * transaction, and only once for each `Idempotency-Key`.
   */
  handle(input: RouteInput<P, Q, B>): Promise<Reply>;
}

/** What the handler of a stream gets beside the input of every route. */
export interface StreamInput<Q extends TObject> extends RouteInput<TObject, Q, TSchema> {
  /** The header `Last-Event-ID` as sent, at most `LAST_EVENT_ID_CHARS_MAX` characters of it; null without it. */
  lastEventId: string | null;
  /**
   * Authenticates and authorizes the request again, with the rights of now. Throws like the first time, so the stream
   * must end if it throws an `AppError`.
   */
  recheck(): Promise<Actor>;
}

/** A route that answers with server-sent events until one side ends. */
export interface StreamRoute<P extends TObject = TObject, Q extends TObject = TObject, B extends TSchema = TSchema>
  extends RouteBase<P, Q, B> {
  method: 'GET';
  kind: 'stream';
  access: Exclude<Access, 'public'>;
  /** Resolves to the text of the events. It is destroyed when the client is gone. */
  open(input: StreamInput<Q>): Promise<Readable>;
}

export type Route = ReadRoute | MutationRoute | ActionRoute | StreamRoute;

/** Returns whether the route accepts `If-Match`. */
export function takesVersion(route: Route): boolean {
  return route.method === 'PATCH' || route.method === 'PUT' || route.method === 'DELETE';
}

/**
 * Returns a read route. Its handler has the static types of params, query and body; outside, all routes have one type.
 */
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

export function streamRoute<Q extends TObject>(route: Omit<StreamRoute<TObject, Q>, 'kind' | 'method'>): Route {
  return { ...route, kind: 'stream', method: 'GET' } as Route;
}
