import t from 'tap';
import { browserModule } from '../../../helpers/dashboard/browser-module.js';

interface Order {
  countIn(request: object, selection: object, count: number): number;
  withTag(text: string, tag: string, isIn: boolean): string;
  requestOf(operation: object, selection: object): unknown;
  without(request: object, left: readonly string[]): unknown;
}

interface EditedModule {
  problemsOf(edited: object): unknown;
  settingsOf(edited: object): unknown;
  withField(edited: object, field: string, value: unknown): object;
}

const { countIn, requestOf, without, withTag } = await browserModule<Order>('parts/monitors/bulk/form/order.ts');
const { problemsOf, settingsOf, withField } = await browserModule<EditedModule>('parts/monitors/bulk/form/edited.ts');

t.test('the request of an operation on a selection', (t) => {
  const pause = { operation: 'pause' };
  t.same(requestOf(pause, { kind: 'ids', ids: new Set(['mon_1', 'mon_2']) }), { ...pause, ids: ['mon_1', 'mon_2'] });
  const matching = { kind: 'matching', filter: { q: 'shop', tag: '' }, except: new Set<string>() };
  t.same(requestOf(pause, matching), { ...pause, filter: { q: 'shop' } });
  t.same(requestOf(pause, { ...matching, except: new Set(['mon_1']) }), {
    ...{ ...pause, filter: { q: 'shop' } },
    except: ['mon_1'],
  });
  t.end();
});

t.test('only what somebody chose is set, and none differs from unchanged', async (t) => {
  t.equal(settingsOf({}), null);
  t.same(settingsOf({ interval_seconds: 30, retries: 0 }), { interval_seconds: 30, retries: 0 });
  t.same(settingsOf({ confirmations: null, channels: null }), { confirmations: null, channels: null });
  t.same(settingsOf({ channels: [], runbook_url: null }), { channels: [], runbook_url: null });
  t.same(settingsOf({ locations: ['fra'], runbook_url: ' https://a.example ' }), {
    locations: ['fra'],
    runbook_url: 'https://a.example',
  });
  const http = {
    method: 'HEAD',
    expected_status: '204',
    keyword: null,
    keyword_absent: 'error',
    follow_redirects: false,
  };
  t.same(settingsOf({ ...http, timeout_ms: 5_000 }), { timeout_ms: 5_000, http: { ...http, expected_status: 204 } });
  t.same(withField(withField({ retries: 1 }, 'channels', null), 'retries', undefined), { channels: null });
  t.same(problemsOf({ locations: [], keyword: ' ', runbook_url: null, expected_status: '99' }), {
    ...{ locations: 'noLocation', keyword: 'missing', expected_status: 'badStatus' },
  });
  t.same(problemsOf({ channels: [], expected_status: '204' }), {});
});

t.test('monitors can be left out', async (t) => {
  const pause = { operation: 'pause' };
  t.same(without({ ...pause, ids: ['mon_1', 'mon_2'] }, ['mon_1']), { ...pause, ids: ['mon_2'] });
  t.same(without({ ...pause, filter: {}, except: ['mon_1'] }, ['mon_2', 'mon_1']), {
    ...{ ...pause, filter: {} },
    except: ['mon_1', 'mon_2'],
  });
});

t.test('a dialog names how many monitors it is about, also when some are left out', async (t) => {
  const some = { kind: 'ids', ids: new Set(['mon_1', 'mon_2']) };
  t.equal(countIn({ operation: 'set', ids: ['mon_1'] }, some, 2), 1);
  const matching = { kind: 'matching', filter: {}, except: new Set(['mon_9']) };
  t.equal(countIn(requestOf({ operation: 'pause' }, matching) as object, matching, 59), 59);
  t.equal(countIn({ operation: 'set', filter: {}, except: ['mon_9', 'mon_8', 'mon_7'] }, matching, 59), 57);
});

t.test('a tag is chosen and unchosen in the text, which keeps the others', async (t) => {
  t.equal(withTag('', 'shop', true), 'shop');
  t.equal(withTag(' web , eu', 'shop', true), 'web, eu, shop');
  t.equal(withTag('web, shop,eu', 'shop', false), 'web, eu');
  t.equal(withTag('', 'a, b', true), '"a, b"', 'a tag with a comma is in quotes');
});

interface LinePlace {
  placeOfLine(text: string, line: number): { start: number; end: number; share: number };
}

t.test('a line is found in the text of a field', async (t) => {
  const { placeOfLine } = await browserModule<LinePlace>('parts/monitors/bulk/form/line-place.ts');
  const text = 'one\n\nthree\n';
  const { start, end, share } = placeOfLine(text, 3);
  t.equal(text.slice(start, end), 'three');
  t.equal(share, 0.5);
  t.same(placeOfLine(text, 1), { start: 0, end: 3, share: 0 });
});
