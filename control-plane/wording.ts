/** A name can have 200 characters; a sentence in a chat message must stay short. */
const NAME_CHARS_MAX = 120;

/** Returns a name as a sentence contains it: cut to 120 characters. */
export function shortName(name: string): string {
  return name.length > NAME_CHARS_MAX ? `${name.slice(0, NAME_CHARS_MAX - 1)}…` : name;
}

/** `1 monitor`, `2 monitors` */
export function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}

const ACRONYMS: ReadonlyMap<string, string> = new Map([
  ['api', 'API'],
  ['mfa', 'MFA'],
]);

/** Returns the title of an action of the audit log: `API key created` for `api_key.created`. */
export function actionTitle(action: string): string {
  const words = action.split(/[._]/).map((word) => ACRONYMS.get(word) ?? word);
  const title = words.join(' ');
  return title.charAt(0).toUpperCase() + title.slice(1);
}

/** `12:00:03 UTC` */
export function clockTime(atMs: number): string {
  return `${new Date(atMs).toISOString().slice(11, 19)} UTC`;
}

/** `2026-01-31 12:00:05 UTC`. Messages name the time zone because their readers are in several. */
export function utc(atMs: number): string {
  return `${new Date(atMs).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}

const BYTE_UNITS = ['B', 'kB', 'MB', 'GB', 'TB', 'PB'];

/** `734 MB`: decimal units, as hosters count, with one decimal below 100. */
export function bytes(size: number): string {
  let [value, unit] = [size, 0];
  for (; value >= 999.5 && unit < BYTE_UNITS.length - 1; unit++) value /= 1_000;
  return `${value.toFixed(unit === 0 || value >= 99.95 ? 0 : 1)} ${BYTE_UNITS[unit]}`;
}
