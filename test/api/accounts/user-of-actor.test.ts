import t from 'tap';
import { userOfActor } from '../../../control-plane/accounts/user-of-actor.js';
import { createUsersStore } from '../../../control-plane/accounts/users-store.js';
import { platformActor } from '../../../control-plane/actor.js';
import { createRunTransaction } from '../../../control-plane/storage/transaction.js';
import { testDatabase } from '../../helpers/database.js';
import { actorOf, buildWorkspace } from '../../helpers/factories.js';

const mongo = await testDatabase();
t.teardown(() => mongo.drop());
const users = createUsersStore(mongo.db);
const runTransaction = createRunTransaction(mongo.client);

t.test('the account of an actor is read, as the transaction sees it; an actor without one is an error', async (t) => {
  const person = await buildWorkspace(mongo);
  t.equal((await userOfActor(users, actorOf(person))).email, person.email);
  await runTransaction(async (tx) => {
    await users.setPassword(tx, person.userId, 'changed');
    t.equal((await userOfActor(users, actorOf(person), tx)).password_hash, 'changed', 'as the transaction sees it');
    t.equal((await userOfActor(users, actorOf(person))).password_hash, 'none');
  });
  await t.rejects(userOfActor(users, platformActor(person.id)), { code: 'not_found' }, 'Picket itself has none');
  await mongo.db.collection('users').deleteMany({ email: person.email });
  await t.rejects(userOfActor(users, actorOf(person)), { code: 'not_found' }, 'deleted by now');
});
