import t from 'tap';
import { createAddressLimit } from '../../../control-plane/own-account/address-limit.js';
import { createLogger } from '../../../kernel/logger.js';
import { testClock } from '../../helpers/clock.js';

t.test('a network may create accounts and cause e-mails twenty times a minute', async (t) => {
  const clock = testClock(Date.UTC(2026, 0, 31, 12, 0, 15));
  const store = { ensureIndexes: async () => {}, add: async () => new Map<string, number>() };
  const limit = createAddressLimit({ store, clock, logger: createLogger({ name: 'test', level: 'silent' }) });
  const refusal = { code: 'rate_limited', message: /this network\. Retry in 45 s\.$/ };
  for (let request = 1; request <= 20; request++) limit.take('203.0.113.10');
  t.throws(() => limit.take('203.0.113.10'), refusal, 'the 21st');
  t.throws(() => limit.take('203.0.113.10'), refusal, 'the 22nd');
  limit.take('203.0.113.11');
  for (let request = 1; request <= 20; request++) limit.take(`2001:db8::${request}`);
  t.throws(() => limit.take('2001:db8::ffff'), refusal, 'an IPv6 network of 64 bits is one network');
  await clock.advance(45_000);
  limit.take('203.0.113.10');
});
