import { durationIn } from '../../../duration.js';
import type { LocationVote } from '../../../incidents/kind.js';
import type { Said } from '../said.js';
import { type Cause, type CauseWords, causeOf } from './cause.js';
import { failure } from './check-failure-de.js';
import type { en, Translated, TranslatedSaid } from './en.js';
import { type ParsedFact, parsedFact } from './facts.js';
import { amount as metricAmount, label as metricLabel } from './metrics.js';
import { metricsDe } from './metrics-de.js';

const VOTES: Record<LocationVote['counted'], string> = {
  down: 'ausgefallen',
  up: 'verfügbar',
  failing: 'schlägt fehl',
  none: 'keine Stimme',
};

const DOWN = 'DOWN';

/** The states of all kinds of incidents, and what each means; `DOWN` is explained by its votes. */
const STATES: Readonly<Record<string, { word: string; cause: string }>> = {
  [DOWN]: { word: 'AUSGEFALLEN', cause: 'Das Ziel antwortet nicht wie erwartet.' },
  FIRING: { word: 'ALARM', cause: 'Die Bedingung einer Alarmregel ist erfüllt.' },
  OFFLINE: { word: 'OFFLINE', cause: 'Der Server sendet keine Messwerte mehr.' },
  'DISK FILLING UP': {
    word: 'PLATTE LÄUFT VOLL',
    cause: 'Die Platte ist bald voll, wenn sie sich weiter so füllt.',
  },
  LISTED: { word: 'GELISTET', cause: 'Das Ziel steht auf dieser Sperrliste.' },
  'CERTIFICATE EXPIRING': {
    word: 'ZERTIFIKAT LÄUFT AB',
    cause: 'Das Zertifikat läuft bald ab oder ist schon abgelaufen.',
  },
  'LOCATION SILENT': { word: 'STANDORT OHNE SONDE', cause: 'An diesem Standort prüft keine Sonde mehr.' },
  'LOCATION QUARANTINED': {
    word: 'STANDORT IN QUARANTÄNE',
    cause: 'Das Netz dieses Standorts scheint gestört zu sein. Seine Stimmen zählen vorerst nicht.',
  },
  'TOO MANY LOCATIONS FAILING': {
    word: 'ZU VIELE STANDORTE GESTÖRT',
    cause: 'Die Netze zu vieler Standorte scheinen gestört zu sein, deshalb zählen die Stimmen aller Standorte weiter.',
  },
};

/** Reasons of votes, as their codes are written with spaces. */
const REASONS: Readonly<Record<string, string>> = {
  'dns failure': 'DNS-Fehler',
  'connection refused': 'Verbindung abgelehnt',
  'connection reset': 'Verbindung abgebrochen',
  'connect timeout': 'Zeitüberschreitung beim Verbinden',
  'tls handshake': 'TLS-Handshake fehlgeschlagen',
  'tls untrusted': 'Zertifikat nicht vertrauenswürdig',
  'tls expired': 'Zertifikat abgelaufen',
  'tls name mismatch': 'Zertifikat für einen anderen Namen',
  'response timeout': 'keine rechtzeitige Antwort',
  'status mismatch': 'unerwarteter HTTP-Status',
  'keyword missing': 'Stichwort fehlt',
  'keyword present': 'verbotenes Stichwort gefunden',
  'too many redirects': 'zu viele Weiterleitungen',
  'response too large': 'zu große Antwort',
  'blocked target': 'gesperrte Adresse',
  'packet loss': 'Paketverlust',
  unreachable: 'nicht erreichbar',
  'protocol error': 'Protokollfehler',
  stale: 'das letzte Ergebnis war zu alt',
  'no result': 'es gab noch kein Ergebnis',
  'no probe': 'keine Sonde war verbunden',
  quarantined: 'das Netz des Standorts schien gestört',
  late: 'das Ergebnis kam zu spät',
  retrying: 'der Standort versuchte es noch einmal',
  doubted: 'das eigene Netz kann die Ursache sein',
};
const NOT_COUNTED = 'not counted: ';

const LABELS: Readonly<Record<string, string>> = {
  Target: 'Ziel',
  List: 'Liste',
  Listing: 'Eintrag',
  Address: 'Adresse',
  Addresses: 'Adressen',
  Rule: 'Regel',
  Rules: 'Regeln',
  Server: 'Server',
  Condition: 'Bedingung',
  Value: 'Wert',
  Confirmed: 'Bestätigt',
  'Failing from': 'Ausfall gemeldet von',
  'Working from': 'Verfügbar von',
  'No vote from': 'Keine Stimme von',
};
/** Lines that are sentences. */
const SENTENCES: readonly string[] = ['Confirmed', 'Condition'];
const LINK_LABELS: Readonly<Record<string, string>> = { 'Delisting instructions': 'Anleitung zum Austragen' };

const UNITS = { d: 'Tage', h: 'Std.', min: 'Min.', s: 's' };
const withOneDay = (text: string): string => text.replace(/\b1 Tage\b/, '1 Tag');
const plurals = new Intl.PluralRules('de');

/** Returns the form of a word for a number, by the plural rules of the language. */
function plural(count: number, forms: { one: string; other: string }): string {
  return `${count.toLocaleString('de')} ${plurals.select(count) === 'one' ? forms.one : forms.other}`;
}

function reason(text: string): string {
  return text
    .split(', ')
    .map((part) => {
      const isNotCounted = part.startsWith(NOT_COUNTED);
      const code = isNotCounted ? part.slice(NOT_COUNTED.length) : part;
      return `${isNotCounted ? 'nicht gezählt: ' : ''}${REASONS[code] ?? code}`;
    })
    .join(', ');
}

/** Names that Picket itself gave to locations. Cities that both languages write alike are left out. */
const CITIES: Readonly<Record<string, string>> = { 'sin/Singapore': 'Singapur' };

function cityName(code: string, city: string): string {
  return CITIES[`${code}/${city}`] ?? city;
}

const number = (value: number) => value.toLocaleString('de', { maximumFractionDigits: 2 });

const CAUSE: CauseWords = {
  metrics: metricsDe,
  number,
  outage: (failing, of, failures) =>
    `${failing} von ${plural(of, { one: 'Standort', other: 'Standorten' })} ${failing === 1 ? 'meldet' : 'melden'} einen Ausfall: ${failures}.`,
  error: (code) => REASONS[code.replaceAll('_', ' ')] ?? code,
  city: cityName,
  offline: (since) => ['Kein Messwert vom Agenten des Servers seit ', since, '.'],
  disk: (mount, used) => `${mount}: ${used} % belegt`,
  diskFull: (at) => [', voraussichtlich voll: ', at, '.'],
  expires: (at) => ['Das Zertifikat läuft am ', at, ' ab.'],
  expired: (at) => ['Das Zertifikat ist am ', at, ' abgelaufen.'],
  issuer: (issuer) => `Ausgestellt von ${issuer}.`,
  listed: (list, meanings) => `Eingetragen auf ${list}${meanings.length === 0 ? '' : ` (${meanings.join(', ')})`}.`,
};

/** `für 5 Min.` of `5 min`. */
const lastsFor = (lasts: string): string =>
  lasts === ''
    ? ''
    : ` für ${withOneDay(lasts.replace(/\b(?:d|h|min|s)\b/g, (unit) => UNITS[unit as keyof typeof UNITS]))}`;

/** Returns the value of a line of the incident; in English if there are no words for it. */
function fact(label: string, value: string): TranslatedSaid {
  const parsed = parsedFact(label, value);
  if (parsed === null) return { said: [value], isEnglish: SENTENCES.includes(label) };
  return { said: factSaid(parsed), isEnglish: false };
}

function factSaid(parsed: ParsedFact): Said {
  switch (parsed.type) {
    case 'metric': {
      const { metric, operator, threshold, lasts } = parsed;
      const limit = `${metricsDe.operators[operator] ?? operator} ${metricAmount(metric, threshold, number)}`;
      return [`${metricLabel(metric, metricsDe)} ${limit}${lastsFor(lasts)}`];
    }
    case 'disk':
      return [`${parsed.mount} innerhalb von ${number(parsed.hours)} Std. voll`];
    case 'value':
      return [number(parsed.value)];
    case 'lookups':
      return [{ atMs: parsed.atMs }, ', durch zwei Abfragen'];
  }
}

const DECIDED = /^(?<down>\d+) of (?<valid>\d+) valid votes are down, (?<needed>\d+) needed$/;

function decided(reason: string): Translated {
  const { down, valid, needed } = DECIDED.exec(reason)?.groups ?? {};
  if (down === undefined) return { text: reason, isEnglish: true };
  const text = `${down} von ${valid} gültigen Stimmen ${down === '1' ? 'meldet' : 'melden'} einen Ausfall, nötig: ${needed}`;
  return { text, isEnglish: false };
}

export const de: typeof en = {
  state: (state) => STATES[state]?.word ?? state,
  resolved: 'BEHOBEN',
  acknowledged: 'bestätigt',
  silenced: 'stummgeschaltet',
  cause(cause: Cause): Said | null {
    const ofState = STATES[cause.state]?.cause;
    return causeOf(cause, CAUSE) ?? (ofState === undefined ? null : [ofState]);
  },
  wording: 'Wortlaut der Benachrichtigung',
  duration: (ms) => withOneDay(durationIn(UNITS, ms)),
  since: (lasted, fromHtml) => `Seit ${lasted.replace(/ Tage\b/, ' Tagen')}, ab ${fromHtml}`,
  fromTo: (lasted, fromHtml, toHtml) => `Dauer: ${lasted}, von ${fromHtml} bis ${toHtml}`,
  unchanged: {
    title: 'Nichts wurde geändert:',
    resolved: 'Der Vorfall ist behoben.',
    before: 'Das ist schon geschehen.',
  },
  acknowledgedHtml: (atHtml, byHtml) =>
    `<b>Bestätigt</b> am ${atHtml} von ${byHtml}. Erinnerungen und Eskalation sind beendet.`,
  linkOf: (channel) => `einem Link im Kanal „${channel}“`,
  unknown: 'unbekannt',
  maintenance: 'einem Wartungsfenster',
  silencedHtml: (byHtml) => `<b>Stummgeschaltet</b> von ${byHtml}.`,
  untilResolved: 'Picket sendet keine Benachrichtigungen mehr, bis der Vorfall behoben ist.',
  untilHtml: (atHtml) =>
    `Picket sendet bis ${atHtml} keine Benachrichtigungen. Besteht das Problem dann noch, meldet Picket den Vorfall erneut.`,
  isResolved: 'Dieser Vorfall ist behoben.',
  open: 'In Picket öffnen',
  linkLabel: (label) => LINK_LABELS[label] ?? label,
  footerHtml: (channelHtml, untilHtml, isResolved) =>
    `Dieser Link ging an den Kanal ${channelHtml} und funktioniert bis ${untilHtml}. Wer ihn hat, kann diese Seite sehen${
      isResolved ? '' : ' und den Vorfall bestätigen oder stummschalten'
    }.`,
  recordedHtml: (personHtml) => `Picket vermerkt, dass es ${personHtml} war.`,
  acknowledge: 'Bestätigen',
  acknowledgeHelp: 'Sie kümmern sich darum: Erinnerungen und Eskalation enden',
  silence: 'Stummschalten: keine Benachrichtigungen zu diesem Vorfall',
  silenceUntilResolved: 'Bis er behoben ist',
  silenceFor: (lasted) => `Für ${lasted}`,
  votes: 'Stimmen, als der Vorfall eröffnet wurde',
  vote: (counted) => VOTES[counted],
  reason,
  failure,
  city: cityName,
  checkedHtml: (atHtml) => `geprüft: ${atHtml}`,
  more: (count) => `und ${plural(count, { one: 'weiterer Standort', other: 'weitere Standorte' })}`,
  details: 'Einzelheiten',
  target: 'Ziel',
  decision: 'Entscheidung',
  decided,
  label: (label) => LABELS[label] ?? label,
  fact,
  notice: {
    refused: 'Dieser Link funktioniert nicht',
    refusedText:
      'Links in Benachrichtigungen funktionieren 24 Stunden lang. Dieser ist abgelaufen, wurde widerrufen oder nicht vollständig kopiert.',
    logIn: 'Melden Sie sich an, um zu sehen, was gerade gestört ist, und um Vorfälle zu bestätigen.',
    openPicket: 'Picket öffnen',
    tooMany: 'Zu viele Links, die nicht funktionieren',
    tooManyText: (seconds) =>
      `Aus Ihrem Netz wurden zu viele Links geöffnet, die nicht funktionieren. Versuchen Sie es in ${plural(
        Number(seconds),
        { one: 'Sekunde', other: 'Sekunden' },
      )} noch einmal. Ein Link, der funktioniert, ist nicht betroffen.`,
    unavailable: 'Picket ist nicht verfügbar',
    unavailableText: 'Die Datenbank antwortet nicht. Laden Sie diese Seite in einigen Sekunden noch einmal.',
  },
};
