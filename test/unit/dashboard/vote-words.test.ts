import t from 'tap';
import { browserModule } from '../../helpers/dashboard/browser-module.js';

Object.defineProperty(globalThis, 'navigator', { value: { languages: ['en'] } });

interface Vote {
  counted_as: 'up' | 'down' | 'none';
  result: { response_time_ms: number | null; error: { message: string } | null } | null;
}

const { voteMark, voteText } = await browserModule<{
  voteMark(vote: Vote): { as: string; word: string };
  voteText(vote: Vote): string;
}>('parts/incidents/vote-words.ts');

const took = (response_time_ms: number | null) => ({ response_time_ms, error: null });

t.test('a result that did not count is no vote, and no missing result', (t) => {
  const late: Vote = { counted_as: 'none', result: took(40) };
  t.same(voteMark(late), { as: 'unknown', word: 'no vote' });
  t.equal(voteText(late), 'no vote');
  t.end();
});

t.test('a time that nobody measured is not shown', (t) => {
  t.equal(voteText({ counted_as: 'up', result: took(40) }), 'up, 40 ms');
  t.equal(voteText({ counted_as: 'up', result: took(null) }), 'up');
  t.equal(voteText({ counted_as: 'up', result: null }), 'up');
  t.same(voteMark({ counted_as: 'up', result: null }), { as: 'up', word: 'up' });
  t.end();
});

t.test('a failure says what was wrong', (t) => {
  t.equal(voteText({ counted_as: 'down', result: { ...took(null), error: { message: 'refused' } } }), 'refused');
  t.equal(voteText({ counted_as: 'down', result: null }), 'down');
  t.end();
});
