import t from 'tap';
import { browserModule } from '../../../helpers/dashboard/browser-module.js';

Object.defineProperty(globalThis, 'navigator', { value: { languages: ['en-GB'] } });
const { observed } = await browserModule<{ observed(coverage: number, windowHours: number): string }>(
  'texts/format.ts',
);

t.test('less than two hours are said as a time, the same in windows of every length', (t) => {
  const said = [100, 98.21, 10, 1.26, 0.35, 0.005, 0].map((coverage) => observed(coverage, 24));
  t.same(said, ['100 %', '98.21 %', '10.00 %', '18 min', '5 min', '4 s', '0 %']);
  t.same(
    [24, 168, 720].map((hours) => observed((100 * 0.31) / hours, hours)),
    ['18 min', '18 min', '18 min'],
  );
  t.same(
    [24, 168, 720].map((hours) => observed(300 / hours, hours)),
    ['12.50 %', '1.79 %', '0.42 %'],
  );
  t.end();
});
