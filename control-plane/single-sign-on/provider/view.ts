import { toIso } from '../../../kernel/clock.js';
import type { ProviderDocument } from '../documents.js';
import type { Provider } from '../schema.js';
import type { SingleSignOnPolicy } from '../sign-in/policy.js';
import { callbackUrl, startUrl } from '../urls.js';

/** Returns the provider as the API shows it, without its secret. */
export function providerView(
  document: ProviderDocument,
  policy: SingleSignOnPolicy | null,
  publicUrl: string,
): Provider {
  return {
    id: document.provider_id,
    issuer: document.issuer,
    client_id: document.client_id,
    client_secret_set: true,
    scopes: document.scopes,
    role_claim: document.role_claim,
    role_mapping: Object.fromEntries(document.role_mapping.map(({ value, role }) => [value, role])),
    owner_by_claim: document.owner_by_claim,
    default_role: document.default_role,
    enforced: policy?.enforced ?? false,
    break_glass_user_id: policy?.break_glass_user_id ?? null,
    redirect_uri: callbackUrl(publicUrl),
    start_url: startUrl(publicUrl, { workspace: document._id }),
    created_at: toIso(document.created_at_ms),
    updated_at: toIso(document.updated_at_ms),
  };
}
