import { createHash } from 'node:crypto';

/** Returns the source of a content security policy that allows a style or script in the page itself, and no other. */
export function sourceOfInline(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}
