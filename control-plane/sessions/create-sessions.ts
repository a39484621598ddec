import type { Clock } from '../../kernel/clock.js';
import { AppError } from '../errors.js';
import type { Transaction } from '../storage/transaction.js';
import type { SessionDocument } from './documents.js';
import type { Sessions } from './sessions.js';
import type { SessionsStore } from './store.js';

/** After the commit, `invalidate` removes an ended or changed session from the cache of this process. */
export function createSessions(needs: {
  store: SessionsStore;
  clock: Clock;
  invalidate(session: SessionDocument): void;
}): Sessions {
  const { store, clock, invalidate } = needs;

  async function update(
    tx: Transaction,
    id: string,
    fields: Partial<SessionDocument>,
  ): Promise<SessionDocument | null> {
    const changed = await store.update(tx, id, fields);
    if (changed !== null) tx.afterCommit(() => invalidate(changed));
    return changed;
  }

  return {
    async end(tx, userId, sessionId, options = {}) {
      const ended = await store.end(tx, userId, sessionId, options);
      if (ended !== null) tx.afterCommit(() => invalidate(ended));
      return ended !== null;
    },
    async endAll(tx, userId, options = {}) {
      const ended = await store.endAll(tx, userId, options);
      tx.afterCommit(() => ended.forEach(invalidate));
      return ended.length;
    },
    async endOfProvider(tx, workspaceId, userIds) {
      const ended = await store.endOfProvider(tx, workspaceId, userIds ?? null);
      tx.afterCommit(() => ended.forEach(invalidate));
      return ended.length;
    },
    peopleOfProvider: (tx, workspaceId) => store.peopleOfProvider(tx, workspaceId),
    async confirm(tx, sessionId, options = {}) {
      await update(tx, sessionId, {
        confirmed_at_ms: clock.now(),
        ...(options.secondFactor === undefined ? {} : { second_factor: options.secondFactor }),
      });
    },
    async moveTo(tx, sessionId, workspaceId) {
      const moved = await update(tx, sessionId, { workspace_id: workspaceId });
      if (moved?.provider_workspace_id === undefined) return;
      const detail = 'The identity provider of a workspace opened this session, which works only there.';
      throw new AppError('forbidden', detail);
    },
  };
}
