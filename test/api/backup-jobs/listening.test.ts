import t from 'tap';
import { createListeningStore } from '../../../control-plane/backup-jobs/judging/listening-store.js';
import { testDatabase } from '../../helpers/database.js';

const SECOND_MS = 1_000;
const NOW = Date.UTC(2031, 0, 31, 12);
const at = (seconds: number) => NOW + seconds * SECOND_MS;

t.test('times of more than half a minute in which nothing listens are gaps', async (t) => {
  const mongo = await testDatabase();
  t.teardown(mongo.drop);
  const store = createListeningStore(mongo.db);
  t.same(await store.gaps(NOW), [], 'nothing ever listened, so nothing is known to be lost');
  t.same(await store.listening(NOW), []);
  t.same(await store.listening(at(30)), []);
  t.same(await store.gaps(at(60)), []);
  t.same(await store.gaps(at(61)), [{ from_ms: at(30), to_ms: at(61) }], 'before it is recorded');
  t.same(await store.listening(at(61)), [{ from_ms: at(30), to_ms: at(61) }]);
  t.same(await store.gaps(at(62)), [{ from_ms: at(30), to_ms: at(61) }]);
});

t.test('what a clock that was ahead recorded does not reach into the future', async (t) => {
  const mongo = await testDatabase();
  t.teardown(mongo.drop);
  const store = createListeningStore(mongo.db);
  await store.listening(NOW);
  await store.listening(at(3_600));
  const [past] = [{ from_ms: NOW, to_ms: at(20) }];
  t.same(await store.listening(at(20)), [past]);
  t.same(await store.listening(at(50)), [past]);
  t.same(await store.listening(at(100)), [past, { from_ms: at(50), to_ms: at(100) }], 'later gaps are seen again');
});
