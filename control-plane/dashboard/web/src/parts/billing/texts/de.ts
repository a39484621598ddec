import { duration, list, number } from '../../../texts/format.ts';
import type { en } from './en.ts';

export const de: typeof en = {
  title: 'Abrechnung',
  state: (plan, full) =>
    full.length === 0
      ? `Der Tarif ${plan}. Nichts ist am Limit.`
      : `Der Tarif ${plan}. Am Limit: ${list(full)}. Mehr lässt sich nicht hinzufügen.`,
  usage: 'Nutzung des Tarifs',
  quotas: {
    monitors: 'Monitore',
    servers: 'Server',
    blacklist_monitors: 'Sperrlisten-Monitore',
    backup_jobs: 'Sicherungsjobs',
    email_domains: 'E-Mail-Domains',
    status_pages: 'Statusseiten',
    status_page_subscribers: 'Abonnenten von Statusseiten',
    report_schedules: 'Berichtszeitpläne',
    scans_per_day: 'Sicherheitsprüfungen heute',
    api_keys: 'API-Schlüssel',
    scoped_api_keys: 'API-Schlüssel mit begrenzten Rechten',
    members: 'Mitglieder',
    single_sign_on: 'Identitätsanbieter',
  },
  of: (used, limit) => `${used} von ${limit}`,
  noLimit: (used) => `${used}, kein Limit`,
  perMonitor: (interval, locations) =>
    `Das kürzeste Intervall eines Monitors ist ${interval}; geprüft wird von bis zu ${locations} Standorten.`,
  next: 'Als Nächstes',
  nextChange: {
    none: () => '',
    renewal: (at) => `Das Abonnement verlängert sich am ${at}.`,
    cancellation: (at) => `Das Abonnement endet am ${at}; danach gilt der Tarif Free.`,
    downgrade: (at, plan) => `Am ${at} beginnt der Tarif ${plan}.`,
  },
  retention: 'Verlauf',
  kept: (raw, hours, audit) =>
    `Einzelne Ergebnisse bleiben ${raw}, Stundenwerte ${hours}, das Audit-Protokoll ${audit} erhalten.`,
  retentionUntil: 'Bis',
  keptAs: (plan, at) => `${at} bleibt der Verlauf wie im Tarif ${plan} erhalten.`,
  plans: 'Tarife',
  current: 'Ihr Tarif',
  planHelp: ({ monitors, intervalSecondsMin, locationsPerMonitor, servers, singleSignOn }) =>
    `${number(monitors)} Monitore, alle ${duration(intervalSecondsMin * 1_000)} geprüft von ${locationsPerMonitor} Standorten; ${number(servers)} Server${singleSignOn ? '; Single Sign-on, API-Schlüssel mit begrenzten Rechten' : ''}.`,
  buy: (plan) => `${plan} kaufen`,
  changeTo: (plan) => `Zu ${plan} wechseln`,
  changed: (plan) => `Der Tarif ist ${plan}.`,
  willChange: (plan) => `Am Ende des bezahlten Zeitraums beginnt der Tarif ${plan}.`,
  askOperator: 'Die Betreiber dieser Installation legen die Tarife fest. Bitten Sie sie um einen anderen Tarif.',
  askOwner: 'Nur Inhaber des Arbeitsbereichs ändern den Tarif.',
  overTitle: (plan) => `Mehr, als der Tarif ${plan} erlaubt`,
  overText:
    'Nichts wird gelöscht: Was es gibt, arbeitet innerhalb der Limits weiter, und mehr lässt sich nicht hinzufügen.',
  overLimit: (what, count, limit) => `${what}: ${number(count)} mehr als die ${number(limit)} des Tarifs`,
  notIncluded: (what, count) => `${what}: nicht im Tarif (${number(count)})`,
  overSettings: {
    monitor_interval: (count) => `Häufiger geprüft, als der Tarif erlaubt: ${number(count)}`,
    monitor_locations: (count) => `Von mehr Standorten geprüft, als der Tarif erlaubt: ${number(count)}`,
  },
  examples: 'Zum Beispiel:',
  changeAnyway: 'Trotzdem wechseln',
  keep: 'Tarif behalten',
  portal: 'Zahlungen und Rechnungen',
  invoices: 'Rechnungen',
  invoiceStatus: { paid: 'bezahlt', payment_failed: 'Zahlung fehlgeschlagen' },
};
