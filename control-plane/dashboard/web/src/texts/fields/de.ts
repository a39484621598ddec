import { number, plural } from '../format.ts';
import type { Facts, FieldSentences } from './facts.ts';
import { planSentence } from './plan-de.ts';

const characters = (count: number) => plural(count, { one: 'Zeichen', other: 'Zeichen' });
const entries = (count: number) => plural(count, { one: 'Eintrag', other: 'Einträge' });

const TYPES: Readonly<Record<string, string>> = {
  ...{ integer: 'eine ganze Zahl', number: 'eine Zahl', string: 'einen Text', boolean: 'Ja oder Nein' },
  ...{ array: 'eine Liste', object: 'mehrere Werte' },
};
const FORMATS: Readonly<Record<string, string>> = { email: 'eine E-Mail-Adresse', uri: 'eine URL' };

/** What a monitor of a backup has that Picket does not. */
const UNSUPPORTED: Readonly<Record<string, (value: string) => string>> = {
  upside_down: () => 'Den umgekehrten Modus („upside down“) kann Picket nicht.',
  no_type: () => 'Der Monitor hat keine Art.',
  type: (value) => `Die Art „${value}“ kann Picket nicht.`,
  proxy: () => 'Prüfungen über einen Proxy kann Picket nicht.',
  method: (value) => `Die Methode ${value} kann Picket nicht.`,
  no_keyword: () => 'Dem Monitor fehlt der Text, den die Antwort enthalten muss.',
  headers: () => 'Die Header sind kein JSON-Objekt mit Texten.',
  authentication: (value) => `Die Anmeldung mit „${value}“ kann Picket nicht.`,
};
const unsupported = ({ feature, value }: Facts['all']): string =>
  UNSUPPORTED[String(feature)]?.(String(value ?? '')) ?? 'Picket kann diesen Monitor nicht importieren.';

/** What can be wrong with a field, for the person who filled it in. */
export const sentences: FieldSentences = {
  invalid: () => 'Picket nimmt diesen Wert nicht an. Prüfen Sie ihn und die Hinweise am Feld.',
  required: () => 'Füllen Sie dieses Feld aus.',
  empty: () => 'Füllen Sie dieses Feld aus.',
  unknown_field: () => 'Picket kennt dieses Feld nicht.',
  one_of: ({ values }) => `Wählen Sie eines davon: ${values.join(', ')}.`,
  type: ({ types }) => `Geben Sie ${types.map((type) => TYPES[type] ?? type).join(' oder ')} ein.`,
  format: ({ example }) =>
    example === '' ? 'Das hat nicht die richtige Form.' : `Das hat nicht die richtige Form. Zum Beispiel: ${example}`,
  named_format: ({ format }) => `Geben Sie ${FORMATS[format] ?? format} ein.`,
  id: ({ prefix }) => `Geben Sie eine Kennung ein, die mit ${prefix}_ beginnt.`,
  min: ({ min }) => `Geben Sie mindestens ${number(min)} ein.`,
  max: ({ max }) => `Geben Sie höchstens ${number(max)} ein.`,
  above: ({ min }) => `Geben Sie mehr als ${number(min)} ein.`,
  below: ({ max }) => `Geben Sie weniger als ${number(max)} ein.`,
  multiple_of: ({ of }) => `Geben Sie ein Vielfaches von ${number(of)} ein.`,
  min_length: ({ min }) => `Geben Sie mindestens ${characters(min)} ein.`,
  max_length: ({ max }) => `Geben Sie höchstens ${characters(max)} ein.`,
  min_items: ({ min }) => `Mindestens ${entries(min)}.`,
  max_items: ({ max }) => `Höchstens ${entries(max)}.`,
  timestamp: () => 'Geben Sie ein Datum mit Uhrzeit ein.',
  order: () => 'Der Anfang muss vor dem Ende liegen.',
  past: () => 'Wählen Sie einen Zeitpunkt in der Zukunft.',
  future: () => 'Wählen Sie einen Zeitpunkt, der nicht in der Zukunft liegt.',
  controls: () => 'Entfernen Sie Zeilenumbrüche und unsichtbare Zeichen.',
  spaces: () => 'Entfernen Sie Leerzeichen, Backslashes und unsichtbare Zeichen.',
  duplicate: () => 'Das steht zweimal da. Entfernen Sie eines.',
  too_large: () => 'Das ist auf einmal zu viel.',
  other_type: () => 'Das gehört nicht zu dieser Art der Prüfung.',
  web_address: () => 'Geben Sie eine ganze URL mit http:// oder https:// ein, ohne Benutzernamen oder Passwort.',
  host_and_port: () =>
    'Geben Sie Host und Port ein, zum Beispiel db.example:5432. Eine IPv6-Adresse steht in eckigen Klammern.',
  host: () => 'Geben Sie einen Hostnamen oder eine Adresse ein, zum Beispiel db.example.',
  port: () => 'Geben Sie einen Port von 1 bis 65535 ein.',
  private_address: () => 'Das ist eine private oder reservierte Adresse. Picket spricht solche Adressen nicht an.',
  user_info: () => 'Entfernen Sie Benutzernamen und Passwort: Alle, die benachrichtigt werden, würden sie sehen.',
  public_target: () => 'Geben Sie eine einzelne öffentliche Adresse oder eine Domain ein, zum Beispiel example.com.',
  forward_target: () =>
    'Geben Sie die Adresse des Empfängers ein, zum Beispiel logs.example:6514 oder https://logs.example/in.',
  unknown_location: () => 'Diesen Standort gibt es nicht.',
  unknown_channel: () => 'Diesen Kanal gibt es nicht mehr.',
  more_than_locations: ({ max }) => `Höchstens ${number(max)}: Mehr Standorte hat der Monitor nicht.`,
  header_name: () => 'Das ist kein Name eines Headers: Verwenden Sie Buchstaben, Ziffern und Bindestriche.',
  header_of_probe: () => 'Diesen Header setzt Picket selbst. Entfernen Sie ihn.',
  needs_body: () =>
    'Mit der Methode HEAD gibt es keine Antwort zu durchsuchen. Wählen Sie eine andere Methode, oder lassen Sie dieses Feld leer.',
  unknown_metric: () => 'Diese Messgröße haben Server nicht.',
  weak_password: () =>
    'Wählen Sie ein stärkeres Passwort: mindestens 12 Zeichen, kein häufiges, ohne Reihen und Wiederholungen, und nicht aus Ihrer Adresse oder dem Namen des Arbeitsbereichs.',
  wrong: () => 'Das ist falsch. Prüfen Sie es, und geben Sie es noch einmal ein.',
  ended_link: () => 'Dieser Link gilt nicht mehr. Fordern Sie einen neuen an.',
  same_password: () => 'Wählen Sie ein anderes Passwort als das bisherige.',
  needs_field: ({ all }) => `Das geht nur zusammen mit ${all['field']}.`,
  not_with: ({ all }) => `Das geht nicht zusammen mit ${all['field']}.`,
  not_of_operation: () => 'Das gehört nicht zu dieser Aktion.',
  too_many: ({ max }) => `Das betrifft mehr als ${number(max)}. Schränken Sie die Auswahl ein.`,
  issuer: ({ all }) => `Dieser Anbieter lässt sich nicht verwenden: ${all['reason']}.`,
  needs_openid: () => 'Der Scope „openid“ muss dabei sein.',
  maps_to_owner: () => 'Der Anbieter macht Personen nur zu Inhabern, wenn Sie das ausdrücklich erlauben.',
  needs_break_glass: () => 'Wählen Sie den Inhaber, der sich anmelden kann, wenn der Anbieter ausfällt.',
  break_glass: () => 'Wählen Sie einen Inhaber, der ein Passwort hat und dessen Konto nicht gelöscht wird.',
  send_again: () => 'Geben Sie das noch einmal ein, denn es ginge an eine andere Adresse als bisher.',
  certificate: () => 'Geben Sie Zertifikate im PEM-Format ein, ohne privaten Schlüssel.',
  name_of_workspace: () => 'Geben Sie den Namen des Arbeitsbereichs genau ein.',
  ambiguous_name: () => 'Mehrere Monitore haben diesen Namen, aber keiner diese Adresse. Benennen Sie einen um.',
  plan_limit: ({ all }) => planSentence(all),
  changed: () => 'Jemand hat das seitdem geändert.',
  deleted: () => 'Jemand hat das seitdem gelöscht.',
  same_change: () => 'Jemand hat dieselbe Änderung schon gemacht.',
  exists: () => 'Einen Monitor mit dieser Kennung gibt es schon.',
  secrets_lost: () => 'Die gespeicherten Geheimnisse lassen sich nicht entschlüsseln.',
  reduced: ({ all }) => `Aus ${all['from']} wurde ${all['to']}, das Höchste in Picket.`,
  first_only: ({ all }) => `Nur die ersten ${all['max']} von ${all['count']} wurden importiert.`,
  one_status: ({ values, all }) =>
    `Aus ${values.join(', ')} wurde ${all['to']}: Picket erwartet einen einzigen Status.`,
  unsupported: ({ all }) => unsupported(all),
  in_use: () => 'Der Monitor wird noch verwendet, etwa in einem Wartungsfenster oder auf einer Statusseite.',
  channels_gone: () => 'Der Monitor ist wieder da, aber ohne die Kanäle, die inzwischen gelöscht wurden.',
  notifies_nobody: () =>
    'Der Monitor ist wieder da, benachrichtigt aber niemanden: Seine Kanäle wurden inzwischen gelöscht.',
  not_written: () => 'Picket konnte das nicht ändern. Warum, steht im Protokoll der Control Plane.',
};
