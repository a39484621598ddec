import { inLanguage } from '../../texts/catalogue.ts';

const en = {
  title: 'Search and commands',
  placeholder: 'Search, or type a command',
  field: 'Search monitors, servers, incidents, pages and commands',
  groups: {
    incidents: 'Firing incidents',
    monitors: 'Monitors',
    servers: 'Servers',
    pages: 'Pages',
    commands: 'Commands',
  },
  settingsPage: (page: string) => `Settings: ${page}`,
  addMonitor: 'Add monitor',
  colours: (scheme: string) => `Colours: ${scheme}`,
  language: (name: string) => `Language: ${name}`,
  keys: 'Show the keys',
  nothing: (typed: string) => `Nothing is called “${typed}”.`,
  searching: 'Searching',
  unreachable: 'The search failed. Pages and commands are still there.',
  found: (count: number) => (count === 1 ? '1 result' : `${count} results`),
  help: 'Arrow keys select, Enter opens, Escape closes.',
};

const de: typeof en = {
  title: 'Suche und Befehle',
  placeholder: 'Suchen oder Befehl eingeben',
  field: 'Monitore, Server, Vorfälle, Seiten und Befehle suchen',
  groups: {
    incidents: 'Offene Vorfälle',
    monitors: 'Monitore',
    servers: 'Server',
    pages: 'Seiten',
    commands: 'Befehle',
  },
  settingsPage: (page) => `Einstellungen: ${page}`,
  addMonitor: 'Monitor hinzufügen',
  colours: (scheme) => `Farben: ${scheme}`,
  language: (name) => `Sprache: ${name}`,
  keys: 'Tasten anzeigen',
  nothing: (typed) => `Nichts heißt „${typed}“.`,
  searching: 'Suche läuft',
  unreachable: 'Die Suche ist fehlgeschlagen. Seiten und Befehle gehen weiterhin.',
  found: (count) => (count === 1 ? '1 Treffer' : `${count} Treffer`),
  help: 'Pfeiltasten wählen, Eingabe öffnet, Escape schließt.',
};

export const texts = inLanguage({ en, de });
