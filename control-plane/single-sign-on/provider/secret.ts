import type { SecretBox } from '../../storage/secret-box.js';
import type { ProviderDocument } from '../documents.js';

const PURPOSE = 'single_sign_on';

export function sealSecret(secret: string, box: SecretBox, workspaceId: string): string {
  return box.seal(secret, { purpose: PURPOSE, id: workspaceId });
}

export function openSecret(provider: ProviderDocument, box: SecretBox): string {
  return box.open(provider.client_secret, { purpose: PURPOSE, id: provider._id });
}

/** Returns the provider as the audit log names it. */
export function resourceOf({ provider_id, issuer }: ProviderDocument): { type: string; id: string; name: string } {
  return { type: 'single_sign_on_provider', id: provider_id, name: new URL(issuer).host };
}
