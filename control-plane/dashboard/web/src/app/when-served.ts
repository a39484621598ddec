const ASK_MS = 2_000;
/** A server that has not answered within this time is asked again. */
const ANSWER_MS_MAX = 10_000;
/** What style sheets that did not load have in the page. */
const FAILED = 'data-failed';

/**
 * Loads a page or a dialog, which are files of their own. While nothing serves them, it waits: otherwise the browser would
 * leave the page, with everything that was typed, or show it without its styles. Rejects if a file is really missing, as
 * after an upgrade, or if the browser does not try a failed import again in this document.
 */
export async function whenServed<Module>(load: () => Promise<Module>): Promise<Module> {
  for (let hasWaited = false; ; hasWaited = true) {
    try {
      return await withStyles(load);
    } catch (error) {
      if (hasWaited && (await isServed())) throw error;
    }
    while (!(await isServed())) await new Promise((resolve) => setTimeout(resolve, ASK_MS));
  }
}

/**
 * Loads a file of its own, and before it the style sheets that have failed: Vite asks for each once in a document. Rejects
 * if one fails again.
 */
export async function withStyles<Module>(load: () => Promise<Module>): Promise<Module> {
  const links = [...document.head.querySelectorAll<HTMLLinkElement>('link[rel="stylesheet"]')];
  const failed = links.filter((link) => link.hasAttribute(FAILED));
  // Another page may be loading the same ones again.
  const loading = links.filter((link) => link.sheet === null && !failed.includes(link));
  await Promise.all([...loading, ...failed.map(replaced)].map(loaded));
  return load();
}

/** Notes which style sheets do not load. */
export function followStyles(): void {
  const onError = ({ target }: Event) => {
    if (target instanceof HTMLLinkElement && target.rel === 'stylesheet') target.setAttribute(FAILED, '');
  };
  // These events do not bubble.
  document.head.addEventListener('error', onError, true);
}

/** The server needs no database for a page. A proxy in front of it may answer with the way to its log-in. */
async function isServed(): Promise<boolean> {
  const answer = await fetch(document.baseURI, {
    ...{ method: 'HEAD', cache: 'no-store', redirect: 'manual' },
    signal: AbortSignal.timeout(ANSWER_MS_MAX),
  }).catch(() => null);
  return answer !== null && answer.status < 500;
}

function replaced(failed: HTMLLinkElement): HTMLLinkElement {
  const link = failed.cloneNode() as HTMLLinkElement;
  link.removeAttribute(FAILED);
  failed.replaceWith(link);
  return link;
}

function loaded(link: HTMLLinkElement): Promise<void> {
  return new Promise((resolve, reject) => {
    link.addEventListener('load', () => resolve(), { once: true });
    link.addEventListener('error', () => reject(new Error(`${link.href} did not load`)), { once: true });
  });
}
