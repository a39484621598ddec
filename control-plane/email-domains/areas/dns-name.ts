const NAME_CHARS_MAX = 253;
const LABEL = /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/i;

/** Whether a text from a record can be looked up as a name. */
export function isDnsName(text: string): boolean {
  const name = text.replace(/\.$/, '');
  return name.length > 0 && name.length <= NAME_CHARS_MAX && name.split('.').every((label) => LABEL.test(label));
}

/** Returns the name as it is compared: in lower case, without a dot at its end. */
export function plainName(name: string): string {
  return name.toLowerCase().replace(/\.$/, '');
}
