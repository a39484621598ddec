import type { ServerMetadata } from 'openid-client';

const URL_CHARS_MAX = 2_048;
const LIST_MAX = 100;

/**
 * Returns what makes the metadata of a provider unusable; null when nothing does. The issuer must be exactly the
 * configured one. A provider for the people of many organizations has a placeholder there, and would let each of those
 * organizations claim any e-mail address.
 */
export function metadataProblem(metadata: ServerMetadata, issuer: string, allowHttp: boolean): string | null {
  if (!URL.canParse(metadata.issuer) || new URL(metadata.issuer).href !== new URL(issuer).href) {
    return 'the provider names another issuer than this one';
  }
  for (const name of ['authorization_endpoint', 'token_endpoint', 'jwks_uri'] as const) {
    if (!isWebUrl(metadata[name], allowHttp)) return `the metadata has no usable ${name}`;
  }
  if (metadata.userinfo_endpoint !== undefined && !isWebUrl(metadata.userinfo_endpoint, allowHttp)) {
    return 'the metadata has no usable userinfo_endpoint';
  }
  if (!offers(metadata.response_types_supported, 'code')) return 'the provider does not support the response type code';
  if (!offers(metadata.code_challenge_methods_supported, 'S256')) return 'the provider does not support PKCE with S256';
  return null;
}

function isWebUrl(value: unknown, allowHttp: boolean): boolean {
  if (typeof value !== 'string' || value.length > URL_CHARS_MAX || !URL.canParse(value)) return false;
  const { protocol } = new URL(value);
  return protocol === 'https:' || (allowHttp && protocol === 'http:');
}

/** A provider that names nothing may support it. */
function offers(list: unknown, value: string): boolean {
  return list === undefined || (Array.isArray(list) && list.slice(0, LIST_MAX).includes(value));
}
