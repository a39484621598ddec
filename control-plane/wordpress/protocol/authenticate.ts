import { AppError } from '../../errors.js';
import { isDuplicateKey, type Transaction } from '../../storage/transaction.js';
import type { SiteDocument } from '../documents.js';
import type { SiteNeeds } from '../needs.js';
import { isSignature, requestSignature } from './signature.js';

/** A request may be this much older or newer than the clock of the control plane. */
const REQUEST_AGE_MS_MAX = 300_000;

export const SIGNED_HEADERS = ['x-picket-site', 'x-picket-time', 'x-picket-nonce', 'x-picket-signature'] as const;

const NONCE = /^[0-9a-f]{32}$/;
const TIME = /^\d{10}$/;
const SITE = /^site_[0-9a-z]{26}$/;

/** A request that the plugin of this site has signed. */
export interface PluginRequest {
  site: SiteDocument;
  secret: string;
  nonce: string;
}

interface Signed {
  path: string;
  raw: { bytes: Buffer; headers: Readonly<Record<string, string>> };
}

/** Returns the secret of a connected site. */
export function secretOf(box: Pick<SiteNeeds['box'], 'open'>, { _id, secret }: SiteDocument): string | null {
  return secret === null ? null : box.open(secret, { purpose: 'site', id: _id });
}

/**
 * Resolves to the site whose plugin has signed the request. Throws 401 unless the signature is right, the request is at most
 * five minutes old, and its nonce is new. The nonce is stored by the transaction, so a request that fails can be repeated.
 */
export async function authenticatePlugin(
  needs: Pick<SiteNeeds, 'sites' | 'nonces' | 'box' | 'clock'>,
  tx: Transaction,
  { path, raw }: Signed,
): Promise<PluginRequest> {
  const { 'x-picket-site': id = '', 'x-picket-time': timestamp = '' } = raw.headers;
  const { 'x-picket-nonce': nonce = '', 'x-picket-signature': signature = '' } = raw.headers;
  if (!SITE.test(id) || !TIME.test(timestamp) || !NONCE.test(nonce)) throw refused('The request is not signed.');
  const site = await needs.sites.findForPlugin(tx, id);
  const secret = site === null ? null : secretOf(needs.box, site);
  // An unknown site and a wrong signature cannot be told apart, so nobody can find out which sites exist.
  if (site === null || secret === null) throw wrong();
  const expected = requestSignature(secret, { method: 'POST', path, timestamp, nonce, siteId: id, body: raw.bytes });
  if (!isSignature(signature, expected)) throw wrong();
  const nowMs = needs.clock.now();
  const behindS = Math.round(nowMs / 1_000) - Number(timestamp);
  if (Math.abs(behindS) * 1_000 > REQUEST_AGE_MS_MAX) {
    throw refused(`The clock of this server differs from Picket's by ${Math.abs(behindS)} s. Set it right.`);
  }
  const expiresAtMs = nowMs + 2 * REQUEST_AGE_MS_MAX;
  await needs.nonces
    .insert(tx, { workspaceId: site.workspace_id, siteId: id, nonce, expiresAtMs })
    .catch((error: unknown) => {
      throw isDuplicateKey(error) ? refused('The request was received before.') : error;
    });
  return { site, secret, nonce };
}

function wrong(): AppError {
  return refused('The signature is wrong, or the site is not connected any more.');
}

function refused(detail: string): AppError {
  return new AppError('unauthenticated', detail);
}
