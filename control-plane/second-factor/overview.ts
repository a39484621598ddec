import { toIso } from '../../kernel/clock.js';
import type { RequiringWorkspaces } from '../accounts/requiring-workspaces.js';
import type { Person } from './person.js';
import type { SecondFactorOverview } from './schema.js';
import type { SecondFactorsStore } from './store.js';
import { summaryOf } from './summary.js';

/** Returns the read of what a person has set up, and which of their workspaces require it. */
export function createOverview(needs: { factors: SecondFactorsStore; requiringWorkspaces: RequiringWorkspaces }) {
  const { factors, requiringWorkspaces } = needs;
  return async ({ userId }: Person): Promise<SecondFactorOverview> => {
    const [document, requiring] = await Promise.all([factors.find(userId), requiringWorkspaces(userId)]);
    const { passkeys, recoveryCodes } = summaryOf(document);
    const totp = document?.totp ?? null;
    return {
      totp: totp === null ? null : { enabled_at: toIso(totp.since_ms) },
      passkeys,
      recovery_codes_left: recoveryCodes,
      required_by: requiring.map(({ name }) => name),
    };
  };
}
