import type { CheckSentences } from './facts.ts';

const whereOf = (where: string): string => (where === '' ? 'Das Ziel' : where);
const after = (time: string): string => (time === '' ? '' : ` nach ${time}`);
const within = (time: string): string => (time === '' ? ' rechtzeitig' : ` innerhalb von ${time}`);
const quote = (text: string): string => (text === '' ? '' : ` „${text}“`);

/** Why a check failed, by the code of the error. */
export const sentences: CheckSentences = {
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
