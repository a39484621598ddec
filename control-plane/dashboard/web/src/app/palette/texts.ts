import { inLanguage } from '../../texts/catalogue.ts';

const en = {
  title: 'Search and commands',
  placeholder: 'Search, or type a command',
  field: 'Search monitors, servers, incidents, settings, pages and commands',
  groups: { pages: 'Pages', actions: 'Actions', commands: 'Commands' },
  settingsPage: (page: string) => `Settings: ${page}`,
  colours: (scheme: string) => `Colours: ${scheme}`,
  language: (name: string) => `Language: ${name}`,
  keys: 'Show the keys',
  nothing: (typed: string) => `Nothing is called “${typed}”.`,
  searching: 'Searching',
  unreachable: 'The search failed. Pages and commands are still there.',
  found: (count: number) => (count === 1 ? '1 result' : `${count} results`),
  /** What else people call a page. */
  words: {
    '/settings/workspace': 'workspace name import export delete',
    '/settings/account': 'e-mail password security',
    '/settings/second-factor': 'security two-factor authenticator passkey 2fa mfa',
    '/settings/sessions': 'security devices log out',
    '/settings/single-sign-on': 'security sso oidc login',
    '/audit': 'security log history',
  } as Readonly<Record<string, string>>,
  docs: 'docs documentation openapi',
  glossary: 'help terms words meaning',
  help: 'Arrow keys select, Enter opens, Escape closes.',
};

const de: typeof en = {
  title: 'Suche und Befehle',
  placeholder: 'Suchen oder Befehl eingeben',
  field: 'Monitore, Server, Vorfälle, Einstellungen, Seiten und Befehle suchen',
  groups: { pages: 'Seiten', actions: 'Aktionen', commands: 'Befehle' },
  settingsPage: (page) => `Einstellungen: ${page}`,
  colours: (scheme) => `Farben: ${scheme}`,
  language: (name) => `Sprache: ${name}`,
  keys: 'Tasten anzeigen',
  nothing: (typed) => `Nichts heißt „${typed}“.`,
  searching: 'Suche läuft',
  unreachable: 'Die Suche ist fehlgeschlagen. Seiten und Befehle gehen weiterhin.',
  found: (count) => (count === 1 ? '1 Treffer' : `${count} Treffer`),
  words: {
    '/settings/workspace': 'Arbeitsbereich Name Import Export löschen',
    '/settings/account': 'E-Mail Passwort Sicherheit',
    '/settings/second-factor': 'Sicherheit Zwei-Faktor Authenticator Passkey 2FA MFA',
    '/settings/sessions': 'Sicherheit Geräte abmelden',
    '/settings/single-sign-on': 'Sicherheit SSO OIDC Anmeldung',
    '/audit': 'Sicherheit Protokoll Verlauf',
  },
  docs: 'Doku Dokumentation docs OpenAPI',
  glossary: 'Hilfe Begriffe Wörter Bedeutung',
  help: 'Pfeiltasten wählen, Eingabe öffnet, Escape schließt.',
};

export const texts = inLanguage({ en, de });
