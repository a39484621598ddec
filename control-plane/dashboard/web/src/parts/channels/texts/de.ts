import { duration, milliseconds, plural } from '../../../texts/format.ts';
import { dative, every } from '../../../texts/german.ts';
import type { en } from './en.ts';

const MINUTE_MS = 60_000;
const channels = (count: number) => plural(count, { one: 'Kanal', other: 'Kanälen' });

export const de: typeof en = {
  notFound: 'Diesen Kanal gibt es nicht. Vielleicht wurde er gelöscht.',
  title: 'Kanäle',
  add: 'Kanal hinzufügen',
  addSentence: 'An einen Kanal schickt Picket Benachrichtigungen.',
  none: 'Kein Kanal: Ein Vorfall benachrichtigt niemanden.',
  allOff: 'Alle Kanäle sind aus: Ein Vorfall benachrichtigt niemanden.',
  count: (all, off) =>
    off === 0
      ? `${plural(all, { one: 'Kanal', other: 'Kanäle' })}, alle an. Ein Monitor benachrichtigt alle, außer er nennt eigene.`
      : `${off} von ${channels(all)} ${off === 1 ? 'ist aus und erhält' : 'sind aus und erhalten'} keine Benachrichtigungen.`,
  empty:
    'Fügen Sie einen hinzu, damit Sie von Ausfällen erfahren: per E-Mail, im Chat, auf dem Telefon oder im eigenen Programm.',
  emptyForViewer: 'Ihre Rolle darf keine Kanäle hinzufügen. Fragen Sie einen Inhaber, Administrator oder ein Mitglied.',
  on: 'an',
  off: 'aus',
  fails: 'schlägt fehl',
  failedCount: (count) =>
    count === 1
      ? 'Die letzte Nachricht von 1 Kanal wurde nicht angenommen.'
      : `Die letzten Nachrichten von ${count} Kanälen wurden nicht angenommen.`,
  hasFailed: 'Aber seine letzte Nachricht wurde nicht angenommen: Senden Sie einen Test.',
  noMail: (type) => `${type} (kein Mailserver)`,
  noMailHelp:
    'Diese Installation kann keine E-Mails senden: Sie hat keinen Mailserver. Ihr Betreiber kann einen einrichten (PICKET_SMTP_URL).',
  offSince: 'Aus seit',
  unknownReason: 'der Grund ist nicht bekannt',
  isOn: (type) => `${type}. Der Kanal ist an.`,
  isOff: (type, reason) => `${type}. Der Kanal ist aus und erhält keine Benachrichtigungen: ${reason}.`,
  when: (minutes) =>
    minutes === 0
      ? 'sofort benachrichtigt'
      : `benachrichtigt nach ${dative(duration(minutes * MINUTE_MS))} ohne Bestätigung`,
  repeats: (minutes) => `Erinnerung ${every(duration(minutes * MINUTE_MS))}`,
  lastDelivery: {
    sent: (at) => `Die letzte Benachrichtigung wurde ${at} angenommen.`,
    failed: (at) => `Der letzte Versuch zu benachrichtigen ist ${at} fehlgeschlagen:`,
    skipped: (at) => `Die letzte Benachrichtigung wurde ${at} nicht gesendet:`,
    unconfirmed: (at) => `Die letzte Benachrichtigung hat ${at} niemanden erreicht:`,
  },
  unconfirmed: 'Nicht bestätigt',
  unconfirmedHelp:
    'Diese Adressen gehören keinem Mitglied des Arbeitsbereichs. Sie erhalten nichts, bis dort jemand über den Link in der E-Mail zustimmt, die Picket geschickt hat. Auch eine Adresse, die die E-Mails abbestellt hat, steht hier: Sie kann sie mit dem Link in jeder früheren E-Mail wieder bestellen.',
  askAgain: 'Noch einmal fragen',
  asked: 'Die E-Mail ist unterwegs.',
  noDelivery: 'Noch keine Benachrichtigung.',
  lastTitle: 'Letzte Benachrichtigung',
  notified: 'Benachrichtigt',
  reminders: 'Erinnerungen',
  noReminders: 'keine',
  type: 'Art',
  types: {
    email: 'E-Mail',
    slack: 'Slack',
    discord: 'Discord',
    msteams: 'Microsoft Teams',
    telegram: 'Telegram',
    pagerduty: 'PagerDuty',
    webhook: 'Webhook',
    ntfy: 'ntfy',
  },
  typeHelp: {
    email:
      'Jede Adresse erhält jede Benachrichtigung. Alles zu einem Vorfall steht in einem Gesprächsverlauf. Eine Adresse, die keinem Mitglied gehört, wird vorher per E-Mail gefragt.',
    slack: 'Mit einem eingehenden Webhook von Slack, auch von Mattermost und Rocket.Chat.',
    discord: 'Mit einem Webhook eines Discord-Kanals: Kanaleinstellungen, Integrationen, Webhooks.',
    msteams: 'Mit dem Workflow „In einem Kanal posten, wenn eine Webhook-Anforderung empfangen wird“.',
    telegram: 'Legen Sie mit @BotFather einen Bot an, fügen Sie ihn dem Chat hinzu und tragen Sie beide Werte ein.',
    pagerduty:
      'Eröffnet Vorfälle über die Events API v2 und markiert sie als behoben. Fügen Sie einem Dienst die Integration „Events API V2“ hinzu.',
    webhook: 'Schickt JSON an Ihr eigenes Programm, signiert nach Standard Webhooks.',
    ntfy: 'Push-Nachrichten aufs Telefon, über ntfy.sh oder einen eigenen Server.',
  },
  secretFollows: 'Den Signaturschlüssel sehen Sie im nächsten Schritt.',
  name: 'Name',
  nameHelp: 'So nennen Sie ihn, zum Beispiel „Bereitschaft“.',
  config: {
    email: { to: { label: 'E-Mail-Adressen', help: 'Eine pro Zeile, höchstens 20.' } },
    slack: { url: { label: 'Webhook-URL', help: 'In Slack: Apps, Incoming Webhooks.' } },
    discord: { url: { label: 'Webhook-URL', help: 'Sie beginnt mit https://discord.com/api/webhooks/.' } },
    msteams: { url: { label: 'Workflow-URL', help: 'Teams zeigt sie, wenn der Workflow gespeichert ist.' } },
    telegram: {
      bot_token: { label: 'Bot-Token', help: '@BotFather schickt es, wenn der Bot angelegt ist.' },
      chat_id: {
        label: 'Chat',
        help: 'Die ID des Chats, bei Gruppen negativ, oder der @Name eines öffentlichen Kanals.',
      },
    },
    pagerduty: { routing_key: { label: 'Integrationsschlüssel', help: 'In PagerDuty: der Dienst, Integrations.' } },
    webhook: { url: { label: 'URL', help: 'Hierhin schickt Picket eine POST-Anfrage.' } },
    ntfy: {
      url: { label: 'Server', help: 'Die Adresse des ntfy-Servers.' },
      topic: {
        label: 'Thema',
        help: 'Wer das Thema eines öffentlichen Servers kennt, kann mitlesen: Wählen Sie ein schwer zu erratendes.',
      },
      token: { label: 'Zugriffstoken', help: 'Nur für geschützte Themen.' },
    },
  },
  optional: (label) => `${label} (optional)`,
  keepSecret: (help, mask) => `${help} Gespeichert: ${mask}. Leer lassen, um es zu behalten.`,
  removeSecret: (label) => `Gespeicherten Wert von „${label}“ entfernen`,
  address: (place, problem) => `Adresse ${place}: ${problem}`,
  delay: 'Benachrichtigen nach (Minuten)',
  delayHelp: '0: sofort. Sonst nur, wenn bis dahin niemand den Vorfall bestätigt hat.',
  repeat: 'Erinnern alle (Minuten)',
  repeatHelp: 'Bis jemand bestätigt. Leer: keine Erinnerungen.',
  create: 'Kanal hinzufügen',
  created: 'Der Kanal ist gespeichert und an.',
  secretTitle: 'Signaturschlüssel',
  secretHelp:
    'Damit prüft Ihr Programm, dass eine Anfrage von Picket kommt. Kopieren Sie ihn jetzt: Picket zeigt ihn nicht noch einmal.',
  testHelp: 'Senden Sie einen Test, um zu sehen, ob eine Benachrichtigung ankäme.',
  toList: 'Alle Kanäle',
  settings: 'Einstellungen des Kanals',
  save: 'Speichern',
  saved: (name) => `${name} ist gespeichert.`,
  turnOff: 'Ausschalten',
  turnOn: 'Einschalten',
  turnedOff: (name) => `${name} ist aus und erhält keine Benachrichtigungen.`,
  turnedOffSilent: (name) => `${name} ist aus. Von manchen Vorfällen erfährt jetzt niemand.`,
  turnedOn: (name) => `${name} ist an.`,
  sendTest: 'Test senden',
  accepted: (type, code, ms) =>
    `${type} hat die Testnachricht nach ${milliseconds(ms)} angenommen${code === null ? '' : ` (Status ${code})`}. Kommt sie nicht an, sehen Sie dort nach.`,
  butRefused: (warning) => `Einige Empfänger haben sie nicht erhalten: ${warning}.`,
  skipped: (reason, isUnconfirmed) =>
    `Es wurde nichts gesendet: ${reason}. ${isUnconfirmed ? 'Öffnen Sie den Link in der E-Mail, die Picket dem Inhaber geschickt hat, und senden Sie den Test noch einmal.' : 'Bitten Sie den Betreiber dieser Installation, das einzurichten.'}`,
  reachedNobody: (reason) =>
    `Der Test hat niemanden erreicht: ${reason}. Öffnen Sie den Link in der E-Mail, die Picket dorthin geschickt hat, und senden Sie den Test noch einmal.`,
  failed: (type, error) => `Der Test an ${type} ist fehlgeschlagen: ${error}.`,
  advice: {
    credentials: 'Der Empfänger akzeptiert die Zugangsdaten nicht. Geben Sie Schlüssel, Token oder URL neu ein.',
    gone: 'Prüfen Sie, ob es den Webhook dort noch gibt, und geben Sie seine URL neu ein.',
    redirect: 'Geben Sie die Adresse ein, auf die sie führt: Picket folgt keinen Weiterleitungen.',
    limited: 'Der Empfänger nimmt nur eine begrenzte Zahl von Nachrichten an. Versuchen Sie es in einer Minute wieder.',
    request: 'Der Empfänger hat die Nachricht nicht angenommen. Prüfen Sie die Einstellungen des Kanals.',
    receiver: 'Der Empfänger hat selbst ein Problem. Picket versucht Benachrichtigungen 24 Stunden lang immer wieder.',
    name: 'Prüfen Sie die Adresse auf Tippfehler.',
    connection: 'Prüfen Sie Host und Port, und ob der Empfänger läuft und von hier aus erreichbar ist.',
    certificate: 'Das Zertifikat des Empfängers ist nicht gültig. Erneuern Sie es oder prüfen Sie den Hostnamen.',
    blocked: 'Diese Installation erlaubt keine Verbindung zu dieser Adresse. Fragen Sie den Betreiber.',
    slow: 'Der Empfänger hat nicht rechtzeitig geantwortet. Prüfen Sie, ob er überlastet ist, und testen Sie noch einmal.',
    mail: 'Prüfen Sie die Adressen. Stimmen sie, fragen Sie den Betreiber dieser Installation nach dem Mailserver.',
    other: 'Prüfen Sie die Einstellungen des Kanals und senden Sie den Test noch einmal.',
  },
  links: 'Links in Benachrichtigungen',
  linksHelp:
    'Die Benachrichtigung eines offenen Vorfalls hat einen Link, mit dem die Empfänger ihn 24 Stunden lang ohne Anmeldung bestätigen oder stummschalten.',
  revokeLinks: 'Links widerrufen',
  revokeLinksTitle: 'Links aller bisherigen Benachrichtigungen widerrufen?',
  revokeLinksText:
    'Kein Link, den dieser Kanal erhalten hat, funktioniert dann noch. Spätere Benachrichtigungen haben neue Links.',
  linksRevoked: 'Die Links, die dieser Kanal bisher erhalten hat, funktionieren nicht mehr.',
  delete: 'Löschen',
  deleted: (name) => `${name} ist gelöscht.`,
  deleteTitle: (name) => `${name} löschen?`,
  deleteText:
    'Der Kanal erhält keine Benachrichtigungen mehr, auch keine, die noch warten. Das lässt sich nicht rückgängig machen.',
  checkingMonitors: 'Monitore, die dann niemanden benachrichtigen, werden gesucht…',
  nobodySilent: 'Kein Monitor hängt allein davon ab: Jeder hat einen anderen Kanal.',
  silent: (count) =>
    `${plural(count, { one: 'Monitor würde', other: 'Monitore würden' })} dann niemanden benachrichtigen:`,
  goingOn: (count) =>
    `${plural(count, { one: 'anderer Monitor nennt', other: 'andere Monitore nennen' })} ihn und ${count === 1 ? 'benachrichtigt seine' : 'benachrichtigen ihre'} anderen Kanäle:`,
  silentRules: (count) =>
    count === 1
      ? '1 Alarmregel würde dann niemanden benachrichtigen:'
      : `${plural(count, { one: 'Alarmregel', other: 'Alarmregeln' })} würden dann niemanden benachrichtigen:`,
  goingOnRules: (count) =>
    count === 1
      ? '1 weitere Alarmregel nennt ihn und benachrichtigt ihre anderen Kanäle:'
      : `${plural(count, { one: 'weitere Alarmregel', other: 'weitere Alarmregeln' })} nennen ihn und benachrichtigen ihre anderen Kanäle:`,
  removedFrom: 'Beim Löschen wird er auch dort überall entfernt.',
  deleteUsed: 'Löschen und überall entfernen',
  more: (count) => `und ${count} weitere`,
  firstMonitors: (count) => `Nur die ersten ${count} Monitore wurden geprüft.`,
};
