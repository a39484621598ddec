import t from 'tap';
import type { LogDocument } from '../../../control-plane/live/documents.js';
import { positionOf } from '../../../control-plane/live/position.js';
import { createRecentEvents, RECENT_ENTRIES_MAX } from '../../../control-plane/live/recent-events.js';

const WHOLE = null;

function documentOf(_id: number, workspaces: readonly string[]): LogDocument {
  const entries = workspaces.map((workspace_id, index) => ({
    ...{ key: `tle_${_id}_${index}`, workspace_id, event: null, ends_access: false },
  }));
  return { _id, at: new Date(0), covered_ms: 0, entries };
}

function filled() {
  const recent = createRecentEvents();
  recent.beginAfter(9);
  recent.add(documentOf(10, ['a', 'b', 'a']));
  recent.add(documentOf(11, []));
  recent.add(documentOf(12, ['b', 'a']));
  return recent;
}

t.test('a position is followed by the entries of the workspace behind it', (t) => {
  const recent = filled();
  const ids = (document: number, entries: number | null) =>
    recent.since('a', { document, entries })?.map(({ id }) => id) ?? null;
  t.equal(recent.newest(), 12);
  t.same(ids(9, WHOLE), ['10-1', '10-2', '12-1']);
  t.same(ids(10, 1), ['10-2', '12-1']);
  t.same(ids(10, WHOLE), ['12-1']);
  t.same(ids(12, 1), []);
  t.same(ids(12, WHOLE), []);
  t.same(ids(9, 1), null, 'the rest of the document is gone');
  t.same(ids(8, WHOLE), null, 'too old');
  t.same(ids(13, WHOLE), null, 'of another log');
  t.same(recent.since('c', { document: 9, entries: WHOLE }), []);
  t.end();
});

t.test('ids name positions', (t) => {
  t.same(positionOf('12-3'), { document: 12, entries: 3 });
  t.same(positionOf('12'), { document: 12, entries: null });
  for (const text of ['', '-', '12-', '-3', '1e3', '12-3-4', ' 12', '9'.repeat(40), '12-999999'])
    t.equal(positionOf(text), null, text);
  t.end();
});

t.test('only the newest entries stay in memory', (t) => {
  const recent = filled();
  for (let id = 13; id < 13 + RECENT_ENTRIES_MAX; id++) recent.add(documentOf(id, ['a']));
  const newest = recent.newest() ?? 0;
  t.equal(recent.since('a', { document: 12, entries: WHOLE }), null);
  t.equal(recent.since('a', { document: newest - 1_000, entries: WHOLE })?.length, 1_000);
  t.end();
});

t.test('after the log was loaded again, no older position is known', (t) => {
  const recent = filled();
  recent.beginAfter(100);
  t.equal(recent.newest(), 100);
  t.equal(recent.since('a', { document: 12, entries: WHOLE }), null);
  t.same(recent.since('a', { document: 100, entries: WHOLE }), []);
  t.end();
});
