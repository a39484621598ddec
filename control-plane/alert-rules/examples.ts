import type { RuleTypes } from './rule-types.js';
import { completed } from './settings.js';

export const EXAMPLE_ID = 'rule_01kf5e6q0h3v8r2m9x4t7c1z5n';

/** Returns the rules of the API documentation. */
export function replyExamples(types: RuleTypes): object[] {
  return types.all.flatMap((type) =>
    type.examples.reply.map((example) => ({
      id: EXAMPLE_ID,
      ...completed(types, type, example),
      created_at: '2026-01-03T08:15:00.000Z',
      updated_at: '2026-01-20T16:42:10.000Z',
    })),
  );
}
