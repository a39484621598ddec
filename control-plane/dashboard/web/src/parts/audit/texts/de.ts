import { number, plural } from '../../../texts/format.ts';
import { details } from './details-de.ts';
import type { en } from './en.ts';
import { words } from './words-de.ts';

const DAY_S = 86_400;
const kept = (seconds: number) => plural(Math.round(seconds / DAY_S), { one: 'Tag', other: 'Tagen' });
const forwarders = (count: number) => plural(count, { one: 'Weiterleitung', other: 'Weiterleitungen' });

export const de: typeof en = {
  words,
  details,
  title: 'Audit-Protokoll',
  sentence: (keptSeconds) =>
    keptSeconds === null
      ? 'Wer hat in diesem Arbeitsbereich was geändert, wann und von wo.'
      : `Wer hat in diesem Arbeitsbereich in den letzten ${kept(keptSeconds)} was geändert, wann und von wo.`,
  broken: 'Jemand hat Einträge dieses Audit-Protokolls in der Datenbank geändert oder gelöscht.',
  brokenFound: 'Eine Prüfung fand den Bruch am',
  brokenNext: 'Fragen Sie den Betreiber dieser Installation, welche Einträge betroffen sind.',
  filters: {
    actor: 'Wer',
    actorPlaceholder: 'E-Mail-Adresse, Benutzer-ID oder „system“',
    action: 'Was',
    anyAction: 'Alles',
    from: 'Von',
    to: 'Bis',
  },
  clear: 'Filter entfernen',
  empty: 'Noch keine Einträge. Picket hält hier fest, wer sich anmeldet und wer was ändert.',
  unknownAction: (action) =>
    `Es gibt keine Aktion „${action}“. Wählen Sie unter „Was“ eine andere, oder zeigen Sie alle Aktionen.`,
  everyAction: 'Alle Aktionen zeigen',
  noneMatches: 'Kein Eintrag passt zu diesem Filter.',
  more: 'Ältere Einträge zeigen',
  system: 'Picket selbst',
  byKey: (key, email) => `${email}, API-Schlüssel „${key}“`,
  byLink: (channel) => `Jemand mit einem Link, der an ${channel} ging`,
  noAddress: 'ohne Adresse',
  differences: 'Was geändert wurde',
  field: 'Feld',
  before: 'Vorher',
  after: 'Nachher',
  value: 'Wert',
  nothing: 'nichts',
  yes: 'ja',
  no: 'nein',
  facts: {
    time: 'Wann',
    actor: 'Wer',
    resource: 'Objekt',
    address: 'IP-Adresse',
    userAgent: 'Programm',
    request: 'Anfrage-ID',
    action: 'Aktion',
    entry: 'Eintrags-ID',
    hash: 'Hash',
  },
  notSealed: 'Noch nicht versiegelt. Das dauert bis zu zwei Sekunden.',
  open: 'Objekt öffnen',
  onlyActor: 'Nur Einträge dieser Person',
  onlyAction: 'Nur solche Einträge',
  export: 'Exportieren',
  exportAs: { csv: 'Als CSV, für Tabellenprogramme', json: 'Als JSON, zum Prüfen' },
  exportHelp: 'Alle Einträge, die zum Filter passen, die ältesten zuerst. Eine Datei ohne Filter lässt sich prüfen.',
  exportNeedsPlan: 'Exporte gehören zum Tarif Enterprise.',
  plans: 'Tarife vergleichen',
  chain: {
    title: 'Woran erkenne ich, dass niemand das Audit-Protokoll verändert hat?',
    how: 'Jeder Eintrag enthält einen SHA-256-Hash über seinen Inhalt und den Hash des Eintrags davor. Wenn jemand einen Eintrag in der Datenbank ändert oder löscht, passen die Hashes danach nicht mehr. Picket bietet keinen Weg, Einträge zu ändern oder zu löschen, auch Betreibern nicht.',
    verify: {
      lead: 'Picket kann jetzt alle versiegelten Einträge dieses Arbeitsbereichs prüfen:',
      button: 'Prüfen',
      waiting: (wait) => `Für diesen Arbeitsbereich wurde gerade viel geprüft. In ${wait} geht es von selbst weiter.`,
      progress: (verified, total) => `${number(verified)} von ${number(total)} Einträgen geprüft.`,
      intact: (count) =>
        count === 0
          ? 'Das Audit-Protokoll ist unversehrt: Es hat noch keinen versiegelten Eintrag.'
          : `Das Audit-Protokoll ist unversehrt: ${plural(count, { one: 'Eintrag', other: 'Einträge' })} geprüft, bis`,
      problems: {
        altered: 'Das Audit-Protokoll wurde verändert. Der Inhalt dieses Eintrags ist ein anderer als beim Versiegeln:',
        broken: 'Das Audit-Protokoll wurde verändert. Vor diesem Eintrag fehlt einer oder wurde einer eingefügt:',
        out_of_order: 'Das Audit-Protokoll wurde verändert. Dieser Eintrag steht nicht an seinem Platz:',
        unsealed: 'Das Audit-Protokoll wurde verändert. Dieser Eintrag hat seinen Hash verloren:',
        foreign: 'Das Audit-Protokoll wurde verändert. Dieser Eintrag gehört zu einem anderen Arbeitsbereich:',
        truncated: 'Das Audit-Protokoll wurde verändert. Nach dem letzten Eintrag fehlen welche:',
        miscounted: 'Das Audit-Protokoll wurde verändert. Die Zahl der Einträge stimmt nicht. Der letzte ist:',
        headless: 'Das Audit-Protokoll wurde verändert. Der Vermerk, wo es endet, fehlt. Der letzte Eintrag ist:',
      },
      next: 'Wenden Sie sich an den Betreiber dieses Picket, der die Datenbank und ihre Sicherungen untersuchen kann.',
    },
    file: 'Exportieren Sie das Audit-Protokoll ohne Filter als JSON. Dieser Befehl prüft die Datei auf jedem Rechner mit Picket, ohne Verbindung zu dieser Installation:',
    fileCommand: 'Befehl, der eine Datei prüft',
    operator:
      'Auf dem Server prüft dieser Befehl die Audit-Protokolle aller Arbeitsbereiche. Er findet auch Einträge, die am Ende fehlen:',
    operatorCommand: 'Befehl, der alle Audit-Protokolle prüft',
  },
  forwarders: {
    title: 'Weiterleitungen',
    none: 'Keine Weiterleitung sendet das Audit-Protokoll irgendwohin.',
    allWell: (count) => `${forwarders(count)}, alle auf dem neuesten Stand.`,
    failing: (count) =>
      `${plural(count, { one: 'Weiterleitung schlägt', other: 'Weiterleitungen schlagen' })} fehl. Picket versucht es weiter, kein Eintrag geht verloren.`,
    behind: (count) => `${plural(count, { one: 'Weiterleitung holt', other: 'Weiterleitungen holen' })} auf.`,
    paused: (count) => `${plural(count, { one: 'Weiterleitung ist', other: 'Weiterleitungen sind' })} pausiert.`,
    purpose:
      'Eine Weiterleitung sendet jeden Eintrag des Audit-Protokolls an Ihr SIEM oder Ihren Log-Speicher: per Syslog oder als signierten Webhook. Sie liefert der Reihe nach und macht dort weiter, wo sie aufgehört hat.',
    needsPlan: 'Das Weiterleiten des Audit-Protokolls gehört zum Tarif Enterprise.',
    onlyManagers: 'Inhaber und Administratoren können Weiterleitungen hinzufügen.',
    add: 'Weiterleitung hinzufügen',
    edit: 'Bearbeiten',
    delete: 'Löschen',
    deleteTitle: (name) => `${name} löschen?`,
    deleteText:
      'Picket vergisst, wie weit es das Audit-Protokoll gesendet hat. Einträge, die der Empfänger schon hat, bleiben dort. Das lässt sich nicht rückgängig machen.',
    pause: 'Pausieren',
    resume: 'Fortsetzen',
    test: 'Test senden',
    testSent: (ms, status) =>
      status === null
        ? `Der Empfänger hat die Testnachricht nach ${ms} angenommen.`
        : `Der Empfänger antwortete nach ${ms} mit HTTP ${status}.`,
    testFailed: (error) =>
      `Der Test ist fehlgeschlagen: ${error} Prüfen Sie Adresse und Zugangsdaten, und senden Sie ihn noch einmal.`,
    created: (name) => `${name} sendet ab jetzt neue Einträge.`,
    saved: (name) => `${name} ist gespeichert.`,
    deleted: (name) => `${name} ist gelöscht.`,
    states: { active: 'aktiv', paused: 'pausiert', failing: 'schlägt fehl' },
    lag: 'Rückstand',
    upToDate: 'auf dem neuesten Stand',
    lagText: (events, age) =>
      `${plural(events, { one: 'Eintrag', other: 'Einträge' })} im Rückstand, der älteste ist ${age} alt`,
    facts: {
      target: 'Adresse',
      format: 'Format',
      filter: 'Einträge',
      delivered: 'Geliefert',
      success: 'Letzter Erfolg',
      next: 'Nächster Versuch',
    },
    allEntries: 'alle',
    delivered: (count) => plural(count, { one: 'Eintrag', other: 'Einträge' }),
    never: 'noch nie',
    formats: { json: 'JSON', cef: 'CEF (ArcSight)', ocsf: 'OCSF' },
    severities: { info: 'Hinweis', warning: 'Warnung', critical: 'kritisch' },
    secret: 'Signaturschlüssel',
    secretText:
      'Prüfen Sie mit diesem Schlüssel die Signatur jeder Lieferung. Er ist nur jetzt zu sehen; Picket kann ihn nicht noch einmal zeigen.',
    secretDone: 'Ich habe ihn gespeichert',
    form: {
      name: 'Name',
      nameHelp: 'Ohne Namen gilt der Host des Empfängers.',
      type: 'Weg',
      types: {
        'syslog+tls': 'Syslog über TLS',
        'syslog+tcp': 'Syslog über TCP',
        'syslog+udp': 'Syslog über UDP',
        https: 'Webhook',
      },
      typeHelp: {
        'syslog+tls': 'RFC 5424, verschlüsselt. Für ein SIEM die übliche Wahl.',
        'syslog+tcp': 'RFC 5424, unverschlüsselt: nur im eigenen Netz.',
        'syslog+udp': 'RFC 5424, unverschlüsselt, und Einträge können unterwegs verloren gehen.',
        https: 'Signierte POST-Anfragen mit mehreren Einträgen.',
      },
      address: 'Host und Port',
      badAddress: 'Geben Sie Host und Port ein, zum Beispiel siem.example.com:6514.',
      badUrl: 'Geben Sie eine URL ein, die mit https:// beginnt.',
      addressPlaceholder: 'siem.example.com:6514',
      url: 'URL',
      urlPlaceholder: 'https://siem.example.com/picket',
      format: 'Format',
      severity: 'Welche Einträge',
      auth: 'Authorization-Kopfzeile',
      authHelp: 'Zum Beispiel „Bearer TOKEN“. Wird verschlüsselt gespeichert und nie angezeigt.',
      authKept: 'Ein Wert ist gespeichert. Lassen Sie das Feld leer, um ihn zu behalten.',
      authRemove: 'Keine Authorization-Kopfzeile mehr senden',
      ca: 'Vertraute Zertifikate (PEM)',
      caHelp: 'Nur wenn der Empfänger ein Zertifikat einer eigenen Stelle hat.',
      from: 'Alles noch einmal senden seit',
      fromHelp:
        'Füllt eine Lücke: Einträge, die der Empfänger schon hat, werden noch einmal gesendet. Sonst leer lassen.',
      fromNew: 'Anfangen mit Einträgen seit',
      fromNewHelp: 'Leer lassen, um mit neuen Einträgen anzufangen.',
      create: 'Weiterleitung hinzufügen',
      save: 'Speichern',
      cancel: 'Abbrechen',
      noSeverity: 'Wählen Sie mindestens eine.',
    },
  },
};
