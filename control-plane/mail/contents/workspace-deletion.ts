import { foreignText } from '../foreign-text.js';
import type { OutgoingMail } from '../mailer.js';
import { minuteUtc } from './when.js';

interface WorkspaceDeletion {
  to: string;
  workspace: string;
  /** The e-mail address of the person who asked for it. */
  by: string;
  requestedAtMs: number;
  /** When the workspace is deleted for good. */
  deletedAtMs: number;
  /** The page where an owner can keep the workspace. */
  link: string;
}

/** A notice to the owners that the deletion was requested, with the way back. */
export function workspaceDeletionMail(input: WorkspaceDeletion): OutgoingMail {
  const { to, by, requestedAtMs, deletedAtMs, link } = input;
  const name = foreignText(input.workspace);
  const when = minuteUtc(deletedAtMs);
  return {
    ...{ to, kind: 'workspace_deletion', expiresAtMs: deletedAtMs },
    subject: `The workspace ${name} will be deleted`,
    heading: `The workspace ${name} will be deleted`,
    paragraphs: [
      `${by} asked for the deletion of the workspace. Its checks and notifications have stopped.`,
      `All monitors, servers, incidents and reports of the workspace will be deleted on ${when}. Until then, an owner can restore it.`,
    ],
    facts: [
      { label: 'Workspace', value: name },
      { label: 'Requested by', value: by },
      { label: 'Requested on', value: minuteUtc(requestedAtMs) },
      { label: 'Deleted on', value: when },
    ],
    action: { label: 'Keep workspace', url: link },
    why: 'You get this e-mail because you are an owner of the workspace.',
  };
}
