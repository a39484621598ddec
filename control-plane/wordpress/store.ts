import type { Collection, Db } from 'mongodb';
import { createNamedCounts, type NamedCounts } from '../storage/named-counts.js';
import { createQuotaLock, type LockQuota } from '../storage/quota-lock.js';
import type { Transaction } from '../storage/transaction.js';
import type { CheckId } from './checks/catalogue.js';
import type { Watched } from './checks/watch.js';
import type { Reading, SeenPages, SiteDocument } from './documents.js';
import type { ComparedSite } from './vulnerabilities/compare-site.js';
import type { SiteDirectory, TroubledSite } from './wordpress.js';

/** What a request of the plugin or the workspace changes in a site. */
export type SiteChange = Partial<Omit<SiteDocument, '_id' | 'workspace_id' | 'version'>>;

/** Returns the site of each workspace that is due for longest, the longest due first; none of `except`. */
export type DueSites = (
  nowMs: number,
  limit: number,
  except: { siteIds: readonly string[]; workspaceIds: readonly string[] },
) => Promise<SiteDocument[]>;

export interface SiteStore extends SiteDirectory {
  ensureIndexes(): Promise<void>;
  insert(tx: Transaction, site: SiteDocument): Promise<void>;
  /** Of any workspace: the plugin has no other credential than the secret of its site. */
  findForPlugin(tx: Transaction, id: string): Promise<SiteDocument | null>;
  /** Of any workspace, because the code is all that the plugin knows. */
  findByCode(tx: Transaction, hash: string): Promise<SiteDocument | null>;
  /** Newest first, after `afterId`. */
  list(workspaceId: string, afterId: string | null, rowsMax: number): Promise<SiteDocument[]>;
  idOfUrl(tx: Transaction, workspaceId: string, url: string): Promise<string | null>;
  count(tx: Transaction, workspaceId: string, max: number): Promise<number>;
  named: NamedCounts;
  lockQuota: LockQuota;
  /** Changes a site that still has this version, and counts the version. Resolves to null otherwise. */
  change(tx: Transaction, site: SiteDocument, change: SiteChange): Promise<SiteDocument | null>;
  /** Ends the unused activation codes that a person created in a workspace. Resolves to their number. */
  endCodesOf(tx: Transaction, workspaceId: string, userId: string): Promise<number>;
  /** Saves what the plugin says. It changes no version: nobody edits it. Resolves to null if the site was deleted. */
  saveSeen(
    tx: Transaction,
    site: SiteDocument,
    seen: Pick<SiteDocument, 'about' | 'seen_at_ms' | 'plugins' | 'vulnerable' | 'undo_before_plugins'> & {
      readings: SiteDocument['readings'];
    },
  ): Promise<SiteDocument | null>;
  /** Saves how the checks of a site have changed. Resolves to null if the site was deleted. */
  saveWatched(tx: Transaction, site: SiteDocument, watched: Watched): Promise<SiteDocument | null>;
  remove(tx: Transaction, workspaceId: string, id: string): Promise<boolean>;
  /** Makes a site due for a nudge, a look from outside, or both. */
  makeDue(
    tx: Transaction,
    site: Pick<SiteDocument, '_id' | 'workspace_id'>,
    due: Partial<Pick<SiteDocument, 'nudge_at_ms' | 'look_at_ms' | 'nudges_failed'>>,
  ): Promise<void>;
  dueNudges: DueSites;
  dueLooks: DueSites;
  /** Saves the outcome of a nudge, unless the site became due again meanwhile. */
  saveNudge(
    site: SiteDocument,
    outcome: Pick<SiteDocument, 'nudge_at_ms' | 'nudges_failed' | 'proven_at_ms'>,
  ): Promise<void>;
  /** Notes that a look begins. */
  beginLook(site: SiteDocument, atMs: number): Promise<void>;
  /** Looks at a site later, unless it became due again meanwhile. */
  postponeLook(site: SiteDocument, nextAtMs: number): Promise<void>;
  /** Saves a look from outside. Resolves to null if the site became due again meanwhile, or was deleted. */
  saveLook(
    tx: Transaction,
    site: SiteDocument,
    look: { readings: Partial<Record<CheckId, Reading>>; home: Reading; pages: SeenPages; nextAtMs: number },
  ): Promise<SiteDocument | null>;
  /** Returns connected sites of any workspace whose plugins were not compared with a generation of the feed, by their ids. */
  notCompared(generation: string, afterId: string | null, limit: number): Promise<SiteDocument[]>;
  /** Saves how the plugins of a site compare with the feed, unless the site has reported them again. */
  saveCompared(tx: Transaction, site: SiteDocument, compared: ComparedSite): Promise<SiteDocument | null>;
}

const TROUBLED = { workspace_id: 1, secret: 1, troubles: 1 } as const;
const HAS_TROUBLES = { 'troubles.check': { $exists: true } } as const;
const IS_CODE = { 'code.hash': { $type: 'string' } } as const;

export function createSiteStore(db: Db): SiteStore {
  const sites = db.collection<SiteDocument>('wp_sites');
  const within = (tx?: Transaction) => (tx === undefined ? {} : { session: tx.session });
  return {
    async ensureIndexes() {
      await sites.createIndexes([
        { key: { workspace_id: 1, _id: -1 } },
        { key: { 'code.hash': 1 }, unique: true, partialFilterExpression: IS_CODE },
        { key: { nudge_at_ms: 1 } },
        { key: { look_at_ms: 1 } },
        { key: { 'troubles.check': 1, _id: 1 }, partialFilterExpression: HAS_TROUBLES },
      ]);
    },
    named: createNamedCounts(sites, ({ name }) => name),
    lockQuota: createQuotaLock(db, 'site'),
    async insert(tx, site) {
      await sites.insertOne(site, { session: tx.session });
    },
    find: (workspaceId, id, tx) => sites.findOne({ _id: id, workspace_id: workspaceId }, within(tx)),
    findForPlugin: (tx, id) => sites.findOne({ _id: id }, within(tx)),
    findByCode: (tx, hash) => sites.findOne({ 'code.hash': hash }, within(tx)),
    list(workspaceId, afterId, rowsMax) {
      const rest = afterId === null ? {} : { _id: { $lt: afterId } };
      return sites
        .find({ workspace_id: workspaceId, ...rest })
        .sort({ _id: -1 })
        .limit(rowsMax)
        .toArray();
    },
    async idOfUrl(tx, workspaceId, url) {
      const found = await sites.findOne({ workspace_id: workspaceId, url }, { ...within(tx), projection: { _id: 1 } });
      return found?._id ?? null;
    },
    count: (tx, workspaceId, max) =>
      sites.countDocuments({ workspace_id: workspaceId }, { session: tx.session, limit: max }),
    change: (tx, { _id, workspace_id, version }, change) =>
      sites.findOneAndUpdate(
        { _id, workspace_id, version },
        { $set: change, $inc: { version: 1 } },
        { session: tx.session, returnDocument: 'after' },
      ),
    async endCodesOf(tx, workspace_id, userId) {
      const made = { workspace_id, 'code.made_by': userId };
      const ended = await sites.updateMany(made, { $set: { code: null }, $inc: { version: 1 } }, within(tx));
      return ended.modifiedCount;
    },
    saveSeen(tx, { _id, workspace_id }, { readings, ...seen }) {
      const read = Object.fromEntries(Object.entries(readings).map(([check, value]) => [`readings.${check}`, value]));
      return sites.findOneAndUpdate(
        { _id, workspace_id },
        { $set: { ...seen, ...read } },
        { session: tx.session, returnDocument: 'after' },
      );
    },
    async remove(tx, workspaceId, id) {
      const removed = await sites.deleteOne({ _id: id, workspace_id: workspaceId }, { session: tx.session });
      return removed.deletedCount === 1;
    },
    async makeDue(tx, { _id, workspace_id }, when) {
      await sites.updateOne({ _id, workspace_id }, { $set: when }, { session: tx.session });
    },
    dueNudges: createDueSites(sites, 'nudge_at_ms'),
    dueLooks: createDueSites(sites, 'look_at_ms'),
    async saveNudge({ _id, workspace_id, nudge_at_ms }, outcome) {
      await sites.updateOne({ _id, workspace_id, nudge_at_ms }, { $set: outcome });
    },
    async beginLook({ _id, workspace_id }, atMs) {
      await sites.updateOne({ _id, workspace_id }, { $set: { looked_at_ms: atMs } });
    },
    async postponeLook({ _id, workspace_id, look_at_ms }, nextAtMs) {
      await sites.updateOne({ _id, workspace_id, look_at_ms }, { $set: { look_at_ms: nextAtMs } });
    },
    saveLook(tx, { _id, workspace_id, look_at_ms }, { readings, home, pages, nextAtMs }) {
      const seen = Object.entries(readings).map(([check, reading]) => [`readings.${check}.outside`, reading]);
      return sites.findOneAndUpdate(
        { _id, workspace_id, look_at_ms },
        { $set: { ...Object.fromEntries(seen), home, pages, look_at_ms: nextAtMs } },
        { session: tx.session, returnDocument: 'after' },
      );
    },
    ...watchQueries(sites),
    ...comparisonQueries(sites),
  };
}

function watchQueries(sites: Collection<SiteDocument>): Pick<SiteStore, 'findMany' | 'troubled' | 'saveWatched'> {
  return {
    findMany: (workspaceId, ids, tx) =>
      sites
        .find({ workspace_id: workspaceId, _id: { $in: [...ids] } }, tx === undefined ? {} : { session: tx.session })
        .project<TroubledSite>(TROUBLED)
        .toArray(),
    troubled: (afterId, limit) =>
      sites
        .find({ ...HAS_TROUBLES, ...(afterId === null ? {} : { _id: { $gt: afterId } }) })
        .project<TroubledSite>(TROUBLED)
        .sort({ _id: 1 })
        .limit(limit)
        .toArray(),
    saveWatched: (tx, { _id, workspace_id }, watched) =>
      sites.findOneAndUpdate(
        { _id, workspace_id },
        { $set: watched },
        { session: tx.session, returnDocument: 'after' },
      ),
  };
}

function comparisonQueries(sites: Collection<SiteDocument>): Pick<SiteStore, 'notCompared' | 'saveCompared'> {
  return {
    notCompared: (generation, afterId, limit) =>
      sites
        .find({
          ...{ secret: { $type: 'string' }, 'vulnerable.generation': { $ne: generation } },
          'plugins.at_ms': { $type: 'number' },
          ...(afterId === null ? {} : { _id: { $gt: afterId } }),
        })
        .sort({ _id: 1 })
        .limit(limit)
        .toArray(),
    saveCompared: (tx, { _id, workspace_id, plugins }, { reading, comparison }) =>
      sites.findOneAndUpdate(
        { _id, workspace_id, 'plugins.at_ms': plugins?.at_ms ?? 0 },
        { $set: { 'readings.vulnerable-plugins.inside': reading, vulnerable: comparison } },
        { session: tx.session, returnDocument: 'after' },
      ),
  };
}

function createDueSites(sites: Collection<SiteDocument>, field: 'nudge_at_ms' | 'look_at_ms'): DueSites {
  return (nowMs, limit, { siteIds, workspaceIds }) => {
    const others = { _id: { $nin: [...siteIds] }, workspace_id: { $nin: [...workspaceIds] } };
    return sites
      .aggregate<SiteDocument>([
        { $match: { [field]: { $type: 'number', $lte: nowMs }, ...others } },
        { $sort: { [field]: 1 } },
        { $group: { _id: '$workspace_id', site: { $first: '$$ROOT' } } },
        { $sort: { [`site.${field}`]: 1 } },
        { $limit: limit },
        { $replaceRoot: { newRoot: '$site' } },
      ])
      .toArray();
  };
}
