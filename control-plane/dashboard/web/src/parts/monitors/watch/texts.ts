import { inLanguage } from '../../../texts/catalogue.ts';
import { milliseconds, number, plural } from '../../../texts/format.ts';
import type { QuickField, QuickType } from './quick-channel.ts';

/** What the fields of a channel are called. */
type Labels = Readonly<Record<QuickType, Partial<Record<QuickField, string>>>>;

const monitors = (count: number) => plural(count, { one: 'monitor', other: 'monitors' });
const addresses = (count: number) => plural(count, { one: 'address', other: 'addresses' });
const monitore = (count: number) => plural(count, { one: 'Monitor', other: 'Monitore' });
const monitoren = (count: number) => plural(count, { one: 'Monitor', other: 'Monitoren' });
const adressen = (count: number) => plural(count, { one: 'Adresse', other: 'Adressen' });

const en = {
  hint: 'You can paste a list, one monitor per line: an address, or a name, a comma and an address.',
  many: {
    sentence: (count: number) => `${addresses(count)}. Correct what Picket got wrong, then watch them all.`,
    tooMany: (left: number) =>
      `The list ends here, without ${addresses(left)}. Add them under “Add monitor”, “Paste many at once”: it takes up to 2,000 lines.`,
    inLine: (line: number, problem: string) => `Line ${number(line)}: ${problem}`,
    address: 'Address',
    name: 'Name',
    type: 'Type of check',
    leaveOut: (address: string) => `Leave out ${address}`,
    create: (count: number) => `Watch ${addresses(count)}`,
    examined: (count: number, all: number) =>
      count < all ? `${number(count)} of ${addresses(all)} examined.` : 'All is examined. Picket creates the monitors.',
    nameTaken: 'A monitor has this name already. Choose another one.',
    nameMissing: 'Enter a name.',
    wrong: (count: number) =>
      `${plural(count, { one: 'row needs', other: 'rows need' })} a correction. Nothing was created.`,
    none: 'No address is left.',
    back: 'Start again',
  },
  answers: {
    waiting: (answered: number, all: number) => `${number(answered)} of ${monitors(all)} answered.`,
    allUp: (count: number) => (count === 1 ? 'The monitor is up.' : `All ${monitors(count)} are up.`),
    mixed: (up: number, down: number) =>
      `${number(up)} up, ${number(down)} failing. Picket opens an incident when enough locations agree.`,
    noneChecked: 'No probe is connected, so nothing is checked yet.',
    someUnchecked: (up: number, down: number, unchecked: number) =>
      `${number(up)} up, ${number(down)} failing, ${number(unchecked)} not checked: no probe is connected at their locations.`,
    failing: 'first check failed',
    saved: 'The monitors are saved and are checked from now on.',
    checking: 'checking …',
    progress: 'Answers so far',
    fired: (count: number) => (count === 1 ? 'An incident has opened.' : `${number(count)} incidents have opened.`),
    why: (count: number): string => (count === 1 ? 'Open the incident' : 'Open the incidents'),
    open: 'Open the list',
  },
  probes: {
    none: (name: string) => `No probe is connected, so nothing checks ${name} yet.`,
    without: (cities: string, count: number) =>
      count === 1
        ? `${cities} has no connected probe and does not answer.`
        : `${cities} have no connected probe and do not answer.`,
    tooFew: 'Two locations must agree before an incident opens, so none opens until another one has a probe.',
    othersAnswer: 'The other locations check.',
    startMore: 'The other locations check. Start the missing probes, or add new ones.',
    startFirst: 'Start a probe at one of these locations, or add a new one. The answers then appear here.',
    askOperator: 'Ask the operator of this installation to start a probe. The answers then appear here.',
    open: 'Open the probes',
  },
  channel: {
    title: 'Who is alerted?',
    lead: 'Choose where alerts of this workspace go. Picket sends a test at once and shows what came of it.',
    type: 'Channel',
    types: {
      email: 'E-mail',
      webhook: 'Webhook',
      slack: 'Slack',
      discord: 'Discord',
      msteams: 'Microsoft Teams',
      telegram: 'Telegram',
      ntfy: 'ntfy',
      pagerduty: 'PagerDuty',
    },
    fields: {
      email: { to: 'E-mail address' },
      webhook: { url: 'URL that receives a POST request' },
      slack: { url: 'URL of the incoming webhook' },
      discord: { url: 'URL of the webhook' },
      msteams: { url: 'URL of the workflow' },
      telegram: {
        bot_token: 'Bot token (from @BotFather)',
        chat_id: 'Chat: its ID, or the @name of a public channel',
      },
      ntfy: { topic: 'Topic (choose one that is hard to guess)', url: 'Server' },
      pagerduty: { routing_key: 'Integration key (Events API v2)' },
    } as Labels,
    noMail: 'E-mail (no mail server)',
    noMailHelp:
      'This installation cannot send e-mail: it has no mail server. Its operator can set one up (PICKET_SMTP_URL).',
    create: 'Add and send test',
    again: 'Send test again',
    save: 'Save and send test',
    sending: 'Sending the test. This takes up to 15 seconds.',
    sent: (name: string, ms: number, status: number | null) =>
      `${name} accepted the test${status === null ? '' : ` (${status})`} in ${milliseconds(ms)}. Check that it arrived.`,
    failed: (name: string, why: string) => `The test to ${name} failed: ${why}. Correct the field, then send it again.`,
    skipped: (name: string, why: string) =>
      `The test to ${name} was not sent: ${why}. Ask the operator of this installation to set it up, then send it again.`,
    unknown: 'no reason given',
    secret: 'Signing secret, shown only now',
    later: 'Further channels, delays and reminders are in the settings.',
    settings: 'Open the channels',
  },
};

const de: typeof en = {
  hint: 'Sie können eine Liste einfügen: in jeder Zeile eine Adresse, oder ein Name, ein Komma und eine Adresse.',
  many: {
    sentence: (count) =>
      `${adressen(count)}. Korrigieren Sie, was Picket falsch verstanden hat, und überwachen Sie dann alle.`,
    tooMany: (left) =>
      `Hier endet die Liste, ${plural(left, { one: 'Adresse passt', other: 'Adressen passen' })} nicht mehr hinein. Fügen Sie sie unter „Monitor hinzufügen“, „Viele auf einmal einfügen“ hinzu: bis zu 2.000 Zeilen.`,
    inLine: (line, problem) => `Zeile ${number(line)}: ${problem}`,
    address: 'Adresse',
    name: 'Name',
    type: 'Art der Prüfung',
    leaveOut: (address) => `${address} weglassen`,
    create: (count) => `${adressen(count)} überwachen`,
    examined: (count, all) =>
      count < all
        ? `${number(count)} von ${adressen(all)} geprüft.`
        : 'Alles ist geprüft. Picket legt die Monitore an.',
    nameTaken: 'Ein Monitor hat diesen Namen schon. Wählen Sie einen anderen.',
    nameMissing: 'Geben Sie einen Namen ein.',
    wrong: (count) =>
      `${plural(count, { one: 'Zeile muss', other: 'Zeilen müssen' })} korrigiert werden. Nichts wurde angelegt.`,
    none: 'Es ist keine Adresse übrig.',
    back: 'Neu beginnen',
  },
  answers: {
    waiting: (answered, all) =>
      `${number(answered)} von ${monitoren(all)} ${answered === 1 ? 'hat' : 'haben'} geantwortet.`,
    allUp: (count) => (count === 1 ? 'Der Monitor ist verfügbar.' : `Alle ${monitore(count)} sind verfügbar.`),
    mixed: (up, down) =>
      `${number(up)} verfügbar, ${number(down)} mit Fehler. Picket eröffnet einen Vorfall, sobald genug Standorte übereinstimmen.`,
    noneChecked: 'Es ist keine Sonde verbunden, deshalb wird noch nichts geprüft.',
    someUnchecked: (up, down, unchecked) =>
      `${number(up)} verfügbar, ${number(down)} mit Fehler, ${number(unchecked)} nicht geprüft: An ihren Standorten ist keine Sonde verbunden.`,
    failing: 'erste Prüfung fehlgeschlagen',
    saved: 'Die Monitore sind gespeichert und werden ab jetzt geprüft.',
    checking: 'wird geprüft …',
    progress: 'Bisherige Antworten',
    fired: (count) => (count === 1 ? 'Ein Vorfall ist eröffnet.' : `${number(count)} Vorfälle sind eröffnet.`),
    why: (count) => (count === 1 ? 'Vorfall öffnen' : 'Vorfälle öffnen'),
    open: 'Liste öffnen',
  },
  probes: {
    none: (name) => `Es ist keine Sonde verbunden, deshalb wird ${name} noch nicht geprüft.`,
    without: (cities, count) =>
      count === 1
        ? `${cities} hat keine verbundene Sonde und antwortet nicht.`
        : `${cities} haben keine verbundene Sonde und antworten nicht.`,
    tooFew:
      'Zwei Standorte müssen übereinstimmen, bevor ein Vorfall eröffnet wird. Bis ein weiterer eine Sonde hat, geschieht das nicht.',
    othersAnswer: 'Die anderen Standorte prüfen.',
    startMore: 'Die anderen Standorte prüfen. Starten Sie die fehlenden Sonden, oder fügen Sie neue hinzu.',
    startFirst:
      'Starten Sie eine Sonde an einem dieser Standorte, oder fügen Sie eine neue hinzu. Die Antworten erscheinen dann hier.',
    askOperator:
      'Bitten Sie den Betreiber dieser Installation, eine Sonde zu starten. Die Antworten erscheinen dann hier.',
    open: 'Sonden öffnen',
  },
  channel: {
    title: 'Wer wird alarmiert?',
    lead: 'Wählen Sie, wohin die Alarme dieses Arbeitsbereichs gehen. Picket sendet sofort einen Test und zeigt, was daraus wurde.',
    type: 'Kanal',
    types: {
      email: 'E-Mail',
      webhook: 'Webhook',
      slack: 'Slack',
      discord: 'Discord',
      msteams: 'Microsoft Teams',
      telegram: 'Telegram',
      ntfy: 'ntfy',
      pagerduty: 'PagerDuty',
    },
    fields: {
      email: { to: 'E-Mail-Adresse' },
      webhook: { url: 'URL, die eine POST-Anfrage erhält' },
      slack: { url: 'URL des eingehenden Webhooks' },
      discord: { url: 'URL des Webhooks' },
      msteams: { url: 'URL des Workflows' },
      telegram: {
        bot_token: 'Bot-Token (von @BotFather)',
        chat_id: 'Chat: seine ID oder der @Name eines öffentlichen Kanals',
      },
      ntfy: { topic: 'Topic (wählen Sie eines, das schwer zu erraten ist)', url: 'Server' },
      pagerduty: { routing_key: 'Integrationsschlüssel (Events API v2)' },
    },
    noMail: 'E-Mail (kein Mailserver)',
    noMailHelp:
      'Diese Installation kann keine E-Mails senden: Sie hat keinen Mailserver. Ihr Betreiber kann einen einrichten (PICKET_SMTP_URL).',
    create: 'Hinzufügen und Test senden',
    again: 'Test noch einmal senden',
    save: 'Speichern und Test senden',
    sending: 'Der Test wird gesendet. Das dauert bis zu 15 Sekunden.',
    sent: (name, ms, status) =>
      `${name} hat den Test${status === null ? '' : ` (${status})`} nach ${milliseconds(ms)} angenommen. Prüfen Sie, ob er angekommen ist.`,
    failed: (name, why) =>
      `Der Test an ${name} ist fehlgeschlagen: ${why}. Korrigieren Sie das Feld und senden Sie ihn noch einmal.`,
    skipped: (name, why) =>
      `Der Test an ${name} wurde nicht gesendet: ${why}. Bitten Sie den Betreiber dieser Installation, das einzurichten, und senden Sie ihn noch einmal.`,
    unknown: 'kein Grund angegeben',
    secret: 'Signaturschlüssel, nur jetzt sichtbar',
    later: 'Weitere Kanäle, Verzögerungen und Erinnerungen finden Sie in den Einstellungen.',
    settings: 'Kanäle öffnen',
  },
};

export const texts = inLanguage({ en, de });
