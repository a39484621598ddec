import type { MailDocument, Urgency } from '../documents.js';
import type { ClaimOf, MailStore } from '../store.js';

/** What a claim must leave to others. */
export interface KeptFree {
  /** No mail with a file, and none of many. */
  slow: boolean;
  /** No mail of this workspace; null for none. */
  workspaceId: string | null;
}

/**
 * Returns what the next mail may not be. The last of several places is kept free: for mails without a file, because files take
 * long, and that are not one of thousands, which a slow mail server would take one after another; and for other workspaces than one that has
 * all other places. Pure.
 */
export function keptFree(sending: Iterable<Pick<MailDocument, 'urgency' | 'workspace_id'>>, places: number): KeptFree {
  const shareMax = Math.max(1, places - 1);
  let slow = 0;
  const ofWorkspaces = new Map<string, number>();
  for (const { urgency, workspace_id } of sending) {
    if (urgency >= 2) slow += 1;
    if (workspace_id !== undefined) ofWorkspaces.set(workspace_id, (ofWorkspaces.get(workspace_id) ?? 0) + 1);
  }
  const crowding = [...ofWorkspaces].find(([, count]) => count >= shareMax);
  return { slow: slow >= shareMax, workspaceId: crowding?.[0] ?? null };
}

/** Claims mails so that workspaces take turns, and so do mails with and without a file. Urgent mails go before both, mails to many after both. */
export interface MailTurns {
  /** Resolves to null if no mail is due that may be sent. */
  claim(nowMs: number, leaseMs: number, kept: KeptFree): Promise<MailDocument | null>;
}

export function createMailTurns(store: Pick<MailStore, 'claim'>): MailTurns {
  /** Whose turn was the last one, by urgency. `''` for mails of no workspace. */
  const last = new Map<Urgency, string>();
  let filesNext = false;

  /** Claims of the workspaces behind the last one, then of the first ones. */
  async function claimNext(nowMs: number, leaseMs: number, of: Omit<ClaimOf, 'afterWorkspace'>, after?: string) {
    if (after !== undefined) {
      const behind = await store.claim(nowMs, leaseMs, { ...of, afterWorkspace: after });
      if (behind !== null) return behind;
    }
    return store.claim(nowMs, leaseMs, { ...of, afterWorkspace: null });
  }

  return {
    async claim(nowMs, leaseMs, { slow, workspaceId }) {
      const others: Urgency[] = filesNext ? [2, 1] : [1, 2];
      const urgencies = [0 as const, ...others, 3 as const].filter((urgency) => !(slow && urgency >= 2));
      // Before anybody had a turn, one query finds that nothing is due.
      const groups = last.size === 0 ? [urgencies] : urgencies.map((urgency) => [urgency]);
      for (const group of groups) {
        const [first] = group;
        const after = first === undefined ? undefined : last.get(first);
        const mail = await claimNext(nowMs, leaseMs, { urgencies: group, withoutWorkspace: workspaceId }, after);
        if (mail === null) continue;
        last.set(mail.urgency, mail.workspace_id ?? '');
        if (mail.urgency === 1 || mail.urgency === 2) filesNext = mail.urgency === 1;
        return mail;
      }
      if (!slow && workspaceId === null) last.clear();
      return null;
    },
  };
}
