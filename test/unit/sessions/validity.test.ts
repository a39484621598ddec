import t from 'tap';
import { expiryOf, isValid, restrictionOf, type SessionWithOwner } from '../../../control-plane/sessions/validity.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

function found(options: { isOperator?: boolean; secondFactor?: boolean; required?: boolean } = {}): SessionWithOwner {
  const { isOperator = false, secondFactor = false, required } = options;
  const expires_at_ms = expiryOf({ isOperator }, 0);
  return {
    session: {
      ...{ _id: 'ses_1', token_hash: '', user_id: 'usr_1', workspace_id: 'ws_1', method: 'password' },
      ...{ created_at_ms: 0, last_used_at_ms: 0, confirmed_at_ms: 0, expires_at_ms, expires_at: new Date() },
      ...{ second_factor: secondFactor, ip: null, network: 'none', user_agent: null },
    },
    user: { _id: 'usr_1', email: 'a@b.c', password_hash: null, created_at_ms: 0 },
    workspace: {
      ...{ _id: 'ws_1', name: 'W', plan: 'Free', created_at_ms: 0 },
      ...(required === undefined ? {} : { requires_second_factor: required }),
    },
    membership: { _id: 'ws_1/usr_1', workspace_id: 'ws_1', user_id: 'usr_1', role: 'owner', created_at_ms: 0 },
    isOperator,
  };
}

t.test('a session ends 30 days after its last use, that of an operator after 12 hours', (t) => {
  t.equal(isValid(found(), 30 * DAY_MS - 1), true);
  t.equal(isValid(found(), 30 * DAY_MS), false);
  t.equal(isValid(found({ isOperator: true }), 12 * HOUR_MS - 1), true);
  t.equal(isValid(found({ isOperator: true }), 12 * HOUR_MS), false);
  const promoted = found();
  promoted.isOperator = true;
  t.equal(isValid(promoted, 12 * HOUR_MS), false, 'also one that was opened before the person became an operator');
  t.end();
});

t.test('a session also ends at its stored time, even if the role of the person has changed since', (t) => {
  const demoted = found({ isOperator: true });
  demoted.isOperator = false;
  t.equal(isValid(demoted, 12 * HOUR_MS - 1), true);
  t.equal(isValid(demoted, 12 * HOUR_MS), false);
  t.end();
});

t.test('without a membership a session is over', (t) => {
  t.equal(isValid({ ...found(), membership: null }, 0), false);
  t.end();
});

t.test('a session that the identity provider of a workspace opened is valid there only', (t) => {
  const opened = (provider_workspace_id: string) => {
    const one = found();
    return { ...one, session: { ...one.session, provider_workspace_id } };
  };
  t.equal(isValid(opened('ws_1'), 0), true);
  t.equal(isValid(opened('ws_2'), 0), false);
  t.end();
});

t.test('a session is restricted while its workspace requires more of it', (t) => {
  const never = () => false;
  t.equal(restrictionOf(found(), never), null);
  t.equal(restrictionOf(found({ required: false }), never), null);
  t.equal(restrictionOf(found({ required: true }), never), 'second_factor_setup_required');
  t.equal(restrictionOf(found({ required: true, secondFactor: true }), never), null);
  t.equal(
    restrictionOf(found(), ({ session }) => session.provider_workspace_id === undefined),
    'single_sign_on_required',
  );
  t.end();
});
