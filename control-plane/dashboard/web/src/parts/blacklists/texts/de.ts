import { list, number, plural } from '../../../texts/format.ts';
import { dative } from '../../../texts/german.ts';
import type { en } from './en.ts';

const lists = (count: number) => plural(count, { one: 'Liste', other: 'Listen' });

const addresses = (count: number) => plural(count, { one: 'Adresse', other: 'Adressen' });

export const de: typeof en = {
  title: 'Sperrlisten',
  add: 'Adresse überwachen',
  check: 'Adresse prüfen',
  sentence: {
    listed: (listed, all) => `${listed} von ${addresses(all)} ${listed === '1' ? 'ist' : 'sind'} gelistet.`,
    atLeast: (count) => `Mehr als ${number(count)}`,
    unknown: (unknown) => `Über ${unknown} ist nichts bekannt.`,
    allUnknown: (all) =>
      all === 1 ? 'Ob die Adresse gelistet ist, ist nicht bekannt.' : `Über ${addresses(all)} ist nichts bekannt.`,
    restClean: (all) => `Soweit bekannt, ist keine von ${addresses(all)} gelistet.`,
    clean: (all) => (all === 1 ? 'Die Adresse ist nicht gelistet.' : `Keine von ${addresses(all)} ist gelistet.`),
  },
  filter: 'Nach Adresse oder Domain filtern',
  statusFilter: 'Status',
  all: 'Alle',
  none: 'Keine Adresse passt zu diesem Filter.',
  clear: 'Filter entfernen',
  loadingMore: 'Weitere Adressen werden geladen',
  status: { listed: 'gelistet', clean: 'sauber', unknown: 'unbekannt' },
  columns: { target: 'Adresse oder Domain', score: 'Reputationswert', change: 'Letzte Änderung', checked: 'Geprüft' },
  score: (score) => `${number(score)} von 100`,
  scoreMeaning: 'Anteil der Listen, die geantwortet haben und die Adresse nicht führen, in Prozent',
  onLists: (names, more) => `auf ${list(more === 0 ? names : [...names, `${number(more)} weiteren`])}`,
  cleanOn: (clean) => `sauber auf ${lists(clean)}`,
  policyOn: (count) => `Richtlinien-Eintrag auf ${lists(count)}`,
  notChecked: 'noch nicht geprüft',
  noAnswer: 'keine Liste hat geantwortet',
  unresolvable: 'die Domain gibt es nicht',
  trend: {
    added: (count) => `${lists(count)} mehr`,
    removed: (count) => `${lists(count)} weniger`,
    none: 'keine Änderung',
  },
  ago: (lasted) => `vor ${dative(lasted)}`,
  empty: {
    title: 'Wird Ihre E-Mail abgewiesen?',
    lead: 'Mailserver weisen E-Mail von Adressen und Domains ab, die auf DNS-Sperrlisten stehen. Picket prüft Ihre auf zwölf dieser Listen, alarmiert Sie, wenn zwei Prüfungen nacheinander einen Eintrag finden, und zeigt, wie Sie von der Liste kommen.',
    viewer:
      'Noch wird keine Adresse überwacht. Ihre Rolle darf keine hinzufügen; fragen Sie ein Mitglied des Arbeitsbereichs.',
    mayNotAdd: 'Ihre Rolle darf keine Adresse hinzufügen. Fragen Sie ein Mitglied des Arbeitsbereichs.',
  },
  form: {
    title: 'Adresse überwachen',
    lead: 'Picket prüft sie sofort und dann so oft, wie Sie wählen. Zwei Prüfungen nacheinander müssen übereinstimmen, bevor Picket alarmiert.',
    target: 'IP-Adresse oder Domain',
    placeholder: '198.51.100.25 oder mail.example.com',
    help: 'Die öffentliche Adresse, von der Ihre E-Mail kommt, oder die Domain Ihrer Absender.',
    frequency: 'Prüfen',
    frequencies: { hourly: 'jede Stunde', daily: 'jeden Tag', weekly: 'jede Woche' },
    missing: 'Geben Sie eine IP-Adresse oder eine Domain ein.',
    create: 'Überwachen',
  },
  one: {
    notFound: 'Diese Adresse wird nicht überwacht. Vielleicht wurde sie gelöscht.',
    toList: 'Alle überwachten Adressen',
    listed: (names) => `Gelistet auf ${list(names)}.`,
    listedMany: (count) => `Gelistet auf ${lists(count)}.`,
    policy: (count) =>
      `Nicht wegen Missbrauchs gelistet; ${plural(count, { one: 'Richtlinien-Eintrag', other: 'Richtlinien-Einträge' })} ohne Alarm.`,
    clean: (clean, asked) =>
      clean === asked
        ? `Nicht gelistet: Alle ${lists(asked)} haben geantwortet.`
        : `Nicht gelistet auf den ${number(clean)} von ${lists(asked)}, die geantwortet haben.`,
    waiting: 'Die erste Prüfung läuft. Ihre Antworten erscheinen hier in wenigen Sekunden.',
    noAnswer:
      'Bei der letzten Prüfung hat keine Liste geantwortet, es ist also nichts bekannt. Picket versucht es bei der nächsten Prüfung wieder.',
    unresolvable: 'Diese Domain gibt es im DNS nicht, deshalb hat sie keinen Reputationswert.',
    found: (count) =>
      `Die letzte Prüfung hat ${plural(count, { one: 'neuen Eintrag', other: 'neue Einträge' })} gefunden. Die nächste Prüfung muss das bestätigen, bevor Picket alarmiert.`,
    delete: 'Löschen',
    deleteTitle: (target) => `${target} löschen?`,
    deleteText:
      'Der Verlauf der Prüfungen wird gelöscht, offene Vorfälle gelten als behoben. Das lässt sich nicht rückgängig machen.',
    figures: 'Ergebnis der letzten Prüfung',
    score: 'Reputationswert',
    scoreHelp: {
      excellent: 'sehr gut: ab 95',
      healthy: 'gut: ab 80',
      listed: 'schlecht: unter 80',
      none: 'noch hat keine Liste geantwortet',
    },
    listedOn: 'Gelistet auf',
    listedHelp: 'Listen, bei der letzten Prüfung',
    answered: 'Geantwortet',
    answeredHelp: (asked) => `von ${lists(asked)}, die gefragt wurden`,
    checked: 'Geprüft',
    next: (time) => `nächste Prüfung ${time}`,
    never: 'noch nicht',
    changedFrequency: (frequency) => `Picket prüft diese Adresse jetzt ${frequency}.`,
  },
  listings: {
    title: 'Einträge und der Weg heraus',
    since: (time) => `seit ${time}`,
    policy:
      'Ein Richtlinien-Eintrag: Die Liste führt Adressen dieser Art, etwa die von Privatanschlüssen. Er löst keinen Alarm aus.',
    why: 'Die Liste sagt',
    noReason: 'Die Liste nennt keinen Grund.',
    meanings: 'Art des Eintrags',
    addresses: 'Gelistete Adressen der Domain',
    steps: [
      'Finden Sie zuerst die Ursache: ein gehacktes Konto, ein Formular, das Spam verschickt, oder ein Mailing an alte Adressen. Solange sie besteht, werden Sie wieder gelistet.',
      'Beantragen Sie dann die Austragung auf der Seite der Liste. Dort steht auch, was die Liste gesehen hat.',
      'Picket prüft von selbst weiter und markiert den Vorfall als behoben, wenn zwei Prüfungen nacheinander keinen Eintrag finden.',
    ],
    delist: (name) => `Austragung bei ${name}`,
    about: (name) => `Über ${name}`,
  },
  answers: {
    title: 'Antworten aller Listen',
    status: {
      listed: 'gelistet',
      policy: 'Richtlinien-Eintrag',
      clean: 'sauber',
      blocked: 'Anfrage abgelehnt',
      invalid: 'nicht verwendbar',
      error: 'keine Antwort',
      timeout: 'keine rechtzeitige Antwort',
    },
    asking: 'wird gefragt',
    address: (address, status) => `${address}: ${status}`,
    delist: 'Austragung',
    notAsked: 'Nicht gefragt',
    notCounted:
      'Listen, die ablehnen, ihre eigenen Testeinträge nicht richtig beantworten oder nicht antworten, zählen nicht für den Reputationswert.',
  },
  scores: { show: 'Reputationswert im Zeitverlauf zeigen', title: 'Reputationswert', unit: 'von 100' },
  history: {
    title: 'Änderungen',
    none: 'Noch keine Prüfung hat eine Änderung gefunden.',
    listed: (name) => `Gelistet auf ${name}`,
    delisted: (name) => `Nicht mehr gelistet auf ${name}`,
    dropped: (name) => `${name} wird nicht mehr gefragt`,
    score: (score) => `Reputationswert ${score}`,
    more: 'Ältere Änderungen zeigen',
  },
  instant: {
    title: 'Adresse prüfen',
    lead: 'Fragen Sie alle Sperrlisten jetzt nach einer IP-Adresse oder Domain. Nichts wird gespeichert, niemand wird alarmiert.',
    target: 'IP-Adresse oder Domain',
    submit: 'Jetzt prüfen',
    limits:
      'Sie können mit dem Tarif Free 10 Adressen in der Minute prüfen, mit Pro 30 und mit Enterprise 60. Die Listen sind kostenlose Dienste, die zu viele Anfragen abweisen; deshalb verwendet Picket Antworten eine Minute lang wieder, und wiederholte Prüfungen zählen nicht.',
    running: (target) => `Die Listen werden nach ${target} gefragt. Das dauert bis zu 10 Sekunden.`,
    listed: (target, count, responding) =>
      `${target} steht auf ${number(count)} von ${lists(responding)}, die geantwortet haben.`,
    clean: (target, responding) =>
      `${target} ist nicht gelistet: ${lists(responding)} ${responding === 1 ? 'hat' : 'haben'} geantwortet.`,
    noAnswer: (target) => `Keine Liste hat zu ${target} geantwortet. Versuchen Sie es in einigen Sekunden noch einmal.`,
    unresolvable: (target) =>
      `${target} gibt es im DNS nicht, deshalb gibt es keinen Reputationswert. Prüfen Sie die Schreibweise.`,
    limited: (seconds) =>
      `Alle Prüfungen dieser Minute sind verbraucht. Die nächste ist in ${number(seconds)} s möglich.`,
    checkedAt: (time) => `Antworten von ${time}`,
    viewer: 'Ihre Rolle darf keine Prüfungen starten. Fragen Sie ein Mitglied des Arbeitsbereichs.',
  },
};
