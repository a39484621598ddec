import { foreignText } from '../foreign-text.js';
import type { OutgoingMail } from '../mailer.js';
import { minuteUtc } from './when.js';

interface Invitation {
  to: string;
  /** The name of the workspace. */
  workspace: string;
  /** The e-mail address of the person who invites. */
  inviter: string;
  role: 'owner' | 'admin' | 'member' | 'viewer';
  /** The page that accepts the invitation, with its token. */
  link: string;
  expiresAtMs: number;
}

const RIGHTS: Record<Invitation['role'], string> = {
  owner: 'Owner: everything, including plan, members and deletion of the workspace',
  admin: 'Admin: monitors, servers, members, API keys and integrations',
  member: 'Member: monitors, servers, alerts and reports',
  viewer: 'Viewer: see everything, change nothing',
};

export function invitationMail({ to, workspace, inviter, role, link, expiresAtMs }: Invitation): OutgoingMail {
  const name = foreignText(workspace);
  return {
    ...{ to, expiresAtMs, kind: 'invitation' },
    subject: `Invitation to ${name}`,
    heading: `Join ${name} on Picket`,
    paragraphs: [
      `${inviter} invites you to the workspace ${name}. Picket monitors websites and servers, and alerts the team when something fails.`,
      `The link works once, until ${minuteUtc(expiresAtMs)}.`,
    ],
    facts: [
      { label: 'Workspace', value: name },
      { label: 'Invited by', value: inviter },
      { label: 'Your role', value: RIGHTS[role] },
    ],
    action: { label: 'Accept invitation', url: link },
    why: `You get this e-mail because ${inviter} entered your address. If you do not know this person, ignore this e-mail: nothing happens without you.`,
  };
}
