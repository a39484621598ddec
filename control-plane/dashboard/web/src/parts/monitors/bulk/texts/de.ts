import { plural } from '../../../../texts/format.ts';
import type { en } from './en.ts';

const monitors = (count: number) => plural(count, { one: 'Monitor', other: 'Monitore' });
const ofMonitors = (count: number) => plural(count, { one: 'Monitor', other: 'Monitoren' });
const alerts = (count: number) => plural(count, { one: 'Alarm', other: 'Alarme' });
const become = (count: number) => (count === 1 ? 'wird' : 'werden');

export const de: typeof en = {
  actions: 'Mit den ausgewählten Monitoren',
  edit: 'Bearbeiten …',
  tag: 'Tags hinzufügen …',
  pause: 'Pausieren …',
  resume: 'Fortsetzen …',
  delete: 'Löschen …',
  history: 'Sammeländerungen',
  titles: {
    set: 'Monitore bearbeiten',
    add_tags: 'Monitore mit Tags versehen',
    remove_tags: 'Tags entfernen',
    pause: 'Monitore pausieren',
    resume: 'Monitore fortsetzen',
    delete: 'Monitore löschen',
    add: 'Monitore hinzufügen',
  },
  form: {
    lead: 'Es ändert sich nur, was Sie hier festlegen.',
    keep: 'Unverändert lassen',
    interval: 'Prüfen alle',
    retries: 'Wiederholungen, bevor ein Standort als gestört zählt',
    confirmations: 'Standorte, die übereinstimmen müssen',
    majority: 'Eine Mehrheit',
    timeout: 'Zeitlimit',
    tags: 'Tags, durch Kommas getrennt',
    tagsMissing: 'Geben Sie einen Tag ein.',
    nothing: 'Legen Sie mindestens eine Einstellung fest.',
    addTags: 'Diese Tags hinzufügen',
    removeTags: 'Diese Tags entfernen',
    next: 'Änderungen zeigen',
    back: 'Zurück',
  },
  preview: {
    working: 'Einstellungen werden verglichen und die Ergebnisse der letzten 7 Tage nachgespielt …',
    sentence: {
      set: (count) => `${monitors(count)} ${become(count)} geändert.`,
      add_tags: (count) => `${monitors(count)} ${count === 1 ? 'bekommt' : 'bekommen'} neue Tags.`,
      remove_tags: (count) => `${monitors(count)} ${count === 1 ? 'verliert' : 'verlieren'} Tags.`,
      pause: (count) => `${monitors(count)} ${become(count)} pausiert. Offene Vorfälle gelten dann als behoben.`,
      resume: (count) => `${monitors(count)} ${become(count)} wieder geprüft.`,
      delete: (count) => `${monitors(count)} ${become(count)} gelöscht. Offene Vorfälle gelten dann als behoben.`,
      add: (count) => `${monitors(count)} ${become(count)} hinzugefügt.`,
    },
    nothing: 'Es würde sich nichts ändern: Die Monitore haben diese Einstellungen schon.',
    unchanged: (count) => `${monitors(count)} schon so eingestellt`,
    notFound: (count) => `${monitors(count)} nicht mehr vorhanden`,
    refused: (count) =>
      `${monitors(count)} ${count === 1 ? 'kann' : 'können'} so nicht geändert werden, deshalb wird nichts angewendet. Gehen Sie zurück und wählen Sie andere Einstellungen oder andere Monitore.`,
    group: (field, from, to, count) => `${monitors(count)}: ${field} ${from} → ${to}`,
    groupNew: (field, to, count) => `${monitors(count)}: ${field} ${to}`,
    monitor: 'Monitor',
    changes: 'Vorher → nachher',
    settings: 'Einstellungen',
    more: 'Mehr zeigen',
    alerts: {
      none: 'Diese Monitore hatten in den letzten 7 Tagen keine Alarme und hätten mit diesen Einstellungen auch keine gehabt.',
      replayed: (were, would) =>
        `In den letzten 7 Tagen hatten diese Monitore ${alerts(were)}. Mit diesen Einstellungen wären es ${alerts(would)} gewesen.`,
      cut: (tested, all) =>
        `Das gilt für ${tested} von ${ofMonitors(all)}, zuerst die mit den meisten Alarmen: Die Ergebnisse von allen sind zu viele, um sie auf einmal nachzuspielen.`,
      stopped: (were) =>
        were === 0
          ? 'Diese Monitore hatten in den letzten 7 Tagen keine Alarme.'
          : `In den letzten 7 Tagen hatten diese Monitore ${alerts(were)}. Sie hätten keinen davon bekommen.`,
      same: (were) => `Das ändert nichts daran, welche Alarme es gibt (${were} in den letzten 7 Tagen).`,
      unknown:
        'Die gespeicherten Ergebnisse können nicht zeigen, wie das die Alarme der letzten 7 Tage geändert hätte.',
    },
    undoable: 'Sie können das 24 Stunden lang rückgängig machen.',
    apply: {
      set: (count) => `${monitors(count)} ändern`,
      add_tags: (count) => `${monitors(count)} mit Tags versehen`,
      remove_tags: (count) => `Tags von ${ofMonitors(count)} entfernen`,
      pause: (count) => `${monitors(count)} pausieren`,
      resume: (count) => `${monitors(count)} fortsetzen`,
      delete: (count) => `${monitors(count)} löschen`,
      add: (count) => `${monitors(count)} hinzufügen`,
    },
    again: 'Neu vergleichen',
  },
  fields: {
    interval_seconds: 'Intervall',
    timeout_ms: 'Zeitlimit',
    confirmations: 'Bestätigungen',
    retries: 'Wiederholungen',
    locations: 'Standorte',
    channels: 'Kanäle',
    tags: 'Tags',
    runbook_url: 'Runbook',
    status: 'Status',
    type: 'Art der Prüfung',
    name: 'Name',
    url: 'Adresse',
  },
  values: {
    nothing: 'nichts',
    majority: 'Mehrheit',
    all: 'alle',
    yes: 'ja',
    no: 'nein',
    deleted: 'gelöscht',
  },
  progress: {
    working: (done, all) => `${done} von ${ofMonitors(all)} erledigt.`,
    leave: 'Sie können das schließen. Picket arbeitet im Hintergrund weiter.',
    close: 'Schließen',
    done: {
      set: (count) => `${monitors(count)} geändert.`,
      add_tags: (count) => `${monitors(count)} mit Tags versehen.`,
      remove_tags: (count) => `Tags von ${ofMonitors(count)} entfernt.`,
      pause: (count) => `${monitors(count)} pausiert.`,
      resume: (count) => `${monitors(count)} fortgesetzt.`,
      delete: (count) => `${monitors(count)} gelöscht.`,
      add: (count) => `${monitors(count)} hinzugefügt.`,
    },
    undone: (count) => `Rückgängig gemacht: ${monitors(count)} ${count === 1 ? 'ist' : 'sind'} wie zuvor.`,
    undoFailed: (why) =>
      `Nichts wurde rückgängig gemacht: ${why} Versuchen Sie es unter „Sammeländerungen“ noch einmal.`,
  },
  list: {
    title: 'Sammeländerungen',
    lead: 'Änderungen vieler Monitore auf einmal aus den letzten 30 Tagen. Jede lässt sich 24 Stunden lang rückgängig machen.',
    empty:
      'Keine Sammeländerung in den letzten 30 Tagen. Wählen Sie in der Liste Monitore aus, um sie gemeinsam zu bearbeiten, mit Tags zu versehen, zu pausieren oder zu löschen.',
    toMonitors: 'Liste der Monitore öffnen',
    by: (who) => `von ${who}`,
    undo: 'Rückgängig machen',
    until: (time) => `kann bis ${time} rückgängig gemacht werden`,
    undoneBy: (who) => `rückgängig gemacht von ${who}`,
    over: 'kann nicht mehr rückgängig gemacht werden',
    skipped: (count) => `${monitors(count)} übersprungen`,
    kept: (count) => `${monitors(count)} nicht zurückgesetzt`,
    applying: (done, all) => `${done} von ${all} erledigt`,
    undoing: (done, all) => `wird rückgängig gemacht, ${done} von ${all} erledigt`,
    conflict: 'Einige dieser Monitore wurden seitdem geändert',
    skip: 'Nur die anderen rückgängig machen',
    overwrite: 'Alle rückgängig machen, diese Änderungen gehen verloren',
    more: 'Ältere zeigen',
  },
  paste: {
    title: 'Viele Monitore hinzufügen',
    lead: 'In jeder Zeile ein Monitor: eine Adresse, oder ein Name, ein Komma und eine Adresse. Bis zu 2.000 Zeilen.',
    label: 'Monitore',
    placeholder: 'https://shop.example\nDatenbank, db.example:5432\n203.0.113.7',
    next: 'Zeigen, was hinzukommt',
    nothing: 'Fügen Sie mindestens eine Zeile mit einer Adresse ein.',
    tooMany: (max) => `Fügen Sie höchstens ${max} Zeilen auf einmal ein.`,
    bad: (line, problem) => `Zeile ${line}: ${problem}`,
    badMore: (count) => `und ${plural(count, { one: 'weitere Zeile', other: 'weitere Zeilen' })}`,
    repeated: (count) =>
      `${plural(count, { one: 'Zeile hat', other: 'Zeilen haben' })} die Adresse einer früheren Zeile und ${count === 1 ? 'wird' : 'werden'} ausgelassen.`,
    link: 'Viele auf einmal einfügen',
    viewerOnly: 'Ihre Rolle darf keine Monitore hinzufügen. Fragen Sie ein Mitglied des Arbeitsbereichs.',
  },
};
