import t from 'tap';
import { browserModule } from '../../../helpers/dashboard/browser-module.js';
import { DECLARED } from '../../../helpers/declared.js';

Object.defineProperty(globalThis, 'navigator', { value: { languages: ['en'] } });

type Line = { type: string; message: string; actor: string; metadata: object };

const PART = 'parts/overview/happened';
const { happened } = await browserModule<{ happened(line: Line, words: object): string }>(`${PART}/happened.ts`);
const { en } = await browserModule<{ en: object }>(`${PART}/texts/en.ts`);
const { de } = await browserModule<{ de: object }>(`${PART}/texts/de.ts`);

const ANNA = 'anna@example.com';
const line = (action: string, more: Partial<Line> = {}): Line => ({
  ...{ type: `audit.${action}`, message: 'What the API says', actor: ANNA, metadata: {} },
  ...more,
});

t.test('every action of the audit log is a sentence in both languages', (t) => {
  for (const words of [en, de]) {
    for (const action of DECLARED.auditActions) {
      const said = happened(line(action), words);
      t.match(said, /^\p{Lu}.* .*\.$|^anna@example\.com .* .*\.$/u, `${action}: ${said}`);
      t.notMatch(said, /_|What the API says|undefined/, `${action} without words of a machine: ${said}`);
    }
  }
  t.end();
});

t.test('sentences say who did what', (t) => {
  const changes = { interval_seconds: {}, tags: {}, odd: {} };
  const cases: [Line, string, string][] = [
    [line('monitor.created', { actor: 'system' }), 'Picket created the monitor.', 'Picket hat den Monitor angelegt.'],
    [
      line('monitor.updated', { metadata: { changes } }),
      `${ANNA} changed the monitor: interval, tags, and another setting.`,
      `${ANNA} hat den Monitor geändert: Intervall, Tags, and eine weitere Einstellung.`,
    ],
    [
      line('monitor.bulk_changed', { metadata: { operation: 'add_tags', monitors: 4 } }),
      `${ANNA} added tags to 4 monitors.`,
      `${ANNA} hat 4 Monitoren Tags hinzugefügt.`,
    ],
    [
      // Nobody knows whether it was sent: there may be no mail server.
      line('team.member_invited', { metadata: { role: 'viewer' } }),
      `Invited as viewer by ${ANNA}.`,
      `Von ${ANNA} als Betrachter eingeladen.`,
    ],
    [
      line('billing.plan_changed', { metadata: { from: 'Free', to: 'Pro' } }),
      'The plan changed from Free to Pro.',
      'Der Tarif wurde von Free auf Pro gewechselt.',
    ],
  ];
  for (const [one, english, german] of cases) {
    t.equal(happened(one, en), english);
    t.equal(happened(one, de), german);
  }
  t.equal(happened(line('tea.cooked'), en), 'What the API says', 'what has no words says what the API says');
  t.end();
});
