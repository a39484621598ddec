import t from 'tap';
import { browserModule } from '../../helpers/dashboard/browser-module.js';
import { DECLARED } from '../../helpers/declared.js';

Object.defineProperty(globalThis, 'navigator', { value: { languages: ['en'] } });
const PART = 'parts/audit';
const { ACTIONS, actionText } = await browserModule<{
  ACTIONS: readonly string[];
  actionText(action: string, words: object): string;
}>(`${PART}/actions.ts`);
const { bulkText, detailName, detailsOf, shownValue, wordOf } = await browserModule<{
  bulkText(entry: object, words: object): string | null;
  detailName(name: string, words: object, formName: (pointer: string) => string): string;
  wordOf(field: string, value: unknown, words: object): unknown;
  detailsOf(entry: { metadata: object }): object;
  shownValue(value: unknown, words: { yes: string; no: string }): string | null;
}>(`${PART}/details.ts`);
const { auditFilterOf } = await browserModule<{ auditFilterOf(search: object): object }>(`${PART}/filter.ts`);
const { changeOf, creationOf, valuesOf, NEW_FORWARDER } = await browserModule<{
  changeOf(before: object, values: object): object;
  creationOf(values: object): object;
  valuesOf(forwarder: object): object;
  NEW_FORWARDER: object;
}>(`${PART}/forwarders/form-values.ts`);

const FORWARDER = {
  ...{ name: 'SIEM', target: 'syslog+tls://siem.example.com:6514', format: 'json', filter: {}, ca: null },
  auth_set: false,
};

t.test('every action of the API can be chosen and has words in both languages', async (t) => {
  t.same([...ACTIONS].sort(), [...DECLARED.auditActions].sort(), `${PART}/actions.ts has the actions of the API`);
  for (const language of ['en', 'de']) {
    const { words } = await browserModule<{ words: object }>(`${PART}/texts/words-${language}.ts`);
    const wordless = ACTIONS.filter((action) => actionText(action, words) === action);
    t.same(wordless, [], `${PART}/texts/words-${language}.ts has words for all`);
    t.equal(actionText('tea.cooked', words), 'tea.cooked', 'an unknown action shows its name');
  }
});

t.test('fields, values and bulk changes are said in words, in both languages', async (t) => {
  const formName = (pointer: string) => (pointer === '/interval_seconds' ? 'Interval' : '');
  const bulk = {
    resource: { type: 'monitor_bulk', name: 'add_tags: 3 monitors' },
    metadata: { operation: 'add_tags', monitors: 3 },
  };
  const said = { en: ['API keys revoked', 'viewer'], de: ['Widerrufene API-Schlüssel', 'Betrachter'] };
  for (const language of ['en', 'de'] as const) {
    const { details } = await browserModule<{ details: object }>(`${PART}/texts/details-${language}.ts`);
    t.equal(detailName('interval_seconds', details, formName), 'Interval');
    t.equal(detailName('api_keys_revoked', details, formName), said[language][0]);
    t.equal(detailName('constructor', details, formName), 'constructor', 'an unknown field shows its name');
    t.equal(wordOf('role', 'viewer', details), said[language][1]);
    t.same(wordOf('role', ['viewer', 'guest', 7], details), [said[language][1], 'guest', 7]);
    t.equal(wordOf('name', 'viewer', details), 'viewer', 'names that people chose stay');
    t.equal(bulkText(bulk, details), language === 'en' ? '3 monitors tagged' : '3 Monitore mit Tags versehen');
    t.equal(bulkText({ ...bulk, resource: { type: 'monitor', name: 'x' } }, details), null);
    t.equal(bulkText({ ...bulk, metadata: { operation: 'later', monitors: 3 } }, details), null);
  }
});

t.test('changes become differences, and the rest facts', async (t) => {
  const metadata = { changes: { tags: { from: [], to: ['a'] } }, user_agent: 'Firefox', reason: 'why' };
  t.match(detailsOf({ metadata }), {
    differences: [{ field: 'tags', from: [], to: ['a'] }],
    facts: [['reason', 'why']],
    userAgent: 'Firefox',
    linkOf: null,
  });
  t.match(detailsOf({ metadata: { from: 'Free', to: 'Pro', by: 'operator' } }), {
    differences: [{ field: '', from: 'Free', to: 'Pro' }],
    facts: [['by', 'operator']],
  });
  t.match(detailsOf({ metadata: { changes: 'odd', link: { channel_name: 'Ops' } } }), {
    differences: [],
    facts: [['changes', 'odd']],
    linkOf: 'Ops',
  });
});

t.test('values are readable', async (t) => {
  const words = { yes: 'yes', no: 'no' };
  const shown: [unknown, string | null][] = [
    ...([
      [null, null],
      ['', null],
      [[], null],
      [true, 'yes'],
      [0, '0'],
    ] as [unknown, string | null][]),
    ...([
      [['a', 2], 'a, 2'],
      [{ a: 1 }, '{"a":1}'],
      [[{ a: 1 }], '[{"a":1}]'],
    ] as [unknown, string | null][]),
  ];
  for (const [value, text] of shown) t.equal(shownValue(value, words), text, JSON.stringify(value));
});

t.test('a filter takes from the URL only what it knows', async (t) => {
  const good = { action: 'monitor.created', actor: 'system', from: '2026-01-31', to: '2026-02-28' };
  t.same(auditFilterOf({ ...good, other: 1 }), good);
  t.same(auditFilterOf({ action: 'x', actor: ' ', from: 'today', to: '2026-13-01' }), {});
});

t.test('a forwarder is sent as the API has it', async (t) => {
  t.same(creationOf({ ...NEW_FORWARDER, address: ' siem.example.com:6514 ', auth: 'unused' }), {
    ...{ target: 'syslog+tls://siem.example.com:6514', format: 'json', filter: null, ca: null },
  });
  const webhook = { ...NEW_FORWARDER, scheme: 'https', address: 'https://siem.example.com/', auth: 'Bearer T' };
  t.match(creationOf({ ...webhook, severities: ['critical'] }), {
    ...{ target: 'https://siem.example.com/', auth: 'Bearer T', filter: { severity: ['critical'] } },
  });
});

t.test('a change has only what differs', async (t) => {
  const values = valuesOf(FORWARDER);
  t.same(changeOf(FORWARDER, values), {}, 'nothing');
  t.same(changeOf(FORWARDER, { ...values, name: 'Other', severities: ['critical'] }), {
    ...{ name: 'Other', filter: { severity: ['critical'] } },
  });
  t.same(changeOf(FORWARDER, { ...values, removesAuth: true, auth: 'x' }), { auth: null });
});
