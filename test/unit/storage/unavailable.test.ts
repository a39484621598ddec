import t from 'tap';
import { isDatabaseAway, isDatabaseUnavailable } from '../../../control-plane/storage/unavailable.js';

const refused = () => Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
const named = (name: string, extra: object = {}) => Object.assign(new Error(name), { name, ...extra });

t.test('only errors of the database say that it is away', (t) => {
  t.ok(isDatabaseAway(named('MongoNetworkError', { cause: refused() })));
  t.ok(isDatabaseAway(named('MongoServerError', { code: 91 })), 'it shuts down');
  t.ok(isDatabaseAway(new Error('of a task', { cause: named('MongoServerSelectionError') })));
  t.notOk(isDatabaseAway(refused()), 'a receiver of metrics or an identity provider that is away');
  t.notOk(isDatabaseAway(new Error('a fetch failed', { cause: refused() })));
  t.end();
});

t.test('a locked row is not an outage, also as the cause of another error', (t) => {
  const expired = named('MongoServerError', { code: 50 });
  const locked = named('RowsLocked', { cause: expired });
  t.ok(isDatabaseUnavailable(locked), 'the call can be repeated');
  t.notOk(isDatabaseAway(expired));
  t.notOk(isDatabaseAway(locked));
  t.end();
});
