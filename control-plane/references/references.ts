import type { Db } from 'mongodb';
import type { Actor } from '../actor.js';
import { AppError } from '../errors.js';
import { requireAccess } from '../http/access.js';
import type { Access } from '../http/route.js';
import type { Transaction } from '../storage/transaction.js';
import { createReferenceLock, type ReferenceLock } from './lock.js';
import { REFERRERS_NAMED_MAX } from './schema.js';

/** The types of things that others name by their ids. */
export type ReferredType = 'channel' | 'monitor' | 'server' | 'blacklist_monitor' | 'backup_job';

/** A document that names a thing by its id, such as a monitor that names a channel. */
export interface Referrer {
  type: 'monitor' | 'alert_rule' | 'incident' | 'maintenance_window' | 'dependency' | 'status_page' | 'report_schedule';
  id: string;
  name: string;
}

/** A document that no longer names the thing. `left` are the things of this type that it still names. */
export interface Detached extends Referrer {
  left: readonly string[];
}

/** Documents that name things without notifying anybody of them. */
const NOTIFIES_NOBODY: ReadonlySet<Referrer['type']> = new Set([
  'maintenance_window',
  'dependency',
  'status_page',
  'report_schedule',
]);

/** Whether a document notified somebody because of the thing, and names nothing else of its type any more. */
export function namesNoOther({ type, left }: Detached): boolean {
  return !NOTIFIES_NOBODY.has(type) && left.length === 0;
}

/** The documents of one type that name things of another type. The slice that stores the documents provides it. */
export interface ReferenceHolder {
  /** The type of what they name. */
  to: ReferredType;
  /** Who may read the documents. */
  read: Exclude<Access, 'public'>;
  /** Who may change them. */
  write: Exclude<Access, 'public'>;
  /** Whether each document is changed by a command of its own, so that a deletion can change only some of them. */
  limited: boolean;
  /** Returns how many documents of the workspace name the thing, and the first `max` of them. */
  find(tx: Transaction, workspaceId: string, id: string, max: number): Promise<Found>;
  /**
   * Returns the documents that name any of the things: how many, the first `max`, and which of the things they name. Missing where
   * things are deleted one by one only.
   */
  findAny?(
    tx: Transaction,
    workspaceId: string,
    ids: readonly string[],
    max: number,
  ): Promise<FoundReferrers & { named: readonly string[] }>;
  /** Like `find`, of the documents that name none of `others`. Missing where what is named notifies nobody. */
  findAlone?(
    tx: Transaction,
    workspaceId: string,
    id: string,
    alone: { others: readonly string[]; max: number },
  ): Promise<FoundReferrers>;
}

interface FoundReferrers {
  total: number;
  items: Referrer[];
}

interface Found extends FoundReferrers {
  /**
   * Removes the thing from all documents of the workspace, and records that for each. Returns them. Those of a limited holder
   * must all have been found.
   */
  detach(actor: Actor, thing: Thing): Promise<Detached[]>;
}

/** What is deleted. */
interface Thing {
  id: string;
  name: string;
}

/** What a deletion did to the documents that named what it deletes. */
export interface Ended {
  detached: Detached[];
  /** Those that the actor may read, in the form of `DetachedReferences`. */
  shown(referrers: readonly Detached[]): FoundReferrers;
}

/** The one place that knows what refers to a thing. */
export interface References {
  /**
   * Removes the references to a thing that the transaction deletes, when `detach` is set. Otherwise throws 409 with what
   * refers to it. Call it before the deletion.
   */
  end(tx: Transaction, actor: Actor, to: ReferredType, thing: Thing, detach: boolean): Promise<Ended>;
  /**
   * For things that are about to be deleted in bulk. Throws 409 with what names any of them, unless `detach` is set; then 403 if the
   * actor may not change that. Resolves to whether the actor may change whatever could name them until they are deleted.
   */
  requireUnused(
    tx: Transaction,
    actor: Actor,
    to: ReferredType,
    ids: readonly string[],
    detach: boolean,
  ): Promise<boolean>;
  /** Resolves to those of the things that something names. Call it before the deletion of all of them. */
  named(tx: Transaction, workspaceId: string, to: ReferredType, ids: readonly string[]): Promise<ReadonlySet<string>>;
  /**
   * Resolves to what names the thing and none of `others`: how many documents, the first of them, and those of these that the
   * actor may read.
   */
  alone(
    tx: Transaction,
    actor: Actor,
    to: ReferredType,
    id: string,
    others: readonly string[],
  ): Promise<FoundReferrers & { readable: Referrer[] }>;
}

/**
 * Documents of limited holders that one deletion changes. Results are written to monitors all the time, and each conflicts with the transaction:
 * a longer one would have to be repeated too often.
 */
const DETACHED_MAX = 100;
/** Documents of one holder that a deletion reads. */
const READ_MAX = Math.max(DETACHED_MAX, REFERRERS_NAMED_MAX);

const NAMES: Record<ReferredType, string> = {
  channel: 'channel',
  monitor: 'monitor',
  server: 'server',
  blacklist_monitor: 'blacklist monitor',
  backup_job: 'backup job',
};

/** `holders` are those of all slices. */
export function createReferences(db: Db, holders: () => readonly ReferenceHolder[]): References {
  const lock = createReferenceLock(db);
  return {
    async end(tx, actor, to, thing, detach) {
      await lock.remove(tx, [thing.id]);
      const found = await inTurn(
        holders().filter((holder) => holder.to === to),
        async (holder) => {
          return { holder, ...(await holder.find(tx, actor.workspaceId, thing.id, READ_MAX)) };
        },
      );
      const used = found.filter(({ total }) => total > 0);
      if (used.length > 0 && !detach) throw inUse(NAMES[to], totalOf(used), false, readable(actor, used));
      const limited = used.filter(({ holder }) => holder.limited);
      const changed = totalOf(limited);
      if (changed > DETACHED_MAX) throw inUse(NAMES[to], changed, true, readable(actor, limited));
      for (const { holder } of used) requireAccess(actor, holder.write, 'PATCH');
      const detached = await inTurn(used, (one) => one.detach(actor, thing));
      const types = new Set(readable(actor, used).map(({ type }) => type));
      return {
        detached: detached.flat(),
        shown: (referrers) => ({
          total: referrers.length,
          items: referrers
            .filter(({ type }) => types.has(type))
            .slice(0, REFERRERS_NAMED_MAX)
            .map(({ type, id, name }) => ({ type, id, name })),
        }),
      };
    },
    ...bulkReads(lock, (to) => holders().filter((holder) => holder.to === to)),
    async alone(tx, actor, to, id, others) {
      const found = await inTurn(
        holders().filter((holder) => holder.to === to),
        async (holder) => {
          const alone = { others, max: REFERRERS_NAMED_MAX };
          const read = await holder.findAlone?.(tx, actor.workspaceId, id, alone);
          return { holder, total: 0, items: [], ...read };
        },
      );
      return {
        total: totalOf(found),
        items: found.flatMap(({ items }) => items),
        readable: readable(actor, found),
      };
    },
  };
}

/** Returns what bulk deletions use. */
function bulkReads(
  lock: ReferenceLock,
  holdersOf: (to: ReferredType) => ReferenceHolder[],
): Pick<References, 'requireUnused' | 'named'> {
  const findAny = (tx: Transaction, workspaceId: string, to: ReferredType, ids: readonly string[]) =>
    inTurn(holdersOf(to), async (holder) => {
      if (holder.findAny === undefined) throw new Error(`a ${to} cannot be deleted in bulk`);
      return { holder, ...(await holder.findAny(tx, workspaceId, ids, REFERRERS_NAMED_MAX)) };
    });
  return {
    async requireUnused(tx, actor, to, ids, detach) {
      const used = (await findAny(tx, actor.workspaceId, to, ids)).filter(({ total }) => total > 0);
      if (!detach) {
        if (used.length > 0) throw anyInUse(NAMES[to], totalOf(used), readable(actor, used));
        return false;
      }
      for (const { holder } of used) requireAccess(actor, holder.write, 'PATCH');
      return holdersOf(to).every(({ write }) => hasAccess(actor, write, 'PATCH'));
    },
    async named(tx, workspaceId, to, ids) {
      await lock.remove(tx, ids);
      return new Set((await findAny(tx, workspaceId, to, ids)).flatMap(({ named }) => named));
    },
  };
}

/** A session of the database does one thing at a time. */
async function inTurn<Item, Result>(items: readonly Item[], work: (item: Item) => Promise<Result>): Promise<Result[]> {
  const results: Result[] = [];
  for (const item of items) results.push(await work(item));
  return results;
}

function totalOf(found: readonly FoundReferrers[]): number {
  return found.reduce((sum, { total }) => sum + total, 0);
}

function readable(actor: Actor, found: readonly ({ holder: ReferenceHolder } & FoundReferrers)[]): Referrer[] {
  return found.flatMap(({ holder, items }) => (hasAccess(actor, holder.read, 'GET') ? items : []));
}

function hasAccess(actor: Actor, access: ReferenceHolder['read'], method: 'GET' | 'PATCH'): boolean {
  try {
    requireAccess(actor, access, method);
    return true;
  } catch (error) {
    if (error instanceof AppError) return false;
    throw error;
  }
}

function inUse(what: string, total: number, detach: boolean, items: readonly Referrer[]): AppError {
  const things = total === 1 ? '1 thing names' : `${total.toLocaleString('en-US')} things name`;
  const how = detach
    ? `At most ${DETACHED_MAX.toLocaleString('en-US')} are changed at once. Remove it from some of them first; a bulk change does that for many monitors.`
    : 'Remove it from them first, or repeat the request with detach=true, which does that too.';
  return new AppError('conflict', `The ${what} is in use: ${things} it. ${how}`, {
    used_by: { total, items: items.slice(0, REFERRERS_NAMED_MAX) },
  });
}

function anyInUse(what: string, total: number, items: readonly Referrer[]): AppError {
  const things = total === 1 ? '1 thing names' : `${total.toLocaleString('en-US')} things name`;
  const detail = `Nothing was deleted, because ${things} one of the ${what}s. Remove them from there first, or repeat the request with detach, which does that too.`;
  return new AppError('conflict', detail, { used_by: { total, items: items.slice(0, REFERRERS_NAMED_MAX) } });
}
