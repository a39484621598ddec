import t from 'tap';
import { mayReceive } from '../../../control-plane/notifications/delivery/may-receive.js';

t.test('before an owner has confirmed their address, only that address gets messages', (t) => {
  const own = 'anna@example.com';
  t.ok(mayReceive('webhook', { url: 'https://x.example' }, null), 'confirmed');
  t.ok(mayReceive('email', { to: ['Anna@Example.com'] }, own));
  t.notOk(mayReceive('email', { to: [own, 'stranger@example.com'] }, own));
  t.notOk(mayReceive('email', { to: ['stranger@example.com'] }, own));
  t.notOk(mayReceive('webhook', { url: 'https://x.example' }, own));
  t.notOk(mayReceive('telegram', { to: [own] }, own));
  t.end();
});
