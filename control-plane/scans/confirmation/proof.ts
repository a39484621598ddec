import type { Texts } from '../../../kernel/dns/answer.js';
import { GuardedFetchError } from '../../../kernel/fetch-failure.js';
import type { GuardedFetch } from '../../../kernel/guard/guarded-fetch.js';
import type { SecretBox } from '../../storage/secret-box.js';
import type { ProofMethod } from '../documents.js';

const TOKEN_CHARS = 40;
const PURPOSE = 'scan confirmation';
const FILE_MS_MAX = 10_000;

export const PROOF_PATH = '/.well-known/picket-scan.txt';

/** Returns the name of the TXT record. */
export function proofRecordName(host: string): string {
  return `_picket-scan.${host}`;
}

/** Returns the token that a website shows to let a workspace scan it: always the same, and not that of another workspace. */
export function createProofToken(box: Pick<SecretBox, 'fingerprint'>): (workspaceId: string) => string {
  return (workspaceId) => `picket-scan=${box.fingerprint(workspaceId, PURPOSE).slice(0, TOKEN_CHARS)}`;
}

/** Resolves to how a website proves that a workspace controls it, or to why it does not. Never rejects. */
export type ReadProof = (
  of: { host: string; origin: string; token: string },
  signal: AbortSignal,
) => Promise<{ method: ProofMethod } | { problem: string }>;

export function createReadProof(needs: {
  dns: { resolveTxt(name: string): Promise<Texts> };
  fetch: Pick<GuardedFetch, 'request'>;
}): ReadProof {
  const { dns, fetch } = needs;

  /** Resolves to null if the file has the token. Redirects are not followed: they lead to where others may write. */
  async function fileProblem(origin: string, token: string, signal: AbortSignal): Promise<string | null> {
    const url = new URL(PROOF_PATH, origin).href;
    try {
      const request = { method: 'GET', headers: {}, body: null, timeoutMs: FILE_MS_MAX, signal } as const;
      const { status, body } = await fetch.request(url, request);
      if (status !== 200) return `${PROOF_PATH} answers with status ${status}`;
      return body.trim() === token ? null : `${PROOF_PATH} has another content`;
    } catch (error) {
      if (!(error instanceof GuardedFetchError)) throw error;
      return `${PROOF_PATH} could not be read: ${error.message}`;
    }
  }

  return async ({ host, origin, token }, signal) => {
    const texts = await dns.resolveTxt(proofRecordName(host));
    if (texts.kind === 'texts' && texts.texts.some((text) => text.trim() === token)) return { method: 'dns' };
    const file = await fileProblem(origin, token, signal);
    if (file === null) return { method: 'file' };
    return { problem: `${recordProblem(texts)}, and ${file}` };
  };
}

function recordProblem(texts: Texts): string {
  if (texts.kind === 'texts') return 'the TXT record has another content';
  return texts.kind === 'none' ? 'there is no TXT record' : 'the TXT record could not be looked up';
}
