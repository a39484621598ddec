import t from 'tap';
import { createGraph } from '../../../control-plane/dependencies/graph.js';

const NOTHING = { monitor_id: null, server_id: null, tag: null };
const of = (
  dependent: Partial<typeof NOTHING> | { [Key in keyof typeof NOTHING]?: string },
  on_monitor_id: string,
) => ({
  ...NOTHING,
  ...dependent,
  on_monitor_id,
});
const monitor = (id: string, tags: string[] = []) => ({ type: 'monitor', id, tags });

t.test('ancestors count at any depth and through tags, the nearest first', async (t) => {
  const edges = [
    of({ monitor_id: 'web' }, 'host'),
    of({ tag: 'rack' }, 'switch'),
    of({ monitor_id: 'switch' }, 'router'),
    of({ server_id: 'srv' }, 'switch'),
  ];
  const graph = createGraph(edges, [monitor('host', ['rack']), monitor('switch'), monitor('router')]);
  t.same(graph.ancestorsOf(monitor('web')), ['host', 'switch', 'router']);
  t.same(graph.ancestorsOf(monitor('other', ['rack'])), ['switch', 'router']);
  t.same(graph.ancestorsOf({ type: 'server', id: 'srv', tags: [] }), ['switch', 'router']);
  t.same(graph.ancestorsOf({ type: 'blacklist_monitor', id: 'web', tags: [] }), []);
  t.same(graph.ancestorsOf(monitor('router')), []);
  t.same(graph.descendantsOf('router'), {
    monitorIds: ['web', 'switch'],
    serverIds: ['srv'],
    tags: ['rack'],
  });
  t.same(graph.descendantsOf('host'), { monitorIds: ['web'], serverIds: [], tags: [] });
});

t.test('a circle is found, directly, through others and through tags', async (t) => {
  const graph = createGraph(
    [of({ monitor_id: 'b' }, 'a'), of({ monitor_id: 'c' }, 'b'), of({ tag: 'x' }, 'c')],
    [monitor('a'), monitor('b', ['x']), monitor('c')],
  );
  const closes = (dependent: Parameters<typeof of>[0], on: ReturnType<typeof monitor>) =>
    graph.closesCircle({ ...NOTHING, ...dependent }, on);
  t.ok(closes({ monitor_id: 'a' }, monitor('a')), 'on itself');
  t.ok(closes({ monitor_id: 'a' }, monitor('c')), 'through b');
  t.ok(closes({ tag: 'root' }, { ...monitor('c') }) === false, 'no monitor of the circle has the tag');
  t.ok(closes({ monitor_id: 'a' }, monitor('new', ['x'])), 'through its tag');
  t.notOk(closes({ monitor_id: 'new' }, monitor('c')));
  t.notOk(closes({ server_id: 'a' }, monitor('c')), 'nothing depends on a server');
  t.notOk(closes({ tag: 'y' }, monitor('new', ['y'])), 'a tag of the monitor itself means the others');
  const tagged = createGraph([of({ monitor_id: 'b' }, 'a')], [monitor('a', ['x']), monitor('b')]);
  t.ok(tagged.closesCircle({ ...NOTHING, tag: 'x' }, monitor('b')), 'a has the tag, and b depends on it');
});

t.test('monitors that depend on each other are not ancestors of each other', async (t) => {
  const graph = createGraph(
    [
      of({ monitor_id: 'a' }, 'b'),
      of({ monitor_id: 'b' }, 'a'),
      of({ monitor_id: 'b' }, 'top'),
      of({ monitor_id: 'c' }, 'a'),
    ],
    [monitor('a'), monitor('b'), monitor('top')],
  );
  t.same(graph.ancestorsOf(monitor('a')), ['top']);
  t.same(graph.ancestorsOf(monitor('b')), ['top']);
  t.same(graph.ancestorsOf(monitor('c')), ['a', 'b', 'top']);
});

t.test('the longest chain counts monitors, through tags too, and ends at a circle', async (t) => {
  const edges = [
    of({ monitor_id: 'a' }, 'b'),
    of({ tag: 'x' }, 'c'),
    of({ monitor_id: 'c' }, 'd'),
    of({ tag: 'z' }, 'd'),
  ];
  const parents = [monitor('b', ['x']), monitor('c'), monitor('d')];
  t.equal(createGraph([], []).longestChain(), 0);
  t.equal(createGraph(edges, parents).longestChain(), 3, 'b, c and d');
  t.equal(createGraph([...edges, of({ monitor_id: 'd' }, 'b')], parents).longestChain(), 3);
});

t.test('what a long chain reaches is computed once for each monitor', async (t) => {
  const ids = Array.from({ length: 60 }, (_, index) => `m${index}`);
  let reads = 0;
  const edges = ids.slice(1).map((id, index) => {
    const on = ids[index] ?? '';
    const get = () => {
      reads += 1;
      return on;
    };
    return Object.defineProperty(of({ monitor_id: id }, on), 'on_monitor_id', { get });
  });
  const graph = createGraph(
    edges,
    ids.map((id) => monitor(id)),
  );
  for (const id of ids) graph.ancestorsOf(monitor(id));
  const first = reads;
  t.ok(first < 60 * 60 * 2, String(first));
  graph.descendantsOf('m0');
  t.ok(reads - first < 60 * 4, 'nothing again');
});
