import t from 'tap';
import { AppError } from '../../../control-plane/errors.js';
import { withOneMore } from '../../../control-plane/team/invitations/mail-budget.js';
import { invitationStatus, mayInvite } from '../../../control-plane/team/invitations/rules.js';

const HOUR_MS = 3_600_000;

t.test('50 invitations within any hour', (t) => {
  let sent: number[] = [];
  for (let index = 0; index < 50; index++) sent = withOneMore(sent, 1_000 + index);
  t.equal(sent.length, 50);
  try {
    withOneMore(sent, 1_000 + HOUR_MS - 1);
    t.fail('the 51st was sent');
  } catch (error) {
    t.ok(error instanceof AppError);
    t.match(error, { code: 'rate_limited', extra: { headers: { 'Retry-After': '1' } } });
  }
  sent = withOneMore(sent, 1_000 + HOUR_MS);
  t.equal(sent.length, 50, 'the oldest is forgotten, so the list stays short');
  t.throws(() => withOneMore(sent, 1_000 + HOUR_MS), 'only one has become free');
  t.end();
});

t.test('whose invitation is valid', (t) => {
  const may = (role: 'owner' | 'member') =>
    ([null, 'viewer', 'member', 'admin', 'owner'] as const).filter((inviter) => mayInvite(inviter, role));
  t.same(may('member'), ['admin', 'owner']);
  t.same(may('owner'), ['owner']);
  const invitation = { role: 'owner', expires_at_ms: 100 } as const;
  t.equal(invitationStatus(invitation, 'owner', 99), 'open');
  t.equal(invitationStatus(invitation, 'owner', 100), 'expired');
  t.equal(invitationStatus(invitation, 'admin', 99), 'void');
  t.equal(invitationStatus(invitation, null, 99), 'void');
  t.end();
});
