import type { Random } from '../../kernel/random.js';
import type { ScanFile } from '../../proto/generated/picket/link/v1/ScanFile.js';
import { CheckFailure } from '../checks/outcome.js';
import type { ScanClient, ScanResponse } from './client.js';

const FILE_BYTES_MAX = 4_096;
const NONCE_BYTES = 12;

/** Files that a website must not show, and what the content of each begins with or contains. */
const FILES: readonly { path: string; is(body: Buffer): boolean }[] = [
  { path: '/.git/HEAD', is: text(/^(ref: refs\/\S+|[0-9a-f]{40})\s*$/) },
  { path: '/.env', is: text(/^(export )?[A-Z][A-Z0-9_]{1,60}\s?=\s?\S/m, /^(?!\s*<)/) },
  { path: '/.htpasswd', is: text(/^[^\s:<>]{1,64}:(\$(apr1|2[aby]|5|6)\$|\{SHA\})/m) },
  { path: '/wp-config.php.bak', is: text(/DB_PASSWORD/, /<\?php/) },
  { path: '/wp-config.php~', is: text(/DB_PASSWORD/, /<\?php/) },
  { path: '/backup.sql', is: isSql },
  { path: '/dump.sql', is: isSql },
  { path: '/backup.zip', is: startsWith(0x50, 0x4b, 0x03, 0x04) },
  { path: '/backup.tar.gz', is: startsWith(0x1f, 0x8b, 0x08) },
  { path: '/phpinfo.php', is: text(/phpinfo\(\)/, /PHP Version/) },
  { path: '/server-status', is: text(/Apache Server Status/) },
];

function text(...patterns: RegExp[]): (body: Buffer) => boolean {
  return (body) => patterns.every((pattern) => pattern.test(body.toString('latin1')));
}

function startsWith(...bytes: number[]): (body: Buffer) => boolean {
  return (body) => body.subarray(0, bytes.length).equals(Buffer.from(bytes));
}

function isSql(body: Buffer): boolean {
  return /^(-- (MySQL|MariaDB|PostgreSQL)|CREATE TABLE |INSERT INTO |DROP TABLE |\/\*!\d{5} )/m.test(
    body.toString('latin1'),
  );
}

/**
 * Asks for files that must not be public. A file counts as exposed by its content, and only if a random path does not show the
 * same kind of content: some websites answer every path. A refusal of the request, rather than of the path, says nothing about the
 * file. The content stays here.
 */
export async function findExposedFiles(client: ScanClient, base: URL, random: Random): Promise<ScanFile[]> {
  const anything = await read(client, base, `/picket-${random.bytes(NONCE_BYTES).toString('hex')}`);
  const found: ScanFile[] = [];
  for (const { path, is } of FILES) {
    const response = await read(client, base, path);
    const status = response?.head.status ?? 0;
    found.push({ path, status, outcome: outcomeOf(response, anything, is) });
  }
  return found;
}

function outcomeOf(response: ScanResponse | null, anything: ScanResponse | null, is: (body: Buffer) => boolean) {
  if (!isAnswered(response)) return 'unknown';
  // A firewall of web applications refuses every path in the same way.
  if (response.head.status === 403 && anything?.head.status === 403) return 'unknown';
  const isFile = isShown(response) && is(response.body);
  if (!isFile) return 'absent';
  // Without an answer for a random path, nothing shows that this answer is about the file.
  return !isAnswered(anything) || (isShown(anything) && is(anything.body)) ? 'unknown' : 'exposed';
}

/** A rate limit and an error of the server are no answers about the path. */
function isAnswered(response: ScanResponse | null): response is ScanResponse {
  return response !== null && response.head.status !== 429 && response.head.status < 500;
}

function isShown({ head }: ScanResponse): boolean {
  return head.status === 200 || head.status === 206;
}

/** Resolves to null if there is no answer. */
async function read(client: ScanClient, base: URL, path: string): Promise<ScanResponse | null> {
  try {
    return await client.get(new URL(path, base), FILE_BYTES_MAX);
  } catch (error) {
    if (error instanceof CheckFailure) return null;
    throw error;
  }
}
