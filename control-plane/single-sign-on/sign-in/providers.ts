import type { Workspace, Workspaces } from '../../accounts/accounts.js';
import { PLANS } from '../../plans/plans.js';
import type { SecretBox } from '../../storage/secret-box.js';
import type { DomainStore } from '../domains/store.js';
import { type InstallationProvider, installationRoleRule } from '../installation.js';
import type { ProviderClientSettings } from '../oidc/provider-client.js';
import { openSecret } from '../provider/secret.js';
import type { ProviderStore } from '../provider/store.js';
import { emailAddress } from './email-address.js';
import { SignInRefused } from './refusal.js';
import type { RoleRule } from './role.js';

/** The id of the provider that is not of a workspace. */
export const INSTALLATION = 'installation';

/** A provider through which people can log in. */
export interface ActiveProvider {
  /** The workspace, or `installation`. */
  id: string;
  settings: ProviderClientSettings;
  rule: RoleRule;
  /** People become members of it. */
  workspace: Workspace;
}

/** Finds providers. All functions reject with SignInRefused when there is none, or when it may not be used. */
export interface Providers {
  /** The one that a log-in begins with: of the workspace, of the domain of the address, or of the installation. */
  toStart(query: { email?: string | undefined; workspace?: string | undefined }): Promise<ActiveProvider>;
  byId(id: string): Promise<ActiveProvider>;
}

export function createProviders(needs: {
  providers: ProviderStore;
  domains: DomainStore;
  workspaces: Workspaces;
  installation: InstallationProvider | null;
  box: SecretBox;
}): Providers {
  const { providers, domains, workspaces, installation, box } = needs;

  async function ofWorkspace(id: string): Promise<ActiveProvider> {
    const [provider, workspace] = [await providers.find(id), await workspaces.find(id)];
    if (provider === null || workspace === null) throw new SignInRefused('not_configured');
    // Whoever must log in with it could otherwise not log in at all.
    if (!PLANS[workspace.plan].singleSignOn && (await providers.policy(id))?.enforced !== true)
      throw new SignInRefused('plan_required');
    const { issuer, client_id, scopes } = provider;
    const settings = { issuer, clientId: client_id, clientSecret: openSecret(provider, box), scopes };
    return { id, settings, rule: provider, workspace };
  }

  async function ofInstallation(): Promise<ActiveProvider> {
    if (installation === null) throw new SignInRefused('not_configured');
    const { workspace: id } = installation;
    const workspace = id === 'first' ? await workspaces.operators() : await workspaces.find(id);
    if (workspace === null) throw new SignInRefused('not_configured', 'PICKET_OIDC_WORKSPACE names no workspace');
    return { id: INSTALLATION, settings: installation, rule: installationRoleRule(installation), workspace };
  }

  return {
    async toStart({ email, workspace }) {
      if (workspace !== undefined) return ofWorkspace(workspace);
      const address = emailAddress(email);
      const domain = address === null ? null : await domains.verified(address.domain);
      // A workspace that has only verified its domain must not keep people from the provider of the installation.
      const provider = domain === null ? null : await providers.find(domain.workspace_id);
      return provider === null ? ofInstallation() : ofWorkspace(provider._id);
    },
    byId: (id) => (id === INSTALLATION ? ofInstallation() : ofWorkspace(id)),
  };
}
