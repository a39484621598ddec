import type { Judgement } from './judgement.js';

const IS_LIST = /<title>\s*(?:Index of|Directory listing)/i;
const REFUSALS: ReadonlySet<number> = new Set([401, 403, 404, 410]);

/**
 * Returns what the answer of a folder means. The plugin has the same function; `test/helpers/wordpress/vectors.json` has
 * examples of both.
 */
export function judgeFolder(folder: string, { status, body }: { status: number; body: string }): Judgement {
  if (status === 200 && IS_LIST.test(body)) return { status: 'failing', evidence: `${folder} lists its files` };
  if (REFUSALS.has(status)) return { status: 'passing', evidence: `${folder} refuses the list with HTTP ${status}` };
  if (status === 200) return { status: 'passing', evidence: `${folder} answers without a list` };
  return { status: 'unknown', evidence: `${folder} answers with HTTP ${status}` };
}
