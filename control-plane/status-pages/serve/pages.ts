import type { Clock } from '../../../kernel/clock.js';
import { createKeyedSemaphore } from '../../../kernel/concurrency/keyed-semaphore.js';
import type { Logger } from '../../../kernel/logger.js';
import type { Logo } from '../../logo/logo.js';
import { compilePage } from '../compile/compile.js';
import type { PercentUp } from '../compile/days.js';
import type { PageModel } from '../compile/model.js';
import type { StatusPageDocument } from '../documents.js';
import { createPageDays } from '../facts/days.js';
import type { PageSources } from '../facts/facts.js';
import { gatherFacts } from '../facts/gather.js';
import { createMonitorHistory } from '../facts/history.js';
import type { StatusPageStore } from '../store.js';
import type { PageIncidentStore } from '../updates/store.js';
import type { GuardedPage } from './gate.js';

/** A page is compiled again for the first request after this time. */
const FRESH_MS = 1_500;
/** Until then, requests get the older one while it is compiled. A change is on the page within 5 s. */
const USABLE_MS = 3_500;
/** Pages in memory. Each takes up to 200 KiB with its texts. */
const PAGES_MAX = 500;
/** Addresses without a page, also those that are being read. They are kept apart, so that invented ones displace no page. */
const MISSING_MAX = 1_000;

/** Pages of one workspace that are compiled at the same time. Anybody can open all of its pages at once. */
const COMPILED_AT_ONCE = 4;

const COMPILE_TRIES_MAX = 3;

/** A page that was compiled. */
export interface CompiledPage {
  /** Who may see it. */
  guard: GuardedPage & Pick<StatusPageDocument, 'groups'>;
  model: PageModel;
  /** What was rendered of this model, by kind and language. */
  rendered: Map<string, Rendered>;
  /** Under way. */
  logoReading?: Promise<Logo | null> | undefined;
}

export interface Rendered {
  body: string;
  type: string;
  /** Changes with the body. */
  etag: string;
  contentSecurityPolicy?: string;
}

/** The public pages, compiled from the database at most every 1.5 s each. */
export interface PublicPages {
  /** Resolves to null if there is no page with the slug, or its workspace is stopped. */
  find(slug: string): Promise<CompiledPage | null>;
}

interface CompileNeeds {
  incidents: Pick<PageIncidentStore, 'shown'>;
  sources: PageSources;
  percentUp: PercentUp;
  clock: Clock;
  logger: Logger;
}

interface Entry {
  page: CompiledPage | null;
  /** When what it shows was read; null before the first time. */
  atMs: number | null;
  reading: Promise<void> | null;
}

/** Compiles a page from the database; null if its workspace is stopped. */
export type CompileNow = (page: StatusPageDocument) => Promise<PageModel | null>;

export function createCompileNow({ incidents, sources, percentUp, clock, logger }: CompileNeeds): CompileNow {
  const gatherNeeds = {
    sources,
    incidents,
    pageDays: createPageDays(),
    history: createMonitorHistory({ hours: sources.hours, clock, logger }),
  };
  const compilations = createKeyedSemaphore(COMPILED_AT_ONCE);
  return async (page) => {
    if (await sources.isStopped(page.workspace_id)) return null;
    // Nobody gives up waiting. A signal for all would have a listener of each.
    return compilations.run(page.workspace_id, new AbortController().signal, async () =>
      compilePage(await gatherFacts(gatherNeeds, page, clock.now()), percentUp),
    );
  };
}

export function createPublicPages({
  store,
  compileNow,
  clock,
  logger,
}: {
  store: Pick<StatusPageStore, 'findBySlug'>;
  compileNow: CompileNow;
  clock: Clock;
  logger: Logger;
}): PublicPages {
  const entries = new Map<string, Entry>();
  const missing = new Map<string, Entry>();

  /** Compiles the page as it is now. It may have been changed while it waited for its turn: who may see it, for example. */
  async function current(slug: string): Promise<{ page: StatusPageDocument | null; model: PageModel | null }> {
    let page = await store.findBySlug(slug);
    for (let tries = 1; ; tries++) {
      const model = page === null ? null : await compileNow(page);
      const now = page === null ? null : await store.findBySlug(slug);
      const isSame = now?._id === page?._id && now?.version === page?.version;
      if (isSame) return { page, model };
      // One that changes all the time is shown as it will be, at the next read.
      if (tries === COMPILE_TRIES_MAX) return { page: null, model: null };
      page = now;
    }
  }

  async function read(slug: string, entry: Entry): Promise<void> {
    const atMs = clock.monotonic();
    const { page, model } = await current(slug);
    // What says the same keeps its texts.
    if (page === null || model === null) entry.page = null;
    else if (entry.page !== null && JSON.stringify(entry.page.model) === JSON.stringify(model)) {
      entry.page = { ...entry.page, guard: page };
    } else entry.page = { guard: page, model, rendered: new Map() };
    entry.atMs = atMs;
    keep(slug, entry);
  }

  /** One read at a time of each page. */
  function refresh(slug: string, entry: Entry): Promise<void> {
    entry.reading ??= read(slug, entry).finally(() => {
      entry.reading = null;
    });
    return entry.reading;
  }

  /** The one that was not asked for the longest is forgotten first. */
  function keep(slug: string, entry: Entry): void {
    entries.delete(slug);
    missing.delete(slug);
    const [kept, max] = entry.page === null ? [missing, MISSING_MAX] : [entries, PAGES_MAX];
    if (kept.size >= max) kept.delete(kept.keys().next().value ?? '');
    kept.set(slug, entry);
  }

  function entryOf(slug: string): Entry {
    const entry = entries.get(slug) ?? missing.get(slug) ?? { page: null, atMs: null, reading: null };
    keep(slug, entry);
    return entry;
  }

  return {
    async find(slug) {
      const entry = entryOf(slug);
      const ageMs = entry.atMs === null ? Number.POSITIVE_INFINITY : clock.monotonic() - entry.atMs;
      if (ageMs >= USABLE_MS) await refresh(slug, entry);
      else if (ageMs >= FRESH_MS) {
        refresh(slug, entry).catch((err: unknown) => {
          logger.warn({ err, slug }, 'failed to compile a status page; the next request retries');
        });
      }
      return entry.page;
    },
  };
}
