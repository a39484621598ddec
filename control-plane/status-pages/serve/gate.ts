import { timingSafeEqual } from 'node:crypto';
import type { Context } from 'koa';
import type { Clock } from '../../../kernel/clock.js';
import type { Passwords } from '../../accounts/passwords/password.js';
import type { Actor } from '../../actor.js';
import { AppError } from '../../errors.js';
import { requireAccess } from '../../http/access.js';
import { type Client, clientOf } from '../../http/client/client.js';
import { readRawBody } from '../../http/input/read-body.js';
import type { GuessLimit } from '../../http/limits/guess-limit.js';
import type { SecretBox } from '../../storage/secret-box.js';
import type { StatusPageDocument } from '../documents.js';
import { PASSWORD_FIELD } from '../render/notices.js';

const PURPOSE = 'status page access';
const VALID_MS = 12 * 3_600_000;
const MS_PER_SECOND = 1_000;
const FORM_BYTES_MAX = 2_000;

/** What decides who may see a page. */
export type GuardedPage = Pick<
  StatusPageDocument,
  '_id' | 'workspace_id' | 'slug' | 'visibility' | 'password_hash' | 'verified_hosts'
>;

export interface GateNeeds {
  box: Pick<SecretBox, 'fingerprint'>;
  passwords: Pick<Passwords, 'verify'>;
  guesses: Pick<GuessLimit, 'check'>;
  /** Resolves to the person who is logged in; null without one. */
  signedIn(client: Client): Promise<Actor | null>;
  /** Resolves to whether the person is also a member of this workspace, whichever their session works in. */
  entersWorkspace(actor: Actor, workspaceId: string): Promise<boolean>;
  publicUrl: string;
  clock: Clock;
}

/** Decides who may see a page that is not public. All addresses of a page go through it. */
export interface Gate {
  admits(ctx: Context, page: GuardedPage): Promise<boolean>;
  /** Reads a password from the form of a page. Sets the cookie for the paths below `cookiePath` and resolves to true if it is right. Throws `rate_limited`. */
  unlock(ctx: Context, page: GuardedPage, cookiePath: string): Promise<boolean>;
}

export function createGate(needs: GateNeeds): Gate {
  const { box, passwords, guesses, signedIn, publicUrl, clock } = needs;
  /** A new password has another hash, so it ends the cookies of the one before. */
  const signatureOf = ({ _id, password_hash }: GuardedPage, untilMs: number) =>
    box.fingerprint(`${_id} ${untilMs} ${password_hash}`, PURPOSE);

  function hasCookie(ctx: Context, page: GuardedPage): boolean {
    const [, until = '', signature = ''] =
      /^(\d{1,15})\.([0-9a-f]{64})$/.exec(ctx.cookies.get(cookieName(page)) ?? '') ?? [];
    if (signature === '' || Number(until) <= clock.now()) return false;
    return timingSafeEqual(Buffer.from(signature), Buffer.from(signatureOf(page, Number(until))));
  }

  return {
    async admits(ctx, page) {
      if (page.visibility === 'public') return true;
      if (page.visibility === 'password') return hasCookie(ctx, page);
      return isMember(needs, await signedIn(clientOf(ctx)), page);
    },
    async unlock(ctx, page, cookiePath) {
      const password = (await formOf(ctx)).get(PASSWORD_FIELD) ?? '';
      const { ip } = clientOf(ctx);
      // The page takes turns as one account, so that guesses do not keep people from logging in.
      const by = { email: page._id, ip, isKnown: false };
      const right = await guesses.check(ip, async () =>
        page.password_hash !== null && (await passwords.verify(page.password_hash, password, by)) ? true : null,
      );
      if (right === null) return false;
      const untilMs = clock.now() + VALID_MS;
      ctx.append(
        'Set-Cookie',
        cookieOf(page, `${untilMs}.${signatureOf(page, untilMs)}`, { path: cookiePath, publicUrl }),
      );
      return true;
    },
  };
}

async function isMember(
  { entersWorkspace }: Pick<GateNeeds, 'entersWorkspace'>,
  actor: Actor | null,
  { workspace_id }: GuardedPage,
): Promise<boolean> {
  if (actor === null) return false;
  // Every role may read status pages.
  if (actor.workspaceId !== workspace_id) return entersWorkspace(actor, workspace_id);
  try {
    requireAccess(actor, 'status_pages:read', 'GET');
    return true;
  } catch (error) {
    if (error instanceof AppError) return false;
    throw error;
  }
}

function cookieName({ slug }: GuardedPage): string {
  return `picket_status_${slug}`;
}

/** Without a domain, so that it is for the host of the request alone. */
function cookieOf(page: GuardedPage, value: string, { path, publicUrl }: { path: string; publicUrl: string }): string {
  const secure = new URL(publicUrl).protocol === 'https:' ? '; Secure' : '';
  return `${cookieName(page)}=${value}; Path=${path}; Max-Age=${VALID_MS / MS_PER_SECOND}; HttpOnly; SameSite=Lax${secure}`;
}

async function formOf(ctx: Context): Promise<URLSearchParams> {
  const type = 'application/x-www-form-urlencoded';
  if (ctx.is(type) !== type) return new URLSearchParams();
  const { bytes } = await readRawBody(ctx.req, { type, headers: [] });
  return new URLSearchParams(bytes.length > FORM_BYTES_MAX ? '' : bytes.toString('utf8'));
}
