import { createGuardedFetch } from '../../kernel/guard/guarded-fetch.js';
import { createJoinTeam } from '../accounts/join.js';
import { createEndAddressAccess, createEndMemberAccess, createEndOnJoin } from '../accounts/member-access.js';
import { accountsSlice } from '../accounts/open.js';
import { createRequiringWorkspaces } from '../accounts/requiring-workspaces.js';
import { accountSchema } from '../accounts/schema.js';
import { accountOf } from '../accounts/view.js';
import { createHasRenewingSubscription } from '../billing/renewing-subscription.js';
import { composition } from '../composition.js';
import { mailSlice } from '../mail/open.js';
import { createDisableAll } from '../notifications/channel-settings/disable-all.js';
import { ownAccountSlice } from '../own-account/open.js';
import { createRecipientQuotas } from '../recipients/quotas/quotas.js';
import { createRecipientQuotasStore } from '../recipients/quotas/store.js';
import { secondFactorSlice } from '../second-factor/open.js';
import { sessionsSlice } from '../sessions/open.js';
import { signInSlice } from '../sign-in/open.js';
import { singleSignOnSlice } from '../single-sign-on/open.js';
import { needsSingleSignOn } from '../single-sign-on/sign-in/policy.js';
import { trustedHeaderSlice } from '../single-sign-on/trusted-header/open.js';
import { setAsideSlice } from '../storage/set-aside/open.js';
import { teamSlice } from '../team/open.js';
import { workspacesSlice } from '../workspaces/open.js';
import { type Base, withRequestDeadline } from './base.js';

/** People: who they are, how they log in, and their workspaces. */
export function peopleSlices() {
  return composition<Base>()
    .add(setAsideSlice, (from) => from)
    .add(mailSlice, (from) => ({ ...withRequestDeadline(from), ...from.config, box: from.secretBox }))
    .add(accountsSlice, (from) => ({
      ...{
        ...withRequestDeadline(from),
        scopes: from.declared.scopes,
        mailer: from.mail.mailer,
        publicUrl: from.config.publicUrl,
      },
    }))
    .add(sessionsSlice, (from) => ({
      ...{ ...withRequestDeadline(from), mailer: from.mail.mailer, publicUrl: from.config.publicUrl },
      needsSingleSignOn,
    }))
    .add(secondFactorSlice, (from) => ({
      ...{
        ...withRequestDeadline(from),
        ...from.sessions,
        sessions: from.sessions.ofPeople,
        scopes: from.declared.scopes,
      },
      ...{ mailer: from.mail.mailer, publicUrl: from.config.publicUrl },
      requiringWorkspaces: createRequiringWorkspaces(from.db),
    }))
    .add(signInSlice, (from) => ({
      ...{
        ...withRequestDeadline(from),
        ...from.sessions,
        sessions: from.sessions.ofPeople,
        scopes: from.declared.scopes,
      },
      ...{ publicUrl: from.config.publicUrl },
      ...{ secondFactors: from.secondFactors.check, confirmations: from.secondFactors.confirmations },
    }))
    .add(ownAccountSlice, (from) => ({
      ...{
        ...withRequestDeadline(from),
        ...from.config,
        ...from.sessions,
        sessions: from.sessions.ofPeople,
        mailer: from.mail.mailer,
      },
      ...{ tokens: from.oneTimeTokens, passwordProblem: from.accounts.passwordProblem, scopes: from.declared.scopes },
      countedGuess: from.logIn.lockOut.attempt,
      endAddress: createEndAddressAccess(from.memberAccess),
      countChange: createRecipientQuotas({ store: createRecipientQuotasStore(from.db), clock: from.clock })
        .countAddressChange,
      forgetFactors: from.secondFactors.forget,
      endAccess: createEndMemberAccess(from.memberAccess),
      disableChannels: createDisableAll(from),
    }))
    .add(trustedHeaderSlice, (from) => ({
      ...{ ...withRequestDeadline(from), ...from.config, header: from.config.trustedHeader },
      ...{ proveAddress: from.ownAccount.proveAddress, sessions: from.sessions.ofPeople },
      signedIn: from.sessions.signedIn,
      join: createJoinTeam(from.join, createEndOnJoin(from.memberAccess)),
    }))
    .add(workspacesSlice, (from) => ({
      forgetFactors: from.secondFactors.forget,
      hasRenewingSubscription: from.config.stripe === null ? async () => false : createHasRenewingSubscription(from.db),
      endAccess: createEndMemberAccess(from.memberAccess),
      runTaskTransaction: from.runTransaction,
      ...{
        ...withRequestDeadline(from),
        sessions: from.trustedHeader.sessions,
        mailer: from.mail.mailer,
        publicUrl: from.config.publicUrl,
      },
    }))
    .add(singleSignOnSlice, (from) => ({
      ...{
        ...withRequestDeadline(from),
        ...from.config,
        box: from.secretBox,
        installation: from.config.installationProvider,
      },
      ...{ signIn: from.sessions.signIn, sessions: from.sessions.ofPeople },
      endAccess: createEndMemberAccess(from.memberAccess),
      factors: from.secondFactors.check,
      join: createJoinTeam(from.join, createEndOnJoin(from.memberAccess)),
      proveAddress: from.ownAccount.proveAddress,
      fetch: createGuardedFetch({ guard: from.guard, clock: from.clock }),
    }))
    .add(teamSlice, (from) => ({
      ...{ ...withRequestDeadline(from), publicUrl: from.config.publicUrl, smtpUrl: from.config.smtpUrl },
      mailer: from.mail.mailer,
      join: createJoinTeam(from.join, createEndOnJoin(from.memberAccess)),
      countInvitation: createRecipientQuotas({ store: createRecipientQuotasStore(from.db), clock: from.clock })
        .countInvitation,
      ...{ ...from.trustedHeader, signIn: from.sessions.signIn },
      passwordProblem: from.accounts.passwordProblem,
      withLogIn: from.logIn.withLogIn,
      confirmEmail: from.config.confirmEmail,
      endAccess: createEndMemberAccess(from.memberAccess),
      secondFactorsOf: from.secondFactors.withFactor,
      account: { schema: accountSchema(from.declared.scopes), of: accountOf },
    }));
}
