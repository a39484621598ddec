import type { Judgement } from './judgement.js';

/**
 * Returns what the answers for two files mean that do not exist in the uploads: a PHP file and a text file. Only the plugin can
 * put files there. A server that refuses every PHP file refuses this one too, and any other says that it does not exist.
 */
export function judgeUploads({ php, text }: { php: { status: number }; text: { status: number } }): Judgement {
  if (php.status === 403 && text.status !== 403) {
    return { status: 'passing', evidence: 'PHP files in the uploads are refused with HTTP 403' };
  }
  return {
    status: 'unknown',
    evidence: `a PHP file that does not exist in the uploads answers with HTTP ${php.status}`,
  };
}
