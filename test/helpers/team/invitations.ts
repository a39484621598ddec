import { randomBytes } from 'node:crypto';
import type { WorkspaceDocument } from '../../../control-plane/accounts/documents.js';
import { testDatabase } from '../database.js';
import { type ReceivedMail, startMailbox } from '../machine/mailbox.js';
import { linkIn } from '../people/mail.js';
import { startControlPlane } from '../processes/control-plane.js';
import { waitFor } from '../wait.js';
import { type Person, requestAs, storePerson, storeWorkspace } from './people.js';

/** Long, and on no list. */
export const PASSWORD = 'four geese over a quiet harbour';
export const INVITATIONS = '/v1/team/invitations';
/** The answer for a token that is not of an open invitation. */
export const ENDED = { status: 422, body: { code: 'validation_failed', errors: [{ path: '/token' }] } };

/** A control plane with a real mail server, and what tests of invitations do with them. */
export async function startInvitations() {
  const [mongo, mailbox] = [await testDatabase(), await startMailbox()];
  const { url, remove } = await startControlPlane(mongo.uri, { PICKET_SMTP_URL: mailbox.url });
  const as = (person: Person | null, ...request: [method: string, path: string, body?: unknown]) =>
    requestAs(url, person?.cookie ?? null, request);
  // An account also gets mails about its second factors.
  const mailsTo = (address: string) =>
    mailbox.mails.filter(({ to, headers }) => to.includes(address) && headers['x-picket-mail'] === 'invitation');

  async function mailTo(address: string, after = 0): Promise<ReceivedMail> {
    return waitFor(`mail ${after + 1} to ${address}`, 60_000, () => mailsTo(address)[after]);
  }

  return {
    mongo,
    mailbox,
    url,
    as,
    /** Resolves to a mail to the address that came after `after` others. */
    mailTo,
    /** Resolves to the id and the token of a new invitation. */
    async invited(by: Person, email: string, role = 'member'): Promise<{ id: string; token: string }> {
      const before = mailsTo(email).length;
      const answer = await as(by, 'POST', INVITATIONS, { email, role });
      if (answer.status !== 201) throw new Error(answer.text);
      return { id: answer.body.data.id, token: linkIn(await mailTo(email, before)).token };
    },
    preview: (token: string, person: Person | null = null) => as(person, 'POST', `${INVITATIONS}/preview`, { token }),
    accept: (body: Record<string, unknown>, person: Person | null = null) =>
      as(person, 'POST', `${INVITATIONS}/accept`, body),
    async ownerOf(workspace: Partial<WorkspaceDocument> = {}): Promise<Person> {
      return storePerson(mongo, await storeWorkspace(mongo, workspace), 'owner');
    },
    entries: (workspaceId: string, action: string) =>
      mongo.db.collection('audit_log').find({ workspace_id: workspaceId, action }).sort({ _id: 1 }).toArray(),
    async close() {
      await remove();
      await Promise.all([mongo.drop(), mailbox.close()]);
    },
  };
}

export function newAddress(): string {
  return `${randomBytes(6).toString('hex')}@example.com`;
}
