import t from 'tap';
import { Type } from 'typebox';
import { FIELD_ERROR_CODES } from '../../../../control-plane/errors.js';
import { createSchemaCompiler } from '../../../../control-plane/http/input/schema-check.js';
import { browserModule } from '../../../helpers/dashboard/browser-module.js';

type Fact = string | number | string[];
interface Problem {
  path: string;
  message: string;
  code: string;
  params?: Record<string, Fact>;
}
interface Module {
  fieldSentence(problem: Problem): string;
  namedFieldError(problem: Problem): string;
}
interface Catalogue {
  sentences: Record<string, (facts: object) => string>;
}

Object.defineProperty(globalThis, 'navigator', { value: { languages: ['de-DE'] } });
const { fieldSentence, namedFieldError } = await browserModule<Module>('texts/fields/field-sentence.ts');
const { actionProblemText } = await browserModule<{ actionProblemText(problem: object): string }>(
  'components/problem-text.ts',
);
const catalogues = [
  await browserModule<Catalogue>('texts/fields/en.ts'),
  await browserModule<Catalogue>('texts/fields/de.ts'),
];

const Body = Type.Object({
  interval_seconds: Type.Integer({ minimum: 10 }),
  http: Type.Object({ expected_status: Type.Integer({ maximum: 599 }) }),
  config: Type.Object({ to: Type.Array(Type.String({ pattern: '^\\S+@\\S+$', examples: ['oncall@example.com'] })) }),
  threshold: Type.Union([Type.Number(), Type.Null()]),
  tags: Type.Array(Type.String({ maxLength: 3 }), { maxItems: 1 }),
  severity: Type.Enum(['critical', 'info']),
});
const check = createSchemaCompiler()(Body);
const problemsOf = (value: unknown): Problem[] => {
  const read = check.read(value);
  return read.ok ? [] : read.errors.map((error) => ({ ...error, code: error.code ?? 'invalid' }) as Problem);
};

t.test('what the schema refuses is said in German, with the name that forms have for the field', (t) => {
  const problems = problemsOf({
    ...{ interval_seconds: 5, http: { expected_status: 700 }, config: { to: ['nobody'] }, threshold: 'much' },
    ...{ tags: ['long tag'], severity: 'loud' },
  });
  t.same(problems.map(namedFieldError), [
    'Intervall: Geben Sie mindestens 10 ein.',
    'Erwarteter Status: Geben Sie höchstens 599 ein.',
    'Das hat nicht die richtige Form. Zum Beispiel: oncall@example.com',
    'Schwelle: Geben Sie eine Zahl ein.',
    'Tags: Geben Sie höchstens 3 Zeichen ein.',
    'Schwere: Wählen Sie eines davon: critical, info.',
  ]);
  t.end();
});

t.test('a message without a field on the page names no JSON pointer', (t) => {
  const errors = [{ path: '/http/timeout_ms', message: 'must be at least 100', code: 'min', params: { min: 100 } }];
  const problem = { status: 422, code: 'validation_failed', message: '/http/timeout_ms must be at least 100.' };
  t.equal(
    actionProblemText({ ...problem, retryAfterS: null, body: { errors } }),
    'Zeitlimit: Geben Sie mindestens 100 ein.',
  );
  t.end();
});

t.test('every code of the API has a sentence in both languages', (t) => {
  const facts = {
    ...{ min: 2, max: 3, of: 4, values: ['a', 'b'], types: ['number'], example: 'x', format: 'email', prefix: 'chn' },
    ...{ message: 'must be other', all: { from: 9, to: 5, max: 3, count: 4, field: '/ids', reason: 'no answer' } },
  };
  const [en, de] = catalogues.map(({ sentences }) => sentences);
  for (const code of FIELD_ERROR_CODES) {
    const said = [en?.[code]?.(facts) ?? '', de?.[code]?.(facts) ?? ''];
    for (const text of said) t.match(text, /^[A-ZÄÖÜ].*[.x]$/, code);
    t.not(said[0], said[1], code);
    t.notMatch(said[1], /must|undefined|NaN/, code);
  }
  t.end();
});

t.test('what a plan does not allow is said in German', (t) => {
  const said = (params: Record<string, Fact>) =>
    fieldSentence({ path: '', message: 'The plan does not allow it.', code: 'plan_limit', params });
  const larger = { plan: 'Free', allowed: 20, larger_plan: 'Pro' };
  t.equal(
    said({ limit: 'monitors', ...larger, larger_allows: 200 }),
    'Der Tarif Free erlaubt 20 Monitore. Der Tarif Pro erlaubt 200.',
  );
  t.equal(
    said({ limit: 'reports_per_month', ...larger }),
    'Der Tarif Free erlaubt 20 Berichte im Monat. Der Tarif Pro erlaubt beliebig viele.',
  );
  t.equal(
    said({ limit: 'locations', plan: 'Enterprise', allowed: 5 }),
    'Der Tarif Enterprise erlaubt 5 Standorte je Monitor. Kein Tarif erlaubt mehr.',
  );
  t.equal(
    said({ limit: 'interval_seconds', ...larger, allowed: 60, larger_allows: 30 }),
    'Das kürzeste Intervall des Tarifs Free ist 60 s. Der Tarif Pro erlaubt 30 s.',
  );
  t.match(said({ limit: 'feature', plan: 'Free', larger_plan: 'Enterprise' }), /^Das gehört zum Tarif Enterprise\./);
  const undo = said({ limit: 'restored_monitors', plan: 'Free', allowed: 20, present: 15, restored: 30, over: 25 });
  t.match(undo, /30 Monitore wieder .* hat 15, und der Tarif Free erlaubt 20\. Löschen Sie 25 Monitore/);
  t.equal(said({ limit: 'later' }), 'Ihr Tarif erlaubt das nicht.');
  const errors = [{ path: '', message: 'x', code: 'plan_limit', params: { limit: 'monitors', ...larger } }];
  const problem = { status: 402, code: 'plan_limit', message: 'The Free plan allows 20 monitors.' };
  t.match(
    actionProblemText({ ...problem, retryAfterS: null, body: { errors } }),
    /^Der Tarif Free erlaubt 20 Monitore/,
  );
  t.end();
});

t.test('a code of a later version is said in the words of the API', (t) => {
  t.equal(fieldSentence({ path: '/x', message: 'must be new', code: 'later' }), 'Must be new.');
  t.end();
});
