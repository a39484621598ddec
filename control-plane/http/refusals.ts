import type { Context } from 'koa';
import type { Actor } from '../actor.js';
import { AppError, type ErrorCode } from '../errors.js';
import type { Route } from './route.js';
import { stateOf } from './state.js';

/** A request that was refused because of who sent it, or of a change because of the state of the workspace. */
export interface Refusal {
  actor: Actor;
  /** The audit action to write: `team.change_refused`. */
  action: NonNullable<Route['refusedAs']>;
  /** The method and the documented path: `PATCH /v1/team/members/{id}`. */
  request: string;
  /** The id in the path; null if the path has none, or if the client sent no valid id. */
  target: string | null;
  code: ErrorCode;
  /** The `detail` of the response. */
  detail: string;
}

/** Never rejects: the client gets its response even if the entry cannot be written. */
export type RecordRefusal = (refusal: Refusal) => Promise<void>;

/** Invalid input, unknown objects and a missing confirmation do not count as refusals. */
const CODES: ReadonlySet<ErrorCode> = new Set([
  ...(['forbidden', 'insufficient_scope', 'plan_required', 'plan_limit', 'conflict', 'email_not_confirmed'] as const),
]);

/** Of routes that have no action of their own. */
export const ACCESS_REFUSED = 'access.refused';

const ID = /^[a-z]{2,4}_[0-9a-hjkmnp-tv-z]{26}$/;

/** Returns the refusal to record for an error of the route; null if the error is none. */
export function refusalOf(
  ctx: Pick<Context, 'state'>,
  { method, path, refusedAs }: Route,
  params: Record<string, string>,
  error: unknown,
): Refusal | null {
  const actor = stateOf(ctx).identity?.actor ?? null;
  if (actor === null || actor.stopped !== null) return null;
  if (!(error instanceof AppError) || !(refusedAs === undefined ? isWithoutRight(error) : CODES.has(error.code)))
    return null;
  const [target = ''] = Object.values(params);
  return {
    ...{
      actor,
      action: refusedAs ?? ACCESS_REFUSED,
      request: `${method} ${path}`,
      target: ID.test(target) ? target : null,
    },
    ...{ code: error.code, detail: error.message },
  };
}

/** A wrong password, for example, is refused too, but not for want of a right. */
function isWithoutRight({ code, extra }: AppError): boolean {
  return code === 'insufficient_scope' || extra.missing_right === true;
}
