import type { Translated } from './en.js';

/** What the message of a probe says of the failure. Each is empty if it does not say it. */
interface Facts {
  /** Host and port, or an address. */
  where: string;
  /** How long it took, as `1,2 s`. */
  time: string;
  /** What the message quotes: a keyword, or a name. */
  quoted: string;
  expected: string;
  got: string;
  message: string;
}

const whereOf = (where: string): string => (where === '' ? 'Das Ziel' : where);
const after = (time: string): string => (time === '' ? '' : ` nach ${time}`);
const within = (time: string): string => (time === '' ? ' rechtzeitig' : ` innerhalb von ${time}`);
const quote = (text: string): string => (text === '' ? '' : ` „${text}“`);

/** Why a check failed, by the code of the error. The dashboard says the same. */
const SENTENCES: Readonly<Record<string, (facts: Facts) => string>> = {
  dns_failure: ({ quoted }) => `Der Name${quote(quoted)} ließ sich nicht auflösen`,
  connection_refused: ({ where, time }) => `${whereOf(where)} hat die Verbindung${after(time)} abgelehnt`,
  connection_reset: ({ where, time }) => `${whereOf(where)} hat die Verbindung${after(time)} abgebrochen`,
  connect_timeout: ({ where, time }) => `${whereOf(where)} hat die Verbindung nicht${within(time)} angenommen`,
  tls_handshake: ({ where, time }) =>
    `Der TLS-Handshake mit ${where === '' ? 'dem Ziel' : where} scheiterte${after(time)}`,
  tls_untrusted: ({ where }) => `Das Zertifikat${where === '' ? '' : ` von ${where}`} ist nicht vertrauenswürdig`,
  tls_expired: ({ where, message }) =>
    `Das Zertifikat${where === '' ? '' : ` von ${where}`} ist ${/expired/.test(message) ? 'abgelaufen' : 'noch nicht gültig'}`,
  tls_name_mismatch: ({ where }) => `Das Zertifikat${where === '' ? '' : ` von ${where}`} gilt für einen anderen Namen`,
  response_timeout: ({ where, time }) => `${whereOf(where)} hat nicht${within(time)} vollständig geantwortet`,
  status_mismatch: ({ expected, got }) =>
    got === '' ? 'Unerwarteter HTTP-Status' : `Status ${got}, erwartet war ${expected}`,
  keyword_missing: ({ quoted }) => `Der Text${quote(quoted)} fehlt in der Antwort`,
  keyword_present: ({ quoted }) => `Die Antwort enthält den verbotenen Text${quote(quoted)}`,
  too_many_redirects: ({ quoted }) => `Zu viele Weiterleitungen${quoted === '' ? '' : `, zuletzt auf ${quoted}`}`,
  response_too_large: () => 'Die Antwort ist zu groß',
  blocked_target: ({ quoted }) =>
    `${quoted === '' ? 'Das Ziel' : `„${quoted}“`} führt zu einer Adresse, die nicht erlaubt ist`,
  packet_loss: ({ where, time }) => `${whereOf(where)} hat nicht${within(time)} auf Ping geantwortet`,
  unreachable: ({ where }) => `${whereOf(where)} ist nicht erreichbar`,
  protocol_error: () => 'Die Antwort folgt nicht dem Protokoll',
};

/** Returns why a check failed in German; what has no sentence is said as the probe said it. Pure. */
export function failure(code: string | null, message: string): Translated {
  const words = code !== null && Object.hasOwn(SENTENCES, code) ? SENTENCES[code] : undefined;
  return words === undefined ? { text: message, isEnglish: true } : { text: words(factsOf(message)), isEnglish: false };
}

function factsOf(message: string): Facts {
  const first = (pattern: RegExp) => pattern.exec(message)?.[1] ?? '';
  return {
    where: first(/((?:\[[0-9a-f:.]+\]|\d+\.\d+\.\d+\.\d+)(?::\d+)?)/i),
    time: first(/(?:after|within) (\d+(?:\.\d+)? (?:ms|s|min|h))\b/).replace('.', ','),
    quoted: first(/"([^"]*)"/),
    expected: first(/expected status (\d+)/),
    got: first(/got (\d+)/),
    message,
  };
}
