/** Google delivers these domains to the same mailboxes, and ignores dots. */
const GOOGLE_DOMAINS: ReadonlySet<string> = new Set(['gmail.com', 'googlemail.com']);

/**
 * Returns one address for all that are delivered to the same mailbox, so that limits count them together: in lower case, and
 * without a tag, because many mail servers deliver `ann+anything@example.com` to `ann@example.com`. Addresses of Gmail also
 * lose their dots.
 */
export function countedMailbox(address: string): string {
  const lower = address.toLowerCase();
  const at = lower.lastIndexOf('@');
  const [name, domain] = [lower.slice(0, at), lower.slice(at + 1)];
  const plus = name.indexOf('+');
  const untagged = plus > 0 ? name.slice(0, plus) : name;
  return GOOGLE_DOMAINS.has(domain) ? `${untagged.replaceAll('.', '')}@gmail.com` : `${untagged}@${domain}`;
}
