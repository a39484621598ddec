import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { REFUSALS } from '../../../../control-plane/blacklist/lists/classify.js';
import { LISTING_DEFAULT_RULES } from '../../../../control-plane/blacklist/rules/rule-type.js';
import { builtInLocations } from '../../../../control-plane/nodes/locations/built-in.js';
import { SERVER_DEFAULT_RULES } from '../../../../control-plane/servers/rules/rule-types.js';
import { deviceOf } from '../../../../control-plane/sessions/devices/device.js';
import { browserModule } from '../../../helpers/dashboard/browser-module.js';

Object.defineProperty(globalThis, 'navigator', { value: { languages: ['de'], userAgent: '' } });
const { deviceText } = await browserModule<{ deviceText(device: string): string }>('texts/device.ts');
const { reasonText, meaningsText } = await browserModule<{
  reasonText(reason: string): string;
  meaningsText(meanings: string[]): string;
}>('parts/blacklists/list-words.ts');
const { happened } = await browserModule<{ happened(line: object, words: object): string }>(
  'parts/overview/happened/happened.ts',
);
const { de } = await browserModule<{
  de: { outages: { together: { resolvedByPerson(lasted: string): string; someByPerson(count: number): string } } };
}>('parts/overview/happened/texts/de.ts');

const { cityName, ruleName } = await browserModule<{
  cityName(location: { code: string; city: string }): string;
  ruleName(rule: { type: string; name: string }): string;
}>('texts/default-names.ts');

const { duration } = await browserModule<{ duration(ms: number): string }>('texts/format.ts');
const { dative, every } = await browserModule<{ dative(lasted: string): string; every(interval: string): string }>(
  'texts/german.ts',
);
const { emptyRule } = await browserModule<{ emptyRule(): object }>('parts/alert-rules/input.ts');
const { ruleSentence } = await browserModule<{ ruleSentence(input: object, names: Map<string, string>): string }>(
  'parts/alert-rules/sentence.ts',
);

t.test('names that Picket gave are German, names of people stay', (t) => {
  const built = builtInLocations(0).map(({ _id: code, city }) => cityName({ code, city }));
  t.same(built, ['Frankfurt', 'New York', 'Singapur', 'London', 'San Francisco']);
  t.equal(cityName({ code: 'sin', city: 'Singapore West' }), 'Singapore West');
  t.equal(cityName({ code: 'own', city: 'Singapore' }), 'Singapore');
  const defaults = [...SERVER_DEFAULT_RULES.rules, ...LISTING_DEFAULT_RULES.rules];
  for (const { type = 'metric', name } of defaults) t.notMatch(ruleName({ type, name }), /full|Listed|within/);
  t.equal(ruleName({ type: 'metric', name: 'Disk full within a day' }), 'Disk full within a day');
  t.equal(ruleName({ type: 'disk_full', name: 'My disk' }), 'My disk');
  t.end();
});

t.test('days are words, also after a preposition', (t) => {
  const { days, hours } = { days: 86_400_000, hours: 3_600_000 };
  t.same(
    [1, 2, 30].map((count) => duration(count * days)),
    ['1 Tag', '2 Tage', '30 Tage'],
  );
  t.equal(`vor ${dative(duration(2 * days + 3 * hours))}`, 'vor 2 Tagen 3 Std.');
  t.equal(dative(duration(days)), '1 Tag');
  t.equal(dative(duration(2 * hours)), '2 Std.');
  t.equal(every(duration(days)), 'jeden Tag');
  t.equal(every(duration(2 * days)), 'alle 2 Tage');
  t.equal(every(duration(days + hours)), 'alle 1 Tag 1 Std.');
  t.equal(de.outages.together.resolvedByPerson(duration(2 * days)).slice(-16), '2 Tagen behoben.');
  t.equal(de.outages.together.someByPerson(1), 'Einen der Vorfälle haben Personen behoben.');
  t.end();
});

t.test('an alert rule is a sentence', (t) => {
  const sentence = (over: object) => ruleSentence({ ...emptyRule(), severity: 'warning', ...over }, new Map());
  t.equal(
    sentence({ type: 'disk_full', within_hours: '48' }),
    'Wenn eine Platte von irgendeinem Server in 2 Tagen voll ist: Warnung, benachrichtigt alle Kanäle.',
  );
  t.equal(
    sentence({ type: 'server_offline', for_minutes: '5', targets: 'tags', tags: 'db, web' }),
    'Wenn von einem Server mit db oder web mehr als 5 Min. lang keine Messwerte kommen: Warnung, benachrichtigt alle Kanäle.',
  );
  t.equal(
    sentence({ type: 'metric', metric: 'cpu_percent', operator: '>', threshold: '90', for_minutes: '10' }),
    'Wenn CPU auf irgendeinem Server 10 Min. lang über 90 % ist: Warnung, benachrichtigt alle Kanäle.',
  );
  t.equal(
    sentence({ type: 'blacklist_listed' }),
    'Wenn eine Sperrliste eine überwachte Adresse oder Domain führt: Warnung, benachrichtigt alle Kanäle.',
  );
  t.end();
});

t.test('what somebody logged in with is German', (t) => {
  t.equal(deviceText(deviceOf('Mozilla/5.0 (X11; Linux x86_64) Other/1')), 'Unbekannter Browser unter Linux');
  t.equal(deviceText(deviceOf(null)), 'Unbekanntes Gerät');
  t.equal(deviceText('curl'), 'curl');
  t.end();
});

t.test('why a blacklist did not answer is German', (t) => {
  for (const { meaning } of REFUSALS) t.match(reasonText(`The list refused the query: ${meaning}.`), /^Die Liste hat/);
  t.equal(reasonText('https://list.example/why'), 'https://list.example/why', 'the words of a list stay');
  t.equal(meaningsText(['reported spam', 'SBL']), 'gemeldeter Spam, SBL');
  t.end();
});

t.test('the timeline says roles as the team page does', (t) => {
  const line = { message: '', actor: 'a@b.example', metadata: { role: 'viewer' } };
  t.match(happened({ ...line, type: 'audit.team.member_invited' }, de), /als Betrachter eingeladen/);
  t.match(happened({ ...line, type: 'audit.team.member_joined' }, de), /als Betrachter beigetreten/);
  t.end();
});

/** Words that are the same in both languages. */
const SAME = new Set(
  // Reports are in English, so their default title is, too.
  (
    'Monitoring report|Agent|API|Backtest|Code|CPU|Dashboard|Details|Discord|Domain|Domains|E-Mail|Enterprise|Export|Format|Free|' +
    'Hash|Header|HTTP|IP|Issuer|JSON|Kernel|Live|Load|Logo|Median|median|Microsoft Teams|Monitor|Name|ntfy|Online|' +
    'PagerDuty|Passkeys|Picket|Ping|Port|Pro|Region|Runbook|Server|Server offline|SHA-256|Single Sign-on|Slack|Status|Steal|Swap|' +
    'System|Tag|tag|Tags|Team|Telegram|Token|URL|Version|Webhook|WordPress'
  ).split('|'),
);

t.test('no German text is the English one', async (t) => {
  const root = 'control-plane/dashboard/web/src';
  const files = (await readdir(root, { recursive: true })).filter((path) => /(^|\/)de\.ts$/.test(path));
  t.ok(files.length > 10);
  for (const path of files) {
    const [german, english] = await Promise.all(
      [path, path.replace(/de\.ts$/, 'en.ts')].map(async (one) =>
        entriesOf(await readFile(join(root, one), 'utf8').catch(() => '')),
      ),
    );
    const same = [...(german ?? [])].filter(([key, text]) => english?.get(key) === text && !isSame(text));
    t.same(same, [], path);
  }
});

/** Names, and values without words. */
const isSame = (text: string): boolean => SAME.has(text) || /[:/@]/.test(text) || !/[a-z]{3}/i.test(text);

/** The plain texts of a catalogue by their place in it. */
function entriesOf(source: string): Map<string, string> {
  const entries = new Map<string, string>();
  const parents: string[] = [];
  for (const line of source.split('\n')) {
    const opened = /^\s*(?:'([^']+)'|(\w+)): \{$/.exec(line);
    if (opened !== null) parents.push(opened[1] ?? opened[2] ?? '');
    else if (/^\s*\},?$/.test(line)) parents.pop();
    const [, quotedKey, key, text] = /^\s*(?:'([^']+)'|(\w+)): '([^']*)',$/.exec(line) ?? [];
    if (text !== undefined) entries.set([...parents, quotedKey ?? key].join('.'), text);
  }
  return entries;
}
