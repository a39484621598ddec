import type { Clock } from '../../kernel/clock.js';
import type { WorkspaceDocument } from '../accounts/documents.js';
import { stopOf } from '../accounts/standing/standing.js';
import type { Actor } from '../actor.js';
import type { AuditAction, AuditLog } from '../audit/audit.js';
import type { RunTransaction, Transaction } from '../storage/transaction.js';
import type { LinkUser, RecipientLinks, Recipients } from './recipients.js';
import type { RecipientsStore } from './store.js';
import { questionTokenHash, type Stopped, type StopTokens } from './tokens.js';

interface LinksNeeds {
  store: RecipientsStore;
  unconfirmed: Recipients['unconfirmed'];
  tokens: StopTokens;
  workspaces: { findDocument(id: string): Promise<WorkspaceDocument | null> };
  audit: AuditLog;
  runTransaction: RunTransaction;
  clock: Clock;
}

/** Returns what the pages of links in mails read and do. Each change is idempotent, because a page can be sent twice. */
export function createRecipientLinks(needs: LinksNeeds): RecipientLinks {
  const { store, tokens, runTransaction } = needs;
  return {
    async question(token) {
      const found = await findQuestion(needs, token);
      if (found === null || found.question === null) return null;
      const workspace = await openWorkspace(needs, found.workspace_id);
      const { address, question } = found;
      return workspace === null ? null : { address, workspace: workspace.name, askedBy: question.asked_by };
    },
    confirm: (token, user) =>
      runTransaction(async (tx) => {
        const found = await findQuestion(needs, token, tx);
        const workspace = found === null ? null : await openWorkspace(needs, found.workspace_id);
        if (found === null || workspace === null) return null;
        const { address } = found;
        if (found.state !== 'confirmed') await confirm(needs, tx, { address, workspace, user });
        return { address, workspace: workspace.name };
      }),
    async stopLink(token) {
      const link = await readStop(needs, token);
      if (link === null) return null;
      const { address, workspace } = link;
      const known = await store.known(workspace._id, [address]);
      return { address, workspace: workspace.name, stopped: known.get(address)?.state === 'stopped' };
    },
    stop: (token, user) =>
      runTransaction(async (tx) => {
        const link = await readStop(needs, token);
        if (link === null) return null;
        const { address, workspace } = link;
        const from = (await store.known(workspace._id, [address], tx)).get(address)?.state ?? null;
        if (from !== 'stopped') {
          await store.stop(tx, { workspaceId: workspace._id, address, from }, needs.clock.now());
          await record(needs, tx, 'recipient.stopped', { address, workspace, user });
        }
        return { address, workspace: workspace.name };
      }),
    resume: (token, user) =>
      runTransaction(async (tx) => {
        const link = await readStop(needs, token);
        if (link === null) return null;
        const { address, workspace } = link;
        const found = (await store.known(workspace._id, [address], tx)).get(address);
        if (found?.state === 'stopped') {
          await store.endStop(tx, found, needs.clock.now());
          await record(needs, tx, 'recipient.resumed', { address, workspace, user });
        }
        // The link never expires, and every mail has it, so it gives nothing that the address did not have: a question is
        // confirmed by its own link, and the address of a former member by that of a new question.
        const unconfirmed = await needs.unconfirmed(workspace._id, [address], tx);
        return { address, workspace: workspace.name, resumed: unconfirmed.size === 0 };
      }),
  };

  /** Resolves to what a link stops; null for a link that is not of this installation, or of a workspace that is gone. */
  async function readStop({ workspaces }: LinksNeeds, token: string) {
    const read: Stopped | null = tokens.read(token);
    if (read === null) return null;
    const workspace = await workspaces.findDocument(read.workspaceId);
    return workspace === null ? null : { address: read.address, workspace };
  }
}

async function findQuestion({ store, clock }: LinksNeeds, token: string, tx?: Transaction) {
  const hash = questionTokenHash(token);
  return hash === null ? null : store.findByToken(hash, clock.now(), tx);
}

/** Resolves to null for a workspace that is stopped or gone: it sends nothing, so there is nothing to confirm. */
async function openWorkspace({ workspaces }: LinksNeeds, id: string): Promise<WorkspaceDocument | null> {
  const workspace = await workspaces.findDocument(id);
  return workspace === null || stopOf(workspace) !== null ? null : workspace;
}

interface Used {
  address: string;
  workspace: WorkspaceDocument;
  user: LinkUser;
}

async function confirm(needs: LinksNeeds, tx: Transaction, used: Used): Promise<void> {
  await needs.store.confirm(tx, used.workspace._id, used.address, needs.clock.now());
  await record(needs, tx, 'recipient.confirmed', used);
}

async function record({ audit }: LinksNeeds, tx: Transaction, action: AuditAction, used: Used): Promise<void> {
  const { address } = used;
  await audit.record(tx, actorOf(used), { action, resource: { type: 'recipient', id: address, name: address } });
}

/** Whoever has the link. No route accepts this actor, so it has no rights beyond what is called with it here. */
function actorOf({ address, workspace, user }: Used): Actor {
  return {
    kind: 'link',
    workspaceId: workspace._id,
    workspaceName: workspace.name,
    plan: workspace.plan,
    retentionPlan: workspace.plan,
    stopped: null,
    userId: null,
    email: address,
    ip: null,
    userAgent: null,
    scopes: [],
    role: 'viewer',
    operator: false,
    key: null,
    session: null,
    requestId: user.requestId,
  };
}
