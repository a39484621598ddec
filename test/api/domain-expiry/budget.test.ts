import t from 'tap';
import { firstQuestionsMax } from '../../../control-plane/domain-expiry/registrations/first-questions.js';
import { startDomainsApp } from '../../helpers/domain-expiry/app.js';
import { buildWorkspace } from '../../helpers/factories.js';

const DAY = 86_400_000;
const GOOD = { expires: '2032-03-01T03:00:00Z' };

interface FirstQuestions {
  workspace_id: string;
  questions: number;
}

t.test('a workspace may have twice as many first questions a day as its plan has monitors, and at least 100', (t) => {
  t.strictSame(
    [firstQuestionsMax('Free'), firstQuestionsMax('Pro'), firstQuestionsMax('Enterprise')],
    [100, 400, 100_000],
  );
  t.end();
});

t.test('new domains beyond the first questions of a day wait for the next, and delay no other', async (t) => {
  const app = await startDomainsApp();
  t.teardown(() => app.stop());
  for (const name of ['one.com', 'two.com', 'three.com', 'theirs.com']) app.rdap.domains.set(name, GOOD);
  const counts = app.mongo.db.collection<FirstQuestions>('domain_first_questions');
  await app.monitor('https://one.com/');
  await app.run();
  t.match(await counts.find().toArray(), [{ workspace_id: app.workspace.id, questions: 1 }]);
  await counts.updateOne({}, { $set: { questions: firstQuestionsMax('Enterprise') - 1 } });
  const other = await buildWorkspace(app.mongo);
  await app.monitor('https://two.com/');
  await app.monitor('https://three.com/');
  await app.monitor('https://theirs.com/', { workspace_id: other.id });
  await app.run();
  t.strictSame(app.rdap.asked.toSorted(), ['one.com', 'theirs.com', 'two.com']);
  t.match(await app.domains('?q=three'), [
    { status: 'pending', problem: /follows tomorrow$/, next_check_at: '2031-02-01T00:00:00.000Z' },
  ]);
  app.clock.jump(DAY / 2);
  await app.run();
  t.match(await app.domains('?q=three'), [{ status: 'known', problem: null }]);
  app.clock.jump(DAY / 2);
  await app.run();
  t.equal(app.rdap.asked.filter((name) => name === 'one.com').length, 2, 'later questions are not counted');
});

t.test('a first question that has to wait for its server counts once it is asked', async (t) => {
  const app = await startDomainsApp();
  t.teardown(() => app.stop());
  app.rdap.domains.set('one.com', { status: 429 });
  app.rdap.domains.set('two.com', GOOD);
  await app.monitor('https://one.com/');
  await app.monitor('https://two.com/');
  await app.run();
  const counts = app.mongo.db.collection<FirstQuestions>('domain_first_questions');
  t.strictSame(app.rdap.asked, ['one.com']);
  t.match(await counts.find().toArray(), [{ questions: 1 }]);
  app.clock.jump(3_600_000);
  app.rdap.domains.set('one.com', GOOD);
  await app.run();
  t.match(await counts.find().toArray(), [{ questions: 2 }]);
});
