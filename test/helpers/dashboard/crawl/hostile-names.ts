/** As long as a name may be. */
const NAME_CHARS = 200;

export const MARKUP = `<img src=x onerror="alert('hostile')">`;
/** Without a place to break the line. */
export const LONG = 'W'.repeat(NAME_CHARS);
/** From right to left. */
const RTL = 'שרת ראשי של החנות';
/** All of it in one name. */
export const ALL = `${MARKUP} ${RTL} ${'W'.repeat(NAME_CHARS - MARKUP.length - RTL.length - 2)}`;
export const NAMES = [ALL, MARKUP, LONG, RTL];
export const TAGS = [MARKUP, 'W'.repeat(50), RTL];
/** As long as an address can be, and with markup. */
export const EMAILS = [
  `${'w'.repeat(64)}@${'w'.repeat(60)}.example.com`,
  `'<img/src=x/onerror=alert(1)>'@example.com`,
] as const;
