import { inLanguage } from '../../../texts/catalogue.ts';
import { milliseconds, number, plural } from '../../../texts/format.ts';

const monitors = (count: number) => plural(count, { one: 'monitor', other: 'monitors' });
const addresses = (count: number) => plural(count, { one: 'address', other: 'addresses' });
const monitore = (count: number) => plural(count, { one: 'Monitor', other: 'Monitore' });
const monitoren = (count: number) => plural(count, { one: 'Monitor', other: 'Monitoren' });
const adressen = (count: number) => plural(count, { one: 'Adresse', other: 'Adressen' });

const en = {
  hint: 'You can paste a list: one address in each line.',
  many: {
    sentence: (count: number) => `${addresses(count)}. Correct what Picket got wrong, then watch them all.`,
    tooMany: (left: number) =>
      `The list ends here, without ${addresses(left)}. Add them under “Add monitor”, “Paste many at once”: it takes up to 2,000 lines.`,
    address: 'Address',
    name: 'Name',
    type: 'Type of check',
    leaveOut: (address: string) => `Leave out ${address}`,
    create: (count: number) => `Watch ${addresses(count)}`,
    created: (count: number, all: number) => `${number(count)} of ${monitors(all)} created.`,
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
    failing: 'first check failed',
    saved: 'The monitors are saved and are checked from now on.',
    noAnswer: 'no answer yet',
    open: 'Open the list',
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
      pagerduty: 'PagerDuty',
    },
    fields: {
      email: 'E-mail address',
      webhook: 'URL that receives a POST request',
      slack: 'URL of the incoming webhook',
      discord: 'URL of the webhook',
      msteams: 'URL of the workflow',
      pagerduty: 'Integration key (Events API v2)',
    },
    create: 'Add and send test',
    again: 'Send test again',
    save: 'Save and send test',
    sending: 'Sending the test. This takes up to 15 seconds.',
    sent: (name: string, ms: number, status: number | null) =>
      `${name} accepted the test${status === null ? '' : ` (${status})`} in ${milliseconds(ms)}. Check that it arrived.`,
    failed: (name: string, why: string) => `The test to ${name} failed: ${why}. Correct the field, then send it again.`,
    skipped: (name: string, why: string) =>
      `The test to ${name} was not sent: ${why}. Correct this or ask the operator of this installation, then send it again.`,
    unknown: 'no reason given',
    secret: 'Signing secret, shown only now',
    later: 'Further channels, delays and reminders are in the settings.',
  },
};

const de: typeof en = {
  hint: 'Sie können eine Liste einfügen: eine Adresse in jeder Zeile.',
  many: {
    sentence: (count) =>
      `${adressen(count)}. Korrigieren Sie, was Picket falsch verstanden hat, und überwachen Sie dann alle.`,
    tooMany: (left) =>
      `Hier endet die Liste, ${plural(left, { one: 'Adresse passt', other: 'Adressen passen' })} nicht mehr hinein. Fügen Sie sie unter „Monitor hinzufügen“, „Viele auf einmal einfügen“ hinzu: bis zu 2.000 Zeilen.`,
    address: 'Adresse',
    name: 'Name',
    type: 'Art der Prüfung',
    leaveOut: (address) => `${address} weglassen`,
    create: (count) => `${adressen(count)} überwachen`,
    created: (count, all) => `${number(count)} von ${monitoren(all)} angelegt.`,
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
    failing: 'erste Prüfung fehlgeschlagen',
    saved: 'Die Monitore sind gespeichert und werden ab jetzt geprüft.',
    noAnswer: 'noch keine Antwort',
    open: 'Liste öffnen',
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
      pagerduty: 'PagerDuty',
    },
    fields: {
      email: 'E-Mail-Adresse',
      webhook: 'URL, die eine POST-Anfrage erhält',
      slack: 'URL des eingehenden Webhooks',
      discord: 'URL des Webhooks',
      msteams: 'URL des Workflows',
      pagerduty: 'Integrationsschlüssel (Events API v2)',
    },
    create: 'Hinzufügen und Test senden',
    again: 'Test noch einmal senden',
    save: 'Speichern und Test senden',
    sending: 'Der Test wird gesendet. Das dauert bis zu 15 Sekunden.',
    sent: (name, ms, status) =>
      `${name} hat den Test${status === null ? '' : ` (${status})`} nach ${milliseconds(ms)} angenommen. Prüfen Sie, ob er angekommen ist.`,
    failed: (name, why) =>
      `Der Test an ${name} ist fehlgeschlagen: ${why}. Korrigieren Sie das Feld und senden Sie ihn noch einmal.`,
    skipped: (name, why) =>
      `Der Test an ${name} wurde nicht gesendet: ${why}. Beheben Sie das, oder bitten Sie den Betreiber dieser Installation darum, und senden Sie ihn noch einmal.`,
    unknown: 'kein Grund angegeben',
    secret: 'Signaturschlüssel, nur jetzt sichtbar',
    later: 'Weitere Kanäle, Verzögerungen und Erinnerungen finden Sie in den Einstellungen.',
  },
};

export const texts = inLanguage({ en, de });
