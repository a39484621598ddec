import { number, plural } from '../../../texts/format.ts';
import type { en } from './en.ts';

const checks = (count: number) => plural(count, { one: 'Prüfung', other: 'Prüfungen' });
const sites = (count: number) => plural(count, { one: 'Website', other: 'Websites' });

export const de: typeof en = {
  title: 'WordPress',
  add: 'Website hinzufügen',
  failing: (count, all) => `${checks(count)} von ${sites(all)} ${count === 1 ? 'schlägt' : 'schlagen'} fehl.`,
  notFailing: (all, unknown) =>
    unknown === 0
      ? `Alle Prüfungen von ${sites(all)} sind bestanden.`
      : `Keine gemessene Prüfung von ${sites(all)} schlägt fehl; ${checks(unknown)} nicht gemessen.`,
  noneConnected: 'Noch ist keine Website verbunden.',
  columns: { site: 'Website', failing: 'Fehlgeschlagen', score: 'Wert' },
  score: (score) => (score === null ? '–' : number(score)),
  scoreMeaning:
    'Anteil der zehn Prüfungen, die bestanden sind, in Prozent. Was nicht gemessen ist, zählt als nicht bestanden.',
  noFailing: 'keine',
  empty: {
    title: 'Ist Ihr WordPress gehärtet?',
    lead: 'Picket prüft, wie gut eine WordPress-Website geschützt ist, schließt mit einem Klick, was offen ist, und weist die Wirkung von außen nach. Jede Änderung lässt sich rückgängig machen.',
    viewer:
      'Noch ist keine Website hinzugefügt. Ihre Rolle darf das nicht; fragen Sie ein Mitglied des Arbeitsbereichs.',
  },
  form: {
    title: 'WordPress-Website hinzufügen',
    lead: 'Sie bekommen einen Code, der das Plugin dieser Website verbindet.',
    name: 'Name',
    url: 'Adresse der Startseite',
    placeholder: 'https://shop.example',
    missing: 'Geben Sie einen Namen und eine Adresse ein.',
    create: 'Website hinzufügen',
    viewer: 'Ihre Rolle darf keine Website hinzufügen. Fragen Sie ein Mitglied des Arbeitsbereichs.',
  },
  connect: {
    title: 'Plugin verbinden',
    again: 'Plugin neu verbinden',
    download: 'Plugin herunterladen',
    install:
      'Laden Sie die Datei in WordPress unter Plugins → Installieren → Plugin hochladen hoch, und aktivieren Sie es.',
    enter: 'Öffnen Sie dort Einstellungen → Picket, und geben Sie diese beiden ein:',
    url: 'URL von Picket',
    code: 'Aktivierungscode',
    valid: (time) => `Der Code gilt einmal, bis ${time}.`,
    noCode: 'Ein Code wird nur einmal gezeigt und gilt 30 Minuten.',
    create: 'Code erstellen',
    another: 'Neuen Code erstellen',
    waiting: 'Warten auf das Plugin. Diese Seite ändert sich von selbst.',
  },
  one: {
    notFound: 'Diese Website gibt es nicht. Vielleicht wurde sie gelöscht.',
    toList: 'Alle WordPress-Websites',
    waiting: 'Das Plugin ist noch nicht verbunden.',
    disconnected: 'Das Plugin wurde deaktiviert, deshalb weiß Picket nichts über diese Website.',
    silent: 'Das Plugin hat seit 24 Stunden nichts gesendet, deshalb weiß Picket nichts über diese Website.',
    failing: (count, unknown) =>
      `${checks(count)} ${count === 1 ? 'schlägt' : 'schlagen'} fehl, ${number(unknown)} nicht gemessen.`,
    passing: (count, unknown) =>
      unknown === 0
        ? `Alle ${checks(count)} sind bestanden.`
        : `${checks(count)} bestanden, ${number(unknown)} nicht gemessen.`,
    harden: 'Härten',
    hardenAll: 'Alles härten',
    undo: 'Rückgängig machen',
    unproven:
      'Die Website an dieser Adresse hat nicht nachgewiesen, dass sie die verbundene ist: Sie ist von außen nicht erreichbar.',
    homeFails: (evidence) =>
      `Von außen gesehen: ${evidence}. Wenn eine Änderung daran schuld ist, machen Sie sie hier rückgängig: Das geht auch, wenn sich niemand anmelden kann.`,
    delete: 'Löschen',
    deleteTitle: (name) => `${name} löschen?`,
    deleteText:
      'Ihr Verlauf wird gelöscht, und das Plugin verliert seinen Zugang. Was das Plugin auf der Website geändert hat, bleibt, bis Sie es dort deaktivieren. Das lässt sich nicht rückgängig machen.',
  },
  checks: 'Prüfungen',
  check: {
    xmlrpc: 'XML-RPC abgeschaltet',
    'debug-mode': 'Fehlersuchmodus aus',
    'directory-browsing': 'Verzeichnislisten gesperrt',
    'block-php-uploads': 'PHP unter Uploads gesperrt',
    'file-editor': 'Datei-Editor abgeschaltet',
    'hide-version': 'WordPress-Version verborgen',
    'force-https': 'HTTPS erzwungen',
    'security-headers': 'Sicherheits-Header',
    'fatal-errors': 'Keine schweren Fehler',
    'vulnerable-plugins': 'Keine verwundbaren Plugins',
  },
  status: { passing: 'bestanden', failing: 'fehlgeschlagen', unknown: 'unbekannt' },
  outside: (evidence) => `Von außen: ${evidence}`,
  manual: {
    refused: 'Diese Website lässt die Änderung nicht zu:',
    paste: {
      apache: 'Was in den virtuellen Host der Website in der Konfiguration von Apache gehört',
      nginx: 'Was in den Server-Block der Website in der Konfiguration von nginx gehört',
    },
  },
  vulnerabilities: {
    title: 'Verwundbare Plugins',
    fixedIn: (version) => `Behoben in ${version}.`,
    unfixed: 'Keine behobene Version ist bekannt.',
    inactive: 'Das Plugin ist nicht aktiv, aber seine Dateien lassen sich abrufen.',
    more: (count) => `${number(count)} weitere.`,
    source: { wordfence: 'Wordfence Intelligence', wpvulnerability: 'WPVulnerability' },
    update: 'Aktualisieren',
    updateTitle: (plugin) => `${plugin} aktualisieren?`,
    updateText:
      'WordPress installiert die Version, die es anbietet. Picket kopiert zuerst den Ordner des Plugins und prüft danach die Startseite, die Anmeldeseite und eine weitere Seite. Wenn eine davon fehlschlägt, wird die Kopie zurückgesetzt. Das Plugin ist einige Sekunden lang inaktiv. Änderungen an seiner Datenbank werden nicht zurückgenommen.',
    deactivate: 'Deaktivieren',
    deactivateTitle: (plugin) => `${plugin} deaktivieren?`,
    deactivateText:
      'Was das Plugin auf der Website tut, endet. Wenn dann eine Seite fehlschlägt, wird das Plugin wieder aktiviert. Seine Dateien lassen sich weiterhin abrufen, deshalb schlägt die Prüfung weiter fehl, bis Sie es aktualisieren oder löschen.',
    activate: 'Wieder aktivieren',
    working: 'In Arbeit',
  },
  history: 'Verlauf',
  noHistory: 'Auf dieser Website wurde noch nichts geändert.',
  kind: {
    fix: 'Härten',
    undo: 'Rückgängig machen',
    update_plugin: 'Aktualisieren',
    deactivate_plugin: 'Deaktivieren',
    restore_plugin: 'Zurücksetzen',
  },
  job: {
    queued: 'wartet auf die Website',
    delivered: 'die Website arbeitet daran',
    applied: 'erledigt, wird nachgewiesen',
    verified: 'erledigt und nachgewiesen',
    failed: 'fehlgeschlagen',
    rolled_back: 'von der Website selbst rückgängig gemacht',
    expired: 'nicht innerhalb von 24 Stunden erledigt',
  },
  beforePlugins: 'Erledigt, bevor Plugins und Theme geladen wurden, weil die Website sonst nicht geantwortet hat.',
  emergency: {
    title: 'Rückgängig im Notfall',
    meaning:
      'Macht Änderungen auch dann rückgängig, wenn ein Plugin oder das Theme bei jeder Anfrage fehlschlägt oder sich niemand anmelden kann.',
    passing: 'bereit',
    failing: 'nicht möglich',
    unknown: 'nicht gemessen',
  },
  facts: { wordpress: 'WordPress', php: 'PHP', server: 'Webserver', plugin: 'Plugin', seen: 'Letzter Kontakt' },
  about: 'Über die Website',
  ago: (lasted) => `vor ${lasted}`,
};
