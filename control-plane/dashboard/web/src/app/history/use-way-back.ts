import { useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';

/** A list that must be read again is there by then. */
const SEEK_MS_MAX = 5_000;

/** Within the path of an object, such as `/monitors/mon_…`. */
const OBJECT = /\/[a-z]+_[0-9A-Za-z]+/;

/** How a page was left for another one. */
interface Left {
  /** The path of the other one, to which a link leads. */
  path: string;
  /** Which of these links; null if the person opened none of them, but used the navigation or a key. */
  nth: number | null;
  scrollY: number;
}

/**
 * Whoever comes back to a page in the history of the tab finds it scrolled to where it was, and the focus on the link that
 * they opened there. The router scrolls only what is there at once.
 */
export function useWayBack(): void {
  const router = useRouter();
  useEffect(() => {
    // By the key of the place in the history. A place that is left for a new one can only be reached by going back.
    const left = new Map<string, Left>();
    let stop = () => {};
    const forgetLeaving = router.subscribe('onBeforeLoad', ({ fromLocation: from, toLocation: to }) => {
      stop();
      if (from?.state.__TSR_key === undefined || from.pathname === to.pathname) return;
      if (to.state.__TSR_index <= from.state.__TSR_index) return;
      const path = new URL(to.publicHref, location.origin).pathname;
      left.set(from.state.__TSR_key, { path, nth: nthOpened(path), scrollY: window.scrollY });
    });
    const forgetComing = router.subscribe('onRendered', ({ fromLocation, toLocation: { state } }) => {
      const isBack = fromLocation !== undefined && state.__TSR_index < fromLocation.state.__TSR_index;
      const was = isBack ? left.get(state.__TSR_key ?? '') : undefined;
      if (was !== undefined) stop = seek(was);
    });
    return () => {
      stop();
      forgetLeaving();
      forgetComing();
    };
  }, [router]);
}

/** Looks until the link is there, or the person does something else. Returns the function that ends it. */
function seek({ path, nth, scrollY }: Left): () => void {
  const seeking = new AbortController();
  const stop = () => seeking.abort();
  let isScrolled = false;
  const look = () => {
    if (!isScrolled && document.documentElement.scrollHeight - window.innerHeight >= scrollY) {
      window.scrollTo(0, scrollY);
      isScrolled = true;
    }
    if (nth !== null) {
      const links = linksTo(path);
      if (links.length === 0) return;
      if (isNowhere(document.activeElement)) links[Math.min(nth, links.length - 1)]?.focus({ preventScroll: true });
    }
    if (isScrolled) stop();
  };
  const watching = new MutationObserver(look);
  watching.observe(document.body, { childList: true, subtree: true });
  const timer = setTimeout(stop, SEEK_MS_MAX);
  for (const event of ['keydown', 'pointerdown', 'wheel', 'touchstart'])
    window.addEventListener(event, stop, { signal: seeking.signal, capture: true, passive: true });
  seeking.signal.addEventListener('abort', () => {
    watching.disconnect();
    clearTimeout(timer);
  });
  look();
  return stop;
}

/**
 * Returns which of the links to a path was opened. A row can be opened without its link, which some browsers do not focus
 * either; then the page of an object has few links, of which it is the first.
 */
function nthOpened(path: string): number | null {
  const focused = document.activeElement;
  const nth = linksTo(path).indexOf(focused as HTMLAnchorElement);
  if (nth !== -1) return nth;
  const isInPage = !isNowhere(focused) && focused?.closest('#content') != null;
  return isInPage || OBJECT.test(path) ? 0 : null;
}

/** Returns the links of the page, without those of the frame, that lead to a path. */
function linksTo(path: string): HTMLAnchorElement[] {
  const links = document.querySelectorAll<HTMLAnchorElement>('#content a[href]');
  return [...links].filter(({ pathname, origin }) => pathname === path && origin === location.origin);
}

/** Whether nothing in the page has the focus. */
function isNowhere(focused: Element | null): boolean {
  return focused === null || focused === document.body || focused.id === 'content';
}
