import { createHash } from 'node:crypto';
import { inParallel } from '../../../kernel/concurrency/in-parallel.js';
import {
  createLeasedPeriodicTask,
  type LeasedPeriodicTask,
  type LeasedPeriodicTaskNeeds,
} from '../../storage/leases/leased-periodic-task.js';
import type { PageModel } from '../compile/model.js';
import type { StatusPageDocument } from '../documents.js';
import { canonicalUrl, statusUrl } from '../serve/addresses.js';
import type { CompileNow } from '../serve/pages.js';
import type { StatusPageStore } from '../store.js';
import { exportedFiles } from './files.js';
import { createExportFolder } from './folder.js';

const PERIOD_MS = 2_000;
const LEASE = 'status-page-export';
const LEASE_MS = 30_000;
/** A page without changes is written again after this time, so that it says a time that is not old. */
const REWRITE_MS = 60_000;
const BATCH_MAX = 100;
const PARALLEL = 4;

/** Writes public pages as files. Each run resolves to the number of files that it wrote. */
export type ExportJob = LeasedPeriodicTask<number>;

export interface ExportNeeds extends LeasedPeriodicTaskNeeds {
  store: Pick<StatusPageStore, 'publicAfter'>;
  compileNow: CompileNow;
  exportDir: string;
  publicUrl: string;
}

/** What was written of a page. */
interface Written {
  /** Of everything the page says but the time. */
  content: string;
  atMs: number;
  /** By path, what `sameAs` was. */
  files: ReadonlyMap<string, string>;
}

/** Runs on one control plane at a time, of those that have the setting. */
export function createExportJob(needs: ExportNeeds): ExportJob {
  const { store, compileNow, publicUrl, clock, logger } = needs;
  const folder = createExportFolder(needs.exportDir);
  let written = new Map<string, Written>();

  async function exportPage(page: StatusPageDocument): Promise<{ slug: string; count: number } | null> {
    const model = await compileNow(page);
    if (model === null) return null;
    const canonical = canonicalUrl(page.verified_hosts ?? [], publicUrl);
    const content = contentOf(model, canonical);
    const before = written.get(page.slug);
    const isDue = before === undefined || before.content !== content || clock.monotonic() - before.atMs >= REWRITE_MS;
    if (!isDue) return { slug: page.slug, count: 0 };
    const idUrl = statusUrl(page.slug, publicUrl);
    const url = canonical?.replace(/\/$/, '') ?? idUrl;
    const files = exportedFiles(model, { url, idUrl, canonical: canonical ?? idUrl });
    let count = 0;
    for (const { path, body, sameAs } of files) {
      if (before?.files.get(path) === digest(sameAs)) continue;
      await folder.write(page.slug, path, body);
      count++;
    }
    await folder.keepOnly(page.slug, new Set(files.map(({ path }) => path)));
    const digests = new Map(files.map(({ path, sameAs }) => [path, digest(sameAs)]));
    written.set(page.slug, { content, atMs: clock.monotonic(), files: digests });
    return { slug: page.slug, count };
  }

  return createLeasedPeriodicTask(needs, {
    name: LEASE,
    periodMs: PERIOD_MS,
    leaseMs: LEASE_MS,
    failure: 'exporting status pages failed, retrying',
    failureLevel: 'error',
    // Another control plane writes them meanwhile, so that nothing is known of the files.
    onNotHeld: () => {
      written = new Map();
    },
    async work({ stillHeld }) {
      const slugs = new Set<string>();
      let count = 0;
      let failed = 0;
      for (let after = ''; ; ) {
        const batch = await store.publicAfter(after, BATCH_MAX);
        await inParallel(batch, PARALLEL, async (page) => {
          if (!(await stillHeld())) return;
          // A page that cannot be written now stays as it is: it says itself how old it is.
          slugs.add(page.slug);
          try {
            const exported = await exportPage(page);
            if (exported === null) slugs.delete(page.slug);
            count += exported?.count ?? 0;
          } catch (err) {
            // A folder that cannot be written fails for all pages: one message is enough.
            if (failed++ === 0) logger.warn({ err, page: page._id }, 'exporting a status page failed, retrying');
          }
        });
        if (!(await stillHeld())) return count;
        after = batch.at(-1)?._id ?? '';
        if (batch.length < BATCH_MAX) break;
      }
      await folder.keepPages(slugs);
      for (const slug of written.keys()) if (!slugs.has(slug)) written.delete(slug);
      return count;
    },
  });
}

function contentOf(model: PageModel, canonical: string | null): string {
  return digest(JSON.stringify({ ...model, asOfMs: 0, canonical }));
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64');
}
