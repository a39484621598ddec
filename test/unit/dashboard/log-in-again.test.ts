import t from 'tap';
import { browserModule } from '../../helpers/dashboard/browser-module.js';

const { logInAgain, answerLogIn, onLoggedInAgain } = await browserModule<{
  logInAgain: { ask(): Promise<boolean>; current(): object | null };
  answerLogIn(isLoggedIn: boolean): void;
  onLoggedInAgain(listener: () => void): () => void;
}>('api/session-end.ts');

t.test('a page goes on once, however often it hears that the person has logged in', async (t) => {
  let times = 0;
  onLoggedInAgain(() => {
    times += 1;
  });
  const answer = logInAgain.ask();
  for (let heard = 0; heard < 3; heard++) answerLogIn(true);
  // The dialog closes, and says so.
  answerLogIn(false);
  t.equal(await answer, true);
  t.equal(logInAgain.current(), null);
  t.equal(times, 1);
});
