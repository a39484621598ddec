import { tellTabs } from '../api/session-news.ts';
import { texts } from '../texts/entrance.ts';
import { el, link, show } from './dom.ts';

/** The end of a log-in for another tab, whose page then goes on. */
export function loggedInPage(): void {
  tellTabs('logged in');
  show(
    texts.loggedInTitle,
    el('p', { class: 'note good', role: 'status' }, texts.loggedInHelp),
    el('p', { class: 'links' }, link('./', texts.toDashboard)),
  );
}
