import type { sentences as en } from './en.ts';

const receiver = (where: string): string => (where === '' ? 'Der Empfänger' : where);

/** Why a message did not reach its receiver. Each is the end of a sentence. */
export const sentences: typeof en = {
  redirect: ({ said }) => `Der Empfänger leitet auf eine andere Adresse weiter (Status ${said})`,
  answer: ({ said }) => said,
  unconfirmed: () => 'Kein Inhaber des Arbeitsbereichs hat seine E-Mail-Adresse bestätigt',
  madeUnconfirmed: () =>
    'Er wurde angelegt, bevor ein Inhaber seine E-Mail-Adresse bestätigt hatte, vielleicht von jemand anderem',
  noMailServer: () => 'Diese Installation hat keinen Mailserver (PICKET_SMTP_URL)',
  byPerson: () => 'von einer Person ausgeschaltet',
  notConfirmed: ({ said }) => `Nicht bestätigt von ${said}`,
  refusedFor: ({ said }) => `Der Mailserver hat ${said} abgelehnt`,
  url: () => 'Diese URL ist nicht erlaubt',
  blocked: ({ where }) =>
    `${where === '' ? 'Das Ziel' : where} führt zu einer Adresse, die diese Installation nicht erlaubt`,
  mailServerBusy: () => 'Der Mailserver war mit anderen E-Mails beschäftigt',
  mailServerSlow: () => 'Der Mailserver hat zu lange gebraucht',
  mailLogin: () => 'Der Mailserver akzeptiert Namen und Passwort dieser Installation nicht',
  recipients: ({ said }) => `Der Mailserver hat die Adressen abgelehnt: ${said}`,
  refused: ({ where }) => `${receiver(where)} hat die Verbindung abgelehnt`,
  unreachable: ({ where }) => (where === '' ? 'Der Empfänger ist nicht erreichbar' : `${where} ist nicht erreichbar`),
  name: ({ where }) =>
    where === '' ? 'Der Name des Empfängers ließ sich nicht auflösen' : `Der Name „${where}“ ließ sich nicht auflösen`,
  notAccepted: ({ where }) => `${receiver(where)} hat die Verbindung nicht rechtzeitig angenommen`,
  slow: ({ time }) =>
    `Der Empfänger hat nicht ${time === '' ? 'rechtzeitig' : `innerhalb von ${time}`} vollständig geantwortet`,
  reset: () => 'Der Empfänger hat die Verbindung vor seiner Antwort beendet',
  expired: () => 'Das Zertifikat des Empfängers ist abgelaufen',
  otherName: () => 'Das Zertifikat des Empfängers gilt für einen anderen Namen',
  untrusted: () => 'Das Zertifikat des Empfängers ist nicht vertrauenswürdig',
  noTls: () => 'Der Empfänger verwendet auf diesem Port kein TLS',
  tls: () => 'Die verschlüsselte Verbindung zum Empfänger ist gescheitert',
  protocol: () => 'Die Antwort des Empfängers ist kein gültiges HTTP',
  internal: ({ said }) => `Picket selbst hat einen Fehler: ${said}`,
};
