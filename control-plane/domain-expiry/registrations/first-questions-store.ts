import type { Db } from 'mongodb';
import { isDuplicateKey } from '../../storage/transaction.js';
import { endOfDayMs } from './first-questions.js';

const DAY_MS = 86_400_000;

/** Counts the domains of each workspace whose registry is asked for the first time, per day in UTC. */
export interface FirstQuestionStore {
  ensureIndexes(): Promise<void>;
  /** Counts one more, and resolves to true; to false if the workspace has had `max` on the day of `nowMs`. */
  take(workspaceId: string, nowMs: number, max: number): Promise<boolean>;
  /** Counts one less: the question was not asked. */
  giveBack(workspaceId: string, nowMs: number): Promise<void>;
}

/** One document of `domain_first_questions`: the first questions of a workspace on a day. */
interface FirstQuestionsDocument {
  /** `<workspace>/2026-01-31`. */
  _id: string;
  workspace_id: string;
  questions: number;
  /** Deleted then. */
  kept_until: Date;
}

export function createFirstQuestionStore(db: Db): FirstQuestionStore {
  const counts = db.collection<FirstQuestionsDocument>('domain_first_questions');
  const idOf = (workspaceId: string, nowMs: number) => `${workspaceId}/${new Date(nowMs).toISOString().slice(0, 10)}`;
  return {
    async ensureIndexes() {
      await counts.createIndexes([{ key: { workspace_id: 1 } }, { key: { kept_until: 1 }, expireAfterSeconds: 0 }]);
    },
    async take(workspaceId, nowMs, max) {
      const initial = { workspace_id: workspaceId, kept_until: new Date(endOfDayMs(nowMs) + DAY_MS) };
      try {
        // A full count matches nothing, and its insertion fails.
        await counts.updateOne(
          { _id: idOf(workspaceId, nowMs), questions: { $lt: max } },
          { $inc: { questions: 1 }, $setOnInsert: initial },
          { upsert: true },
        );
        return true;
      } catch (error) {
        if (isDuplicateKey(error)) return false;
        throw error;
      }
    },
    async giveBack(workspaceId, nowMs) {
      const own = { _id: idOf(workspaceId, nowMs), workspace_id: workspaceId, questions: { $gt: 0 } };
      await counts.updateOne(own, { $inc: { questions: -1 } });
    },
  };
}
