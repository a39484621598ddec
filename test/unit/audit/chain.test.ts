import fc from 'fast-check';
import t from 'tap';
import { CHAIN_START, chainHash } from '../../../control-plane/audit/chain/hash.js';
import { sealEntries } from '../../../control-plane/audit/chain/seal.js';
import { createChainCheck, WHOLE_CHAIN } from '../../../control-plane/audit/chain/verify.js';
import type { AuditDocument, AuditHeadDocument } from '../../../control-plane/audit/documents.js';
import { entryOf } from '../../../control-plane/audit/entry.js';
import { trimmedStart } from '../../../control-plane/audit/retention/trim.js';
import type { AuditEntry } from '../../../control-plane/audit/schema.js';
import { createIds, idTime } from '../../../control-plane/storage/ids.js';
import { systemRandom } from '../../../kernel/random.js';
import { testClock } from '../../helpers/clock.js';

const clock = testClock();
const idAt = (timeMs: number) => createIds({ ...clock, now: () => timeMs }, systemRandom).next('evt');

function document(timeMs: number, more: Partial<AuditDocument> = {}): AuditDocument {
  const _id = idAt(timeMs);
  return {
    _id,
    workspace_id: 'ws_1',
    at_ms: timeMs,
    action: 'monitor.created',
    severity: 'info',
    actor: { id: 'usr_1', email: 'a@example.com', ip: null },
    resource: { type: 'monitor', id: 'mon_1', name: 'Shop "é"' },
    metadata: { changes: { name: { from: 'a', to: 'b' } } },
    request_id: 'req_1',
    hash: null,
    previous_hash: null,
    unsealed: true,
    ...more,
  };
}

/** Seals the batches in order, as the sealer does, and returns the stored chain. */
function seal(batches: AuditDocument[][]): { entries: AuditEntry[]; head: AuditHeadDocument; replaced: string[] } {
  let head: AuditHeadDocument | null = null;
  const stored: AuditDocument[] = [];
  const replaced: string[] = [];
  for (const batch of batches) {
    const waiting = [...batch].sort((a, b) => (a._id < b._id ? -1 : 1));
    const done = sealEntries(head, waiting, { workspaceId: 'ws_1', fence: 1, idAt });
    if (done === null) continue;
    head = done.head;
    for (const { entry, replaces } of done.sealed) {
      stored.push(entry);
      if (replaces !== null) replaced.push(replaces);
    }
  }
  if (head === null) throw new Error('nothing was sealed');
  return { entries: stored.sort((a, b) => (a._id < b._id ? -1 : 1)).map(entryOf), head, replaced };
}

function check(entries: AuditEntry[], head: AuditHeadDocument | null) {
  const chain = createChainCheck(head?.start ?? WHOLE_CHAIN);
  for (const entry of entries) chain.add(entry);
  return chain.finish(head);
}

const five = () =>
  seal([[document(1_000), document(2_000)], [document(3_000)], [], [document(4_000), document(5_000)]]);

t.test('a sealed chain verifies, and anyone can compute its hashes', async (t) => {
  const { entries, head } = five();
  t.same(check(entries, head), {
    ...{ entries: 5, lastHash: head.hash, firstPreviousHash: CHAIN_START, dropped: 0, gaps: 0, problems: [] },
    ...{ from: '1970-01-01T00:00:01.000Z', to: '1970-01-01T00:00:05.000Z' },
  });
  t.equal(head.count, 5);
  t.equal(entries[0]?.previous_hash, CHAIN_START);
  const fixed = entryOf(document(0, { _id: 'evt_1', metadata: { b: 1, a: [null] } }));
  t.equal(
    chainHash(CHAIN_START, fixed),
    chainHash(CHAIN_START, { ...fixed, metadata: { a: [null], b: 1 } }),
    'in any order of fields',
  );
  t.equal(
    chainHash(CHAIN_START, fixed),
    '22f42f06facad1ac7c303db7e189c7ade1a564183a40b1d67d9b7f3ac3818641',
    'computed by hand from the description in the documentation',
  );
});

t.test('verification finds and names every manipulation of a chain', async (t) => {
  const found = (change: (entries: AuditEntry[]) => void) => {
    const { entries, head } = five();
    change(entries);
    return check(entries, head).problems.map(({ kind, id }) => [kind, entries.findIndex((entry) => entry.id === id)]);
  };
  t.same(
    found((entries) => Object.assign(entries[1] ?? {}, { timestamp: '2020-01-01T00:00:00.000Z' })),
    [['altered', 1]],
  );
  t.same(
    found((entries) => Object.assign(entries[3]?.actor ?? {}, { email: 'b@example.com' })),
    [['altered', 3]],
  );
  t.same(
    found((entries) => Object.assign(entries[2]?.metadata ?? {}, { more: 1 })),
    [['altered', 2]],
  );
  t.same(
    found((entries) => entries.splice(2, 1)),
    [['broken', 2]],
    'a missing entry shows at the entry after it',
  );
  t.same(
    found((entries) => entries.splice(0, 1)),
    [['broken', 0]],
  );
  t.same(
    found((entries) => entries.splice(4, 1)),
    [['truncated', 3]],
  );
  t.same(
    found((entries) => entries.splice(0, 5)),
    [['truncated', -1]],
  );
  t.same(
    found((entries) => entries.splice(1, 2, ...entries.slice(1, 3).reverse())).map(([kind]) => kind),
    ['broken', 'out_of_order', 'broken', 'broken'],
  );
  t.same(
    found((entries) => Object.assign(entries[2] ?? {}, { hash: null })).map(([kind]) => kind),
    ['unsealed', 'broken'],
  );
  t.same(
    found((entries) => {
      const entry = entries[2];
      if (entry === undefined) return;
      entry.severity = 'critical';
      entry.hash = chainHash(entry.previous_hash ?? '', entry);
    }),
    [['broken', 3]],
    'hashed again, the entry after it no longer follows it',
  );
});

t.test('a chain verifies after retention deleted its oldest entries, but not if more are missing', async (t) => {
  const { entries, head } = five();
  const link = (entry: AuditEntry) => ({ _id: entry.id, hash: entry.hash, previous_hash: entry.previous_hash });
  /** Trims as the store does, batch by batch. */
  const trimmed = (...batches: number[]) => {
    let [kept, start] = [entries, head.start];
    for (const size of batches) {
      const [due, rest] = [kept.slice(0, size).map(link), kept.slice(size)];
      const next = rest[0] === undefined ? null : link(rest[0]);
      start = trimmedStart(start === undefined ? head : { ...head, start }, due, next);
      kept = rest;
    }
    if (start === undefined) throw new Error('nothing was trimmed');
    return { kept, head: { ...head, start } };
  };
  for (const batches of [[1], [2, 1], [1, 1, 1, 1], [5], [3, 2]]) {
    const { kept, head: after } = trimmed(...batches);
    t.match(
      check(kept, after),
      { problems: { length: 0 }, dropped: 5 - kept.length, lastHash: head.hash },
      `${batches}`,
    );
    t.equal(after.start.first_id, kept[0]?.id ?? null);
  }
  const kinds = (kept: AuditEntry[], after: AuditHeadDocument) => check(kept, after).problems.map(({ kind }) => kind);
  const two = trimmed(2);
  t.same(kinds(two.kept.slice(1), two.head), ['broken'], 'the oldest kept entry is missing');
  t.same(kinds(entries.slice(1), two.head), ['broken'], 'an entry that should be deleted is still there');
  t.same(kinds(two.kept.slice(0, -1), two.head), ['truncated']);
  t.same(kinds([], two.head), ['truncated']);

  // The third entry is removed manually; then retention deletes the entries around it.
  const robbed = entries.filter((_, index) => index !== 2);
  const start = trimmedStart(head, robbed.slice(0, 3).map(link), robbed.slice(3).map(link)[0] ?? null);
  t.match(check(robbed.slice(3), { ...head, start }).problems, [
    { kind: 'miscounted', message: 'is the correct last entry, but there are 1 entries instead of 2' },
  ]);
});

t.test('a section of a chain may start anywhere, and may have gaps if gaps are allowed', async (t) => {
  const { entries, head } = five();
  const piece = (of: AuditEntry[], options = {}) => {
    const chain = createChainCheck(null, options);
    for (const entry of of) chain.add(entry);
    return chain.result();
  };
  t.match(piece(entries.slice(2)), {
    problems: { length: 0 },
    firstPreviousHash: entries[1]?.hash,
    lastHash: head.hash,
  });
  const picked = entries.filter((_, index) => index !== 1 && index !== 3);
  t.match(piece(picked).problems, [{ kind: 'broken' }, { kind: 'broken' }]);
  t.match(piece(picked, { gaps: true }), { problems: { length: 0 }, gaps: 2 });
  t.match(piece([...picked].reverse(), { gaps: true }).problems, [{ kind: 'out_of_order' }, { kind: 'out_of_order' }]);
  const forged = picked.map((entry, index) => (index === 1 ? { ...entry, request_id: 'other' } : entry));
  t.match(piece(forged, { gaps: true }).problems, [{ kind: 'altered', id: picked[1]?.id }]);
  const others = picked.map((entry, index) => (index === 1 ? { ...entry, workspace_id: 'ws_2' } : entry));
  t.match(piece(others, { gaps: true }).problems, [{ kind: 'foreign' }, { kind: 'altered' }]);
});

t.test('an entry that commits late is chained with a new id, without making others late', async (t) => {
  const late = document(1_500);
  const { entries, head, replaced } = seal([
    [document(1_000), document(2_000)],
    [late, document(2_500)],
    [document(2_400), document(2_600)],
  ]);
  t.same(check(entries, head).problems, []);
  t.equal(entries.length, 6);
  t.equal(replaced[0], late._id);
  t.equal(replaced.length, 2);
  t.equal(entries.filter((entry) => entry.timestamp === '1970-01-01T00:00:01.500Z').length, 1, 'its timestamp stays');
  t.ok(idTime(head.last_id) <= 2_603, 'the chain does not jump to the present');
});

t.test('ids sort in the order of the chain, whenever entries come', async () => {
  fc.assert(
    fc.property(
      fc.array(fc.array(fc.integer({ min: 1, max: 10_000 }), { maxLength: 8 }), { minLength: 1, maxLength: 8 }),
      (batches) => {
        if (batches.every((batch) => batch.length === 0)) return;
        const { entries, head } = seal(batches.map((batch) => batch.map((timeMs) => document(timeMs))));
        const count = batches.flat().length;
        const report = check(entries, head);
        if (report.problems.length > 0 || entries.length !== count || head.count !== count)
          throw new Error(JSON.stringify(report));
      },
    ),
  );
});
