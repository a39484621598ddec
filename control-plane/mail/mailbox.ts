/**
 * Returns the address in lower case and without a tag. Many mail servers deliver `ann+anything@example.com` to
 * `ann@example.com`, so limits for a mailbox count all of these addresses together.
 */
export function mailboxWithoutTag(address: string): string {
  const lower = address.toLowerCase();
  const at = lower.lastIndexOf('@');
  const plus = lower.indexOf('+');
  return plus > 0 && plus < at ? lower.slice(0, plus) + lower.slice(at) : lower;
}
