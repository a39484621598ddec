/** One way to break the product, and test files that must notice it. */
export interface BrokenProduct {
  name: string;
  file: string;
  /** Text of the file, which is in it once. */
  text: string;
  /** What stands there instead. It compiles. */
  instead: string;
  tests: readonly string[];
  /** The tests start the program as it ships, so it has to be built. */
  isShipped?: true;
}

/** Mistakes that customers would pay for, each in the place where it is most easily made. */
export const BROKEN_PRODUCTS: readonly BrokenProduct[] = [
  {
    name: 'a tenant filter is dropped',
    file: 'control-plane/monitors/store.ts',
    text: 'return monitors.findOne({ _id: id, workspace_id: workspaceId }, tx',
    instead: 'return monitors.findOne({ _id: id, workspace_id: { $gte: workspaceId.slice(0, 0) } }, tx',
    tests: ['test/api/monitors/crud.test.ts'],
  },
  {
    name: 'results are acknowledged before they are stored',
    file: 'control-plane/nodes/streams/ingest.ts',
    text: 'const refused = await store(needs',
    instead: 'onAck(batch.upToSeq, batch.rejections);\n        const refused = await store(needs',
    tests: ['test/api/nodes/batches.test.ts'],
  },
  {
    name: 'a vote is counted twice',
    file: 'control-plane/verdicts/rule/tally.ts',
    text: "const down = votes.filter((vote) => vote.counted_as === 'down');",
    instead: "const down = votes.filter((vote) => vote.counted_as === 'down').flatMap((vote) => [vote, vote]);",
    tests: ['test/unit/verdicts/rules.test.ts'],
  },
  {
    name: 'the guard lets 127.0.0.1 through',
    file: 'kernel/guard/target-guard.ts',
    text: "if (range === 'unicast') return null;",
    instead: "if (range === 'unicast' || range === 'loopback') return null;",
    tests: ['test/unit/kernel/target-guard.test.ts'],
  },
  {
    name: 'two control planes send the same notification',
    file: 'control-plane/notifications/delivery/outbox-queue-store.ts',
    text: 'return matchedCount === rows.length ? rows : await claimed();',
    instead: 'return matchedCount === -1 ? await claimed() : rows;',
    tests: ['test/api/notifications/delivery.test.ts'],
  },
  {
    name: 'a removed member keeps their API keys',
    file: 'control-plane/accounts/open.ts',
    text: 'role === null ? needs.apiKeys.revokeAllOf',
    instead: "role === 'owner' ? needs.apiKeys.revokeAllOf",
    tests: ['test/api/team/members.test.ts'],
    isShipped: true,
  },
  {
    name: 'a silent location votes with its last result for ever',
    file: 'control-plane/monitors/live-result.ts',
    text: 'return Math.abs(nowMs - believedCheckedAt(result)) > validMs;',
    instead: 'return Math.abs(nowMs - believedCheckedAt(result)) > validMs * 1_000_000;',
    tests: ['test/unit/verdicts/rules.test.ts'],
  },
];
