import t from 'tap';
import { countedMailbox } from '../../../control-plane/mail/mailbox.js';

t.test('addresses that are delivered to the same mailbox are counted together', async (t) => {
  t.equal(countedMailbox('Ann+Shop@Example.com'), 'ann@example.com');
  t.equal(countedMailbox('ann.smith@example.com'), 'ann.smith@example.com', 'dots matter at most mail servers');
  t.equal(countedMailbox('+ann@example.com'), '+ann@example.com');
  for (const spelling of ['annsmith@gmail.com', 'A.n.n.Smith@gmail.com', 'ann.smith+x.y@googlemail.com'])
    t.equal(countedMailbox(spelling), 'annsmith@gmail.com', spelling);
  t.equal(countedMailbox('ann.smith@gmail.com.example.com'), 'ann.smith@gmail.com.example.com');
});
