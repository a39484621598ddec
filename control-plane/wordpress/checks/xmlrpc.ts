import type { Judgement } from './judgement.js';

/** What an XML-RPC client sends to learn which methods a site offers. */
export const LIST_METHODS = '<?xml version="1.0"?><methodCall><methodName>system.listMethods</methodName></methodCall>';

/** The statuses with which a server refuses a POST. */
const REFUSALS: ReadonlySet<number> = new Set([401, 403, 404, 405, 410]);

/**
 * Returns what the answer to `LIST_METHODS` means. A `methodResponse` with a fault is failing too: multicall and pingbacks
 * still answer then. The plugin has the same function; `test/helpers/wordpress/vectors.json` has examples of both.
 */
export function judgeXmlrpc({ status, body }: { status: number; body: string }): Judgement {
  if (body.includes('<methodResponse')) {
    const methods = body.match(/<value><string>/g)?.length ?? 0;
    const offered = methods === 0 ? '' : ` and offers ${methods} methods`;
    return { status: 'failing', evidence: `xmlrpc.php answers with HTTP ${status}${offered}` };
  }
  if (REFUSALS.has(status)) return { status: 'passing', evidence: `xmlrpc.php refuses the call with HTTP ${status}` };
  if (status === 200 && body.trim() === '') {
    return { status: 'passing', evidence: 'xmlrpc.php answers with an empty page' };
  }
  return { status: 'unknown', evidence: `xmlrpc.php answers with HTTP ${status}, but not as WordPress does` };
}
