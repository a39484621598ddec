import { number, plural } from '../format.ts';
import type { Facts } from './facts.ts';

const monitors = (count: number) => plural(count, { one: 'Monitor', other: 'Monitore' });

/** Things of which a plan allows a number. */
const COUNTED: Readonly<Record<string, (count: number) => string>> = {
  monitors,
  servers: (count) => plural(count, { one: 'Server', other: 'Server' }),
  sites: (count) => plural(count, { one: 'WordPress-Seite', other: 'WordPress-Seiten' }),
  blacklist_monitors: (count) => plural(count, { one: 'Sperrlisten-Monitor', other: 'Sperrlisten-Monitore' }),
  backup_jobs: (count) => plural(count, { one: 'Sicherungsjob', other: 'Sicherungsjobs' }),
  email_domains: (count) => plural(count, { one: 'E-Mail-Domain', other: 'E-Mail-Domains' }),
  status_pages: (count) => plural(count, { one: 'Statusseite', other: 'Statusseiten' }),
  status_page_subscribers: (count) =>
    plural(count, { one: 'Abonnent von Statusseiten', other: 'Abonnenten von Statusseiten' }),
  report_schedules: (count) => plural(count, { one: 'Berichtszeitplan', other: 'Berichtszeitpläne' }),
  reports_per_month: (count) => `${plural(count, { one: 'Bericht', other: 'Berichte' })} im Monat`,
  scans_per_day: (count) => `${plural(count, { one: 'Sicherheitsprüfung', other: 'Sicherheitsprüfungen' })} am Tag`,
  locations: (count) => `${plural(count, { one: 'Standort', other: 'Standorte' })} je Monitor`,
};

/** Returns what a plan does not allow, in German. Pure. */
export function planSentence(facts: Facts['all']): string {
  const count = (name: string) => Number(facts[name] ?? 0);
  const text = (name: string) => String(facts[name] ?? '');
  const [plan, larger, limit] = [text('plan'), text('larger_plan'), text('limit')];
  if (limit === 'feature') return `Das gehört zum Tarif ${larger}. Ihr Arbeitsbereich hat den Tarif ${plan}.`;
  if (limit === 'restored_monitors') return undoSentence(plan, count);
  if (limit === 'interval_seconds') {
    const more =
      larger === ''
        ? 'Kein Tarif erlaubt ein kürzeres.'
        : `Der Tarif ${larger} erlaubt ${number(count('larger_allows'))} s.`;
    return `Das kürzeste Intervall des Tarifs ${plan} ist ${number(count('allowed'))} s. ${more}`;
  }
  const of = Object.hasOwn(COUNTED, limit) ? COUNTED[limit] : undefined;
  if (of === undefined) return 'Ihr Tarif erlaubt das nicht.';
  const largest = facts['larger_allows'] === undefined ? 'beliebig viele' : number(count('larger_allows'));
  const more = larger === '' ? 'Kein Tarif erlaubt mehr.' : `Der Tarif ${larger} erlaubt ${largest}.`;
  return `Der Tarif ${plan} erlaubt ${of(count('allowed'))}. ${more}`;
}

/** Why the undo of a deletion finds no room. */
function undoSentence(plan: string, count: (name: string) => number): string {
  const figures = `Es müssten ${monitors(count('restored'))} wieder angelegt werden. Der Arbeitsbereich hat ${number(count('present'))}, und der Tarif ${plan} erlaubt ${number(count('allowed'))}.`;
  return `Nichts wurde rückgängig gemacht. ${figures} Löschen Sie ${monitors(count('over'))}, oder wechseln Sie den Tarif, und machen Sie die Änderung innerhalb ihrer 24 Stunden rückgängig.`;
}
