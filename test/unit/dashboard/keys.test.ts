import t from 'tap';
import { browserModule } from '../../helpers/dashboard/browser-module.js';

interface Result {
  state: { goSinceMs: number | null };
  action: { do: string; to?: string } | null;
}
type Pressed = { ctrlKey?: boolean; metaKey?: boolean; altKey?: boolean; isTyping?: boolean };

const { keyAction } = await browserModule<{
  keyAction(state: Result['state'], pressed: Required<Pressed> & { key: string }, nowMs: number): Result;
}>('app/keys/key-action.ts');
const { matching } = await browserModule<{
  matching(
    entries: readonly { id: string; label: string; keywords: string }[],
    typed: string,
    max: number,
  ): { id: string }[];
}>('app/palette/match.ts');

const NONE = { goSinceMs: null };
const press = (key: string, of: Pressed = {}, state: Result['state'] = NONE, nowMs = 0) =>
  keyAction(state, { key, ...{ ctrlKey: false, metaKey: false, altKey: false, isTyping: false }, ...of }, nowMs);

t.test('one key each', (t) => {
  t.same(press('?').action, { do: 'keys' });
  t.same(press('/').action, { do: 'filter' });
  t.same(press('k', { ctrlKey: true }).action, { do: 'palette' });
  t.same(press('k', { metaKey: true, isTyping: true }).action, { do: 'palette' }, 'nobody types that');
  t.equal(press('k').action, null);
  t.equal(press('k', { ctrlKey: true, altKey: true }).action, null);
  t.end();
});

t.test('keys do nothing while somebody types, and leave the keys of the browser alone', (t) => {
  for (const key of ['?', '/', 'g']) {
    t.same(press(key, { isTyping: true }), { state: NONE, action: null }, key);
    t.same(press(key, { ctrlKey: true }), { state: NONE, action: null }, `Ctrl ${key}`);
    t.same(press(key, { altKey: true }), { state: NONE, action: null }, `Alt ${key}`);
  }
  t.end();
});

t.test('g and a letter open a page, if they come together', (t) => {
  const { state } = press('g', {}, NONE, 1_000);
  t.same(press('m', {}, state, 1_500), { state: NONE, action: { do: 'go', to: '/monitors' } });
  t.same(press('o', {}, state, 1_500).action, { do: 'go', to: '/' });
  t.equal(press('x', {}, state, 1_500).action, null);
  t.equal(press('toString', {}, state, 1_500).action, null);
  t.equal(press('m', {}, state, 9_000).action, null, 'too late');
  t.equal(press('m').action, null, 'without g');
  t.same(press('?', {}, state, 1_500), { state: NONE, action: null }, 'not a page');
  t.end();
});

t.test('the palette finds every word, whatever its marks and its case', (t) => {
  const entries = [
    { id: 'channels', label: 'Settings: Channels', keywords: '' },
    { id: 'overview', label: 'Übersicht', keywords: 'home' },
    { id: 'add', label: 'Add monitor', keywords: '' },
    { id: 'monitors', label: 'Monitors', keywords: '' },
    { id: 'mon', label: 'Mon', keywords: '' },
  ];
  const find = (typed: string, max = 10) => matching(entries, typed, max).map(({ id }) => id);
  t.same(find(''), ['channels', 'overview', 'add', 'monitors', 'mon'], 'everything, in order');
  t.same(find('MON'), ['mon', 'monitors', 'add'], 'the closest label first');
  t.same(find('ubers'), ['overview']);
  t.same(find('home'), ['overview']);
  t.same(find('chan set'), ['channels']);
  t.same(find('chan mon'), []);
  t.same(find('mon', 1), ['mon']);
  t.end();
});
