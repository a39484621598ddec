import { SettingError, type Settings } from '../../kernel/settings.js';
import { ROLES } from '../roles.js';
import type { RoleRule } from './sign-in/role.js';

const DEFAULT_SCOPES = 'openid email profile';
const NAME_CHARS_MAX = 60;

/** The identity provider of the whole installation, from `PICKET_OIDC_*`. */
export interface InstallationProvider {
  issuer: string;
  clientId: string;
  /** Secret. */
  clientSecret: string;
  scopes: string[];
  roleClaim: string | null;
  /** The workspace whose members people become; `first`: the one that the first start created. */
  workspace: string;
  /** The text of the button. */
  name: string;
}

const VARIABLES = {
  issuer: 'PICKET_OIDC_ISSUER',
  clientId: 'PICKET_OIDC_CLIENT_ID',
  clientSecret: 'PICKET_OIDC_CLIENT_SECRET',
} as const;

/** Returns null when there is none. Throws SettingError for incomplete settings. */
export function readInstallationProvider(settings: Settings): InstallationProvider | null {
  const issuer = settings.optionalText(VARIABLES.issuer);
  const clientId = settings.optionalText(VARIABLES.clientId);
  const clientSecret = settings.optionalText(VARIABLES.clientSecret);
  if (issuer === null && clientId === null && clientSecret === null) return null;
  for (const [variable, value] of [
    [VARIABLES.issuer, issuer],
    [VARIABLES.clientId, clientId],
    [VARIABLES.clientSecret, clientSecret],
  ] as const) {
    if (value === null)
      throw new SettingError(variable, 'is missing: PICKET_OIDC_ISSUER, _CLIENT_ID and _CLIENT_SECRET go together');
  }
  const scopes = settings
    .text('PICKET_OIDC_SCOPES', DEFAULT_SCOPES)
    .split(/[\s,]+/)
    .filter((scope) => scope !== '');
  if (!scopes.includes('openid')) throw new SettingError('PICKET_OIDC_SCOPES', 'must contain openid');
  const workspace = settings.text('PICKET_OIDC_WORKSPACE', 'first');
  if (workspace !== 'first' && !/^ws_[0-9a-z]{26}$/.test(workspace)) {
    throw new SettingError('PICKET_OIDC_WORKSPACE', 'must be the id of a workspace (ws_…) or first');
  }
  return {
    issuer: checkedIssuer(issuer ?? ''),
    clientId: clientId ?? '',
    clientSecret: clientSecret ?? '',
    scopes,
    roleClaim: settings.optionalText('PICKET_OIDC_ROLE_CLAIM'),
    workspace,
    name: settings.text('PICKET_OIDC_NAME', 'Single sign-on').slice(0, NAME_CHARS_MAX),
  };
}

/** Unlike other URLs of settings, a slash at its end stays: it is part of the issuer's name. */
function checkedIssuer(issuer: string): string {
  if (!URL.canParse(issuer)) throw new SettingError(VARIABLES.issuer, 'is not a URL');
  const url = new URL(issuer);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    throw new SettingError(VARIABLES.issuer, 'must start with https:// or http://');
  }
  if (url.username !== '' || url.search !== '' || url.hash !== '' || url.pathname.includes('/.well-known/')) {
    throw new SettingError(
      VARIABLES.issuer,
      'must be the issuer alone, without user, query, fragment or /.well-known/',
    );
  }
  return issuer;
}

/**
 * Returns how the claim decides about roles: its values are Picket's names of roles. It never makes an owner. With a
 * claim, people without a known value only look; without one, new people are members.
 */
export function installationRoleRule({ roleClaim }: InstallationProvider): RoleRule {
  const names = ROLES.filter((role) => role !== 'owner');
  return {
    role_claim: roleClaim,
    role_mapping: names.map((role) => ({ value: role, role })),
    default_role: roleClaim === null ? 'member' : 'viewer',
    owner_by_claim: false,
  };
}
