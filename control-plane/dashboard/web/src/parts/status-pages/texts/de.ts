import { plural } from '../../../texts/format.ts';
import type { en } from './en.ts';
import { form, incidents } from './forms-de.ts';

const pages = (count: number) => plural(count, { one: 'Statusseite', other: 'Statusseiten' });

export const de: typeof en = {
  notFound: 'Diese Statusseite oder diesen Vorfall gibt es nicht. Vielleicht wurde beides gelöscht.',
  toList: 'Alle Statusseiten',
  create: 'Statusseite anlegen',
  createSentence: 'Eine Statusseite sagt Ihren Kunden unter einer eigenen Adresse, wie es Ihren Diensten geht.',
  created: (title) => `${title} ist angelegt. Besucher sehen die Seite in wenigen Sekunden.`,
  none: 'Noch keine Statusseite.',
  empty:
    'Eine Statusseite zeigt Ihren Kunden ohne Anmeldung, welche Dienste funktionieren. Sie wählen, was darauf steht.',
  count: (count) => `${pages(count)}.`,
  components: (count) => plural(count, { one: 'Komponente', other: 'Komponenten' }),
  planFull: (limit) => `Ihr Tarif enthält ${pages(limit)}, und so viele hat dieser Arbeitsbereich schon.`,
  planFullHelp: 'Für eine weitere Seite wechseln Sie den Tarif oder löschen Sie eine Seite.',
  toBilling: 'Tarife vergleichen',
  open: 'Seite öffnen',
  edit: 'Bearbeiten',
  editTitle: (title) => `${title} bearbeiten`,
  editSentence: 'Besucher sehen Änderungen in wenigen Sekunden.',
  settings: 'Einstellungen der Statusseite',
  save: 'Speichern',
  saved: (title) => `${title} ist gespeichert.`,
  delete: 'Löschen',
  deleteTitle: (title) => `${title} löschen?`,
  deleteHelp: (url) =>
    `${url} endet sofort für alle Besucher, ebenso der Feed und die Badges. Die Vorfälle der Seite und ihre Meldungen werden gelöscht. Monitore und Server bleiben.`,
  deleted: (title) => `${title} ist gelöscht.`,
  address: 'Adresse',
  visibility: { public: 'Alle', password: 'Mit Passwort', members: 'Mitglieder dieses Arbeitsbereichs' },
  seenBy: {
    public: 'Alle, die die Adresse haben, können diese Seite sehen.',
    password: 'Besucher brauchen das Passwort der Seite.',
    members: 'Nur angemeldete Mitglieder dieses Arbeitsbereichs können diese Seite sehen.',
  },
  stateHidden: 'Zustand durch das Passwort verborgen',
  stateHiddenSentence: 'Öffnen Sie die Seite und geben Sie ihr Passwort ein, um ihren Zustand zu sehen.',
  stateUnread: 'Der Zustand der öffentlichen Seite ist noch nicht bekannt.',
  overall: {
    operational: 'in Betrieb',
    maintenance: 'Wartung',
    not_known: 'nicht bekannt',
    degraded: 'beeinträchtigt',
    partial_outage: 'teilweiser Ausfall',
    major_outage: 'großer Ausfall',
    empty: 'leer',
  },
  overallSentence: {
    operational: 'Besucher sehen, dass alles in Betrieb ist.',
    maintenance: 'Besucher sehen, dass gerade gewartet wird.',
    not_known: 'Besucher sehen, dass der Zustand einiger Komponenten nicht bekannt ist.',
    degraded: 'Besucher sehen, dass einige Komponenten beeinträchtigt sind.',
    partial_outage: 'Besucher sehen einen teilweisen Ausfall.',
    major_outage: 'Besucher sehen, dass alle Komponenten ausgefallen sind.',
    empty: 'Besucher sehen eine Seite ohne Komponenten.',
  },
  states: {
    operational: 'in Betrieb',
    maintenance: 'Wartung',
    not_known: 'nicht bekannt',
    degraded: 'beeinträchtigt',
    partial_outage: 'teilweiser Ausfall',
    outage: 'Ausfall',
  },
  noComponents: 'Die Seite hat noch keine Komponenten, deshalb sehen Besucher keinen Zustand.',
  addComponents: 'Komponenten hinzufügen',
  shownOn: (count) => (count === 1 ? 'Auf der Statusseite' : 'Auf den Statusseiten'),
  form,
  incidents,
};
