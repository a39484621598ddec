import t from 'tap';
import { browserModule } from '../../helpers/dashboard/browser-module.js';

Object.defineProperty(globalThis, 'navigator', { value: { languages: ['en'] } });

const { listedSentence, listedTone } = await browserModule<{
  listedSentence(counts: object): string;
  listedTone(counts: object): string;
}>('parts/blacklists/list/listed-sentence.ts');

const rows = (count: number, hasMore = false) => ({ count, hasMore });
const counts = (all: number, listed: object, unknown: object = rows(0)) => ({ all, listed, unknown });

t.test('the sentence above the list says how many are listed', (t) => {
  t.equal(listedSentence(counts(1, rows(0))), 'The address is not listed.');
  t.equal(listedSentence(counts(2, rows(0))), 'None of 2 addresses is listed.');
  t.equal(listedSentence(counts(2, rows(1))), '1 of 2 addresses is listed.');
  t.equal(listedSentence(counts(90, rows(50, true))), 'More than 50 of 90 addresses are listed.');
  t.equal(listedTone(counts(2, rows(0))), 'up');
  t.equal(listedTone(counts(2, rows(1), rows(1))), 'down');
  t.end();
});

t.test('an address of which no list has answered is not called clean', (t) => {
  t.equal(listedSentence(counts(1, rows(0), rows(1))), 'It is not known whether the address is listed.');
  t.equal(listedSentence(counts(2, rows(0), rows(2))), 'Of 2 addresses, nothing is known.');
  t.equal(
    listedSentence(counts(3, rows(0), rows(1))),
    'As far as is known, none of 3 addresses is listed. Nothing is known of 1.',
  );
  t.equal(listedSentence(counts(3, rows(1), rows(1))), '1 of 3 addresses is listed. Nothing is known of 1.');
  t.match(listedSentence(counts(90, rows(0), rows(50, true))), /Nothing is known of 50\+\.$/);
  t.equal(listedTone(counts(3, rows(0), rows(1))), 'idle');
  t.end();
});
