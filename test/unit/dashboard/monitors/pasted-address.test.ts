import t from 'tap';
import { browserModule } from '../../../helpers/dashboard/browser-module.js';

interface Suggestion {
  name: string;
  choices: { type: string; url: string }[];
}

const { suggest } = await browserModule<{ suggest(typed: string): Suggestion | string }>(
  'parts/monitors/pasted/address.ts',
);

/** What somebody types, and the first choice with its name. */
const UNDERSTOOD: [string, string, string, string][] = [
  ['https://shop.example/cart', 'http', 'https://shop.example/cart', 'shop.example/cart'],
  [' https://www.shop.example/ ', 'http', 'https://www.shop.example/', 'shop.example'],
  ['HTTP://shop.example:8080', 'http', 'HTTP://shop.example:8080', 'shop.example:8080'],
  ['shop.example', 'http', 'https://shop.example/', 'shop.example'],
  ['shop.example/health', 'http', 'https://shop.example/health', 'shop.example/health'],
  ['db.example:5432', 'tcp', 'db.example:5432', 'db.example:5432'],
  ['tcp://db.example:5432', 'tcp', 'db.example:5432', 'db.example:5432'],
  ['shop.example:443', 'http', 'https://shop.example/', 'shop.example:443'],
  ['shop.example:8080/health?full=1', 'http', 'http://shop.example:8080/health?full=1', 'shop.example:8080/health'],
  ['127.0.0.1:9601/', 'http', 'http://127.0.0.1:9601/', '127.0.0.1:9601'],
  ['shop.example:443/cart', 'http', 'https://shop.example/cart', 'shop.example/cart'],
  ['[2001:db8::1]:8080/health', 'http', 'http://[2001:db8::1]:8080/health', '[2001:db8::1]:8080/health'],
  ['203.0.113.7', 'ping', '203.0.113.7', '203.0.113.7'],
  ['203.0.113.7:22', 'tcp', '203.0.113.7:22', '203.0.113.7:22'],
  ['localhost', 'ping', 'localhost', 'localhost'],
  ['2001:db8::1', 'ping', '2001:db8::1', '2001:db8::1'],
  ['[2001:db8::1]:5432', 'tcp', '[2001:db8::1]:5432', '2001:db8::1:5432'],
  ['bücher.example', 'http', 'https://bücher.example/', 'bücher.example'],
];

t.test('what people type becomes a monitor', (t) => {
  for (const [typed, type, url, name] of UNDERSTOOD) {
    const suggestion = suggest(typed);
    const { choices = [], name: suggested } = typeof suggestion === 'string' ? { name: suggestion } : suggestion;
    t.same([choices[0], suggested], [{ type, url }, name], typed);
    t.equal(new Set(choices.map((choice) => choice.type)).size, choices.length, 'each kind once');
  }
  t.end();
});

t.test('what is no address says why', (t) => {
  const refused: [string, string][] = [
    ['', 'nothing'],
    ['   ', 'nothing'],
    ['shop.example:99999', 'badPort'],
    ['http://127.0.0.1:99999/', 'badPort'],
    ['https://ana:1@shop.example:99999?page=1', 'badPort'],
    ['http://shop.example:0', 'badPort'],
    ['shop.example:', 'badPort'],
    ['shop.example:99999/cart', 'badPort'],
    ['shop.example:http/cart', 'badPort'],
    ['-shop.example:8080/cart', 'badAddress'],
    ['2001:db8::1/cart', 'badAddress'],
    ['shop.example:http', 'badPort'],
    ['two words', 'badAddress'],
    ['ftp://shop.example', 'badAddress'],
    ['javascript:alert(1)', 'badPort'],
    ['https://', 'badAddress'],
    ['-shop.example', 'badAddress'],
    ['<img src=x>', 'badAddress'],
  ];
  for (const [typed, problem] of refused) t.equal(suggest(typed), problem, typed);
  t.end();
});
