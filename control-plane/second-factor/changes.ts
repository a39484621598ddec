import type { Clock } from '../../kernel/clock.js';
import type { Random } from '../../kernel/random.js';
import type { RequiringWorkspaces } from '../accounts/requiring-workspaces.js';
import type { AuditAction, AuditLog } from '../audit/audit.js';
import { AppError } from '../errors.js';
import { type SecondFactorChange, secondFactorChangedMail } from '../mail/contents/second-factor-changed.js';
import { mailLink } from '../mail/link.js';
import type { Mailer } from '../mail/mailer.js';
import { originOf } from '../sessions/devices/origin.js';
import type { Sessions } from '../sessions/sessions.js';
import type { SecretBox } from '../storage/secret-box.js';
import type { Transaction } from '../storage/transaction.js';
import { type Person, requireProvedFactor } from './person.js';
import { makeRecoveryCodes } from './recovery-codes/code.js';
import type { SecondFactorsStore } from './store.js';
import { hasSecondFactor, type SecondFactorSummary, summaryOf } from './summary.js';

/** The page of the dashboard with the second factors of the person. */
export const SECOND_FACTOR_PAGE = '/account/second-factor';

/** What was added or removed, for the audit log and the mail. */
export interface ChangedFactor {
  method: 'totp' | 'passkey';
  /** Of the passkey. */
  passkey?: { id: string; name: string };
  notice: SecondFactorChange;
}

/** What the changes of all kinds of second factors have in common. */
export interface SecondFactorChanges {
  /** Call it before a change. Throws 403 unless the person may change second factors in this session. */
  begin(tx: Transaction, person: Person): Promise<SecondFactorSummary>;
  /** Call it after a factor was added. When it is the first, ends the other sessions of the person. */
  added(tx: Transaction, person: Person, before: SecondFactorSummary, factor: ChangedFactor): Promise<void>;
  /** Call it after a factor was removed. Throws 409 when it was the last one and a workspace requires one. */
  removed(tx: Transaction, person: Person, factor: ChangedFactor): Promise<void>;
  /** Replaces the recovery codes. Resolves to the new ones. */
  newRecoveryCodes(tx: Transaction, person: Person): Promise<string[]>;
  audit(tx: Transaction, person: Person, action: AuditAction, metadata: Record<string, unknown>): Promise<void>;
  notify(tx: Transaction, person: Person, notice: SecondFactorChange): Promise<void>;
}

export function createSecondFactorChanges(needs: {
  factors: SecondFactorsStore;
  sessions: Sessions;
  mailer: Mailer;
  audit: AuditLog;
  requiringWorkspaces: RequiringWorkspaces;
  publicUrl: string;
  box: SecretBox;
  random: Random;
  clock: Clock;
}): SecondFactorChanges {
  const { factors, sessions, mailer, requiringWorkspaces, publicUrl, box, random, clock } = needs;

  const changes: SecondFactorChanges = {
    async begin(tx, person) {
      const summary = summaryOf(await factors.findIn(tx, person.userId));
      requireProvedFactor(person, summary);
      return summary;
    },
    async added(tx, person, before, { method, passkey, notice }) {
      if (!hasSecondFactor(before)) await sessions.endAll(tx, person.userId, { except: person.session.id });
      // The person has just proved the new factor.
      await sessions.confirm(tx, person.session.id, { secondFactor: true });
      await changes.audit(tx, person, 'auth.mfa_enabled', { method, ...(passkey === undefined ? {} : { passkey }) });
      await changes.notify(tx, person, notice);
    },
    async removed(tx, person, { method, passkey, notice }) {
      if (!hasSecondFactor(summaryOf(await factors.findIn(tx, person.userId)))) {
        await refuseWhileRequired(tx, person);
        await factors.setRecovery(tx, person.userId, null);
        // It proved a factor that no longer exists, so a workspace that requires one must ask for a new one.
        await sessions.confirm(tx, person.session.id, { secondFactor: false });
      }
      await sessions.endAll(tx, person.userId, { except: person.session.id });
      await changes.audit(tx, person, 'auth.mfa_disabled', { method, ...(passkey === undefined ? {} : { passkey }) });
      await changes.notify(tx, person, notice);
    },
    async newRecoveryCodes(tx, person) {
      const { codes, stored } = makeRecoveryCodes(box, random);
      await factors.setRecovery(tx, person.userId, stored);
      return codes;
    },
    async audit(tx, { actor, userId }, action, metadata) {
      await needs.audit.record(tx, actor, {
        action,
        resource: { type: 'user', id: userId, name: actor.email },
        metadata,
      });
    },
    async notify(tx, { actor }, notice) {
      const origin = originOf(actor, clock.now());
      const link = mailLink(publicUrl, SECOND_FACTOR_PAGE);
      await mailer.send(tx, secondFactorChangedMail({ to: actor.email, change: notice, origin, link }));
    },
  };

  async function refuseWhileRequired(tx: Transaction, { userId }: Person): Promise<void> {
    const [workspace] = await requiringWorkspaces(userId, tx);
    if (workspace === undefined) return;
    throw new AppError(
      'conflict',
      `The workspace ${JSON.stringify(workspace.name)} requires a second factor. Add another one before you remove this one.`,
    );
  }

  return changes;
}
