import t from 'tap';
import { browserModule } from '../../../helpers/dashboard/browser-module.js';

Object.defineProperty(globalThis, 'navigator', { value: { languages: ['de'] } });

const { spoken } = await browserModule<{
  spoken(shown: { uptime: (number | null)[]; response: (number | null)[] } | null, window: '24h' | '30d'): string;
}>('parts/monitors/list/history/spoken.ts');

t.test('the picture of a row says the response times as the cell beside it', (t) => {
  const said = (response: (number | null)[]) => spoken({ uptime: [100, 100], response }, '24h');
  t.match(said([0, null]), /Antwortzeit < 1 ms bis < 1 ms, zuletzt < 1 ms$/);
  t.match(said([12, 2_000]), /Antwortzeit 12 ms bis 2 s, zuletzt 2 s$/);
  t.notMatch(said([null]), /Antwortzeit/);
  t.end();
});
