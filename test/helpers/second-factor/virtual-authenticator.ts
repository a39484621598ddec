import type { Page } from 'playwright-core';

/** One credential of the virtual authenticator, as the DevTools protocol has it. */
export interface VirtualCredential {
  credentialId: string;
  isResidentCredential: boolean;
  rpId?: string;
  privateKey: string;
  userHandle?: string;
  signCount: number;
}

/** The authenticator of one tab, which always finds its person there. */
export interface VirtualAuthenticator {
  credentials(): Promise<VirtualCredential[]>;
  /** Replaces the credentials by these. */
  replace(credentials: readonly VirtualCredential[]): Promise<void>;
}

/** Adds one to a tab (https://chromedevtools.github.io/devtools-protocol/tot/WebAuthn/). */
export async function addVirtualAuthenticator(page: Page): Promise<VirtualAuthenticator> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      ...{ protocol: 'ctap2', transport: 'internal' },
      ...{ hasResidentKey: true, hasUserVerification: true, isUserVerified: true, automaticPresenceSimulation: true },
    },
  });
  return {
    credentials: async () => (await devtools.send('WebAuthn.getCredentials', { authenticatorId })).credentials,
    async replace(credentials) {
      await devtools.send('WebAuthn.clearCredentials', { authenticatorId });
      for (const credential of credentials)
        await devtools.send('WebAuthn.addCredential', { authenticatorId, credential });
    },
  };
}
