import type { hosts as en, logo as enLogo } from './panels-en.ts';

export const hosts: typeof en = {
  title: 'Eigene Hostnamen',
  help: 'Die Seite ist auch unter einem eigenen Namen erreichbar, sobald ein DNS-Eintrag zeigt, dass er Ihnen gehört.',
  none: 'Die Seite hat keinen eigenen Hostnamen.',
  name: 'Hostname',
  nameHelp: 'Zum Beispiel status.example.com. Höchstens 5.',
  add: 'Hostnamen hinzufügen',
  added: (name) => `${name} ist hinzugefügt. Setzen Sie jetzt die DNS-Einträge.`,
  full: 'Die Seite hat 5 Hostnamen, so viele wie möglich.',
  verified: 'bestätigt',
  notVerified: 'nicht bestätigt',
  main: 'Hauptadresse der Seite',
  by: { txt: 'Durch den TXT-Eintrag', cname: 'Durch den CNAME-Eintrag' },
  since: (since) => `seit ${since}.`,
  waiting: 'Picket fragt die Einträge innerhalb einer Minute ab.',
  missing: (at) =>
    `Picket hat die Einträge bei der Abfrage ${at} nicht gefunden und zeigt die Seite nicht unter diesem Namen. In der ersten Stunde fragt Picket jede Minute wieder, danach jede Stunde. DNS-Server können eine alte Antwort eine Zeit lang behalten.`,
  keep: 'Lassen Sie die Einträge bestehen: Picket fragt sie jede Stunde ab, und der Name funktioniert nicht mehr, wenn sie lange fehlen.',
  instructions: 'DNS-Einträge',
  prove: '1. Setzen Sie diesen TXT-Eintrag, der zeigt, dass der Name Ihnen gehört:',
  recordName: (name) => `Name des TXT-Eintrags von ${name}`,
  recordValue: (name) => `Wert des TXT-Eintrags von ${name}`,
  lead: '2. Lassen Sie den Namen mit diesem CNAME-Eintrag zu Picket führen:',
  cname: (name) => `Ziel des CNAME-Eintrags von ${name}`,
  cnameAlone: 'Der CNAME-Eintrag allein genügt, wenn kein anderer Arbeitsbereich den Namen hat.',
  leadByAddress: '2. Lassen Sie den Namen mit einem A- oder AAAA-Eintrag zur IP-Adresse von Picket führen.',
  certificate:
    '3. Der Webserver vor Picket braucht ein Zertifikat für den Namen. Fragen Sie den Betreiber dieser Installation.',
  remove: 'Entfernen',
  removeTitle: (name) => `${name} entfernen?`,
  removeHelp: 'Die Seite ist unter diesem Namen nicht mehr erreichbar. Ihre anderen Adressen bleiben.',
  removed: (name) => `${name} ist entfernt.`,
};

export const logo: typeof enLogo = {
  title: 'Logo',
  help: 'Über der Überschrift der Seite.',
  save: 'Logo speichern',
  saved: 'Das Logo ist gespeichert. Besucher sehen es in wenigen Sekunden.',
  removed: 'Das Logo ist entfernt.',
};
