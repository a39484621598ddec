import { openTabs } from './tabs.ts';

/** What one tab tells the others of the browser: they share a session. */
type News = 'logged in' | 'logged out';

/** Each installation of the origin has sessions of its own. */
const name = (): string => `picket session ${document.baseURI}`;

/** Tells the other tabs. */
export function tellTabs(news: News): void {
  const tabs = openTabs<News>(name(), () => {});
  tabs.tell(news);
  tabs.close();
}

/** Calls the listener with what other tabs tell. Returns the function that ends it. */
export function hearTabs(listener: (news: News) => void): () => void {
  return openTabs(name(), listener).close;
}
