import t from 'tap';
import { browserModule } from '../../../helpers/dashboard/browser-module.js';

Object.defineProperty(globalThis, 'navigator', { value: { languages: ['en'] } });

interface Vote {
  counted_as: 'up' | 'down' | 'none';
  vote: 'up' | 'down' | 'unknown';
  result: { response_time_ms: number | null; error: { code: string; message: string } | null } | null;
}

const { notCountedText, voteMark, voteText } = await browserModule<{
  notCountedText(why: string): string;
  voteMark(vote: Vote): { as: string; word: string };
  voteText(vote: Vote): string;
}>('parts/incidents/incident/vote-words.ts');

const took = (response_time_ms: number | null) => ({ response_time_ms, error: null });

t.test('a result that did not count is no vote, and no missing result', (t) => {
  const late: Vote = { counted_as: 'none', vote: 'unknown', result: took(40) };
  t.same(voteMark(late), { as: 'unknown', word: 'no vote' });
  t.equal(voteText(late), 'no vote');
  const retrying: Vote = {
    counted_as: 'none',
    vote: 'down',
    result: { ...took(null), error: { code: 'x', message: 'refused' } },
  };
  t.same(voteMark(retrying), { as: 'unknown', word: 'fails, not counted' });
  t.equal(voteText(retrying), 'Refused');
  t.end();
});

t.test('a time that nobody measured is not shown', (t) => {
  t.equal(voteText({ counted_as: 'up', vote: 'up', result: took(40) }), 'up, 40 ms');
  t.equal(voteText({ counted_as: 'up', vote: 'up', result: took(null) }), 'up');
  t.equal(voteText({ counted_as: 'up', vote: 'up', result: null }), 'up');
  t.same(voteMark({ counted_as: 'up', vote: 'up', result: null }), { as: 'up', word: 'up' });
  t.end();
});

t.test('a failure says what was wrong', (t) => {
  t.equal(
    voteText({ counted_as: 'down', vote: 'down', result: { ...took(null), error: { code: 'x', message: 'refused' } } }),
    'Refused',
  );
  t.equal(voteText({ counted_as: 'down', vote: 'down', result: null }), 'down');
  t.end();
});

t.test('why a vote did not count is a sentence', (t) => {
  t.equal(notCountedText('retrying'), 'The location was still trying again.');
  t.equal(notCountedText('no_probe'), 'No probe was connected.');
  t.end();
});

t.test('a notification that was accepted at once is said once', async (t) => {
  interface Attempt {
    at: string;
    status: string;
    error: string | null;
  }
  const { attemptsToShow } = await browserModule<{
    attemptsToShow(sent: { sent_at: string | null; attempts: number; latest_attempts: Attempt[] }): Attempt[];
  }>('parts/incidents/incident/attempts.ts');
  const at = '2026-01-31T12:00:00.000Z';
  const done = { at, status: 'sent', error: null };
  const failed = { at, status: 'failed', error: 'HTTP 500' };
  t.same(attemptsToShow({ sent_at: at, attempts: 1, latest_attempts: [done] }), []);
  t.same(attemptsToShow({ sent_at: at, attempts: 2, latest_attempts: [done, failed] }), [done, failed]);
  t.same(attemptsToShow({ sent_at: null, attempts: 1, latest_attempts: [failed] }), [failed]);
});
