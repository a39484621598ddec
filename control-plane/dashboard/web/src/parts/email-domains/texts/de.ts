import { number, plural } from '../../../texts/format.ts';
import type { en } from './en.ts';

const domains = (count: number) => plural(count, { one: 'Domain', other: 'Domains' });

export const de: typeof en = {
  title: 'E-Mail-Domains',
  add: 'Domain hinzufügen',
  failing: (count, all) => `Bei ${number(count)} von ${domains(all)} schlägt mindestens ein Bereich fehl.`,
  notFailing: (all) => `Bei ${domains(all)} schlägt kein Bereich fehl.`,
  columns: { domain: 'Domain', improve: 'Zu verbessern', score: 'Wertung' },
  score: (score) => (score === null ? '–' : number(score)),
  scoreMeaning: 'Von 0 bis 100. Eine gescheiterte Abfrage ändert sie nie.',
  nothing: 'nichts',
  notYet: 'noch nicht geprüft',
  empty: 'Picket prüft täglich, ob die E-Mails einer Domain ankommen: MX, SPF, DKIM, DMARC und mehr.',
  viewer: 'Ihre Rolle darf keine Domains hinzufügen; fragen Sie ein Mitglied des Arbeitsbereichs.',
  form: {
    title: 'Domain hinzufügen',
    name: 'Domain',
    placeholder: 'beispiel.de',
    selectors: 'DKIM-Selektoren (optional)',
    selectorsHelp:
      'Durch Kommas getrennt. Sie stehen in der Kopfzeile „DKIM-Signature“ einer gesendeten E-Mail, nach „s=“.',
    missing: 'Geben Sie eine Domain ein.',
    create: 'Domain hinzufügen',
  },
  one: {
    notFound: 'Diese E-Mail-Domain gibt es nicht, oder sie wurde gelöscht.',
    toList: 'Zu den E-Mail-Domains',
    score: (score) => (score === null ? 'Es gibt noch keine Wertung.' : `Wertung ${number(score)} von 100.`),
    check: 'Jetzt prüfen',
    delete: 'Löschen',
    deleteTitle: (name) => `${name} löschen?`,
    deleteText: 'Der Verlauf wird gelöscht und der Vorfall behoben.',
    proposal: (type, name) => `${type}-Eintrag für ${name}`,
    proposalHelp: 'Passen Sie den Eintrag an, bevor Sie ihn veröffentlichen.',
    evidence: 'Was Picket gefunden hat',
  },
  areas: {
    mx: 'Eingehende Mailserver (MX)',
    spf: 'Erlaubte Absender (SPF)',
    dkim: 'Signaturen (DKIM)',
    dmarc: 'Richtlinie für gefälschte E-Mails (DMARC)',
    mta_sts: 'Erzwungene Verschlüsselung (MTA-STS)',
    tls_rpt: 'Berichte über Verschlüsselung (TLS-RPT)',
    reverse_dns: 'Reverse-DNS der Mailserver',
    starttls: 'Verschlüsselung der Mailserver (STARTTLS)',
  },
  status: {
    passing: 'bestanden',
    warning: 'verbesserbar',
    failing: 'fehlgeschlagen',
    unknown: 'nicht bekannt',
    not_measured: 'nicht gemessen',
  },
};
