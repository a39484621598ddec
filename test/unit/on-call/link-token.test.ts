import t from 'tap';
import { createActionLink } from '../../../control-plane/on-call/action-link.js';
import { createLinkTokens, LINK_VALID_MS } from '../../../control-plane/on-call/link-token.js';
import { idOfUlidBytes, ulidBytes } from '../../../control-plane/on-call/ulid-bytes.js';
import { createIds } from '../../../control-plane/storage/ids.js';
import { createSecretBox } from '../../../control-plane/storage/secret-box.js';
import { systemClock } from '../../../kernel/clock.js';
import { systemRandom } from '../../../kernel/random.js';

const BASE64URL = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const ids = createIds(systemClock, systemRandom);
const boxWith = (byte: number) => createSecretBox(Buffer.alloc(32, byte), systemRandom);
const tokens = createLinkTokens(boxWith(1));
const LINK = {
  ...{ workspaceId: ids.next('ws'), incidentId: ids.next('inc'), channelId: ids.next('chn') },
  issuedAtMs: Date.UTC(2026, 0, 31, 12, 0, 0, 123),
};

t.test('a token names workspace, incident, channel and time', async (t) => {
  t.same(tokens.read(tokens.sign(LINK)), LINK);
  t.equal(tokens.sign(LINK), tokens.sign({ ...LINK }), 'and is the same in every attempt');
  t.equal(LINK_VALID_MS, 86_400_000);
});

t.test('a token with any character changed, added or removed is refused', async (t) => {
  const token = tokens.sign(LINK);
  for (let at = 0; at < token.length; at++) {
    const others = [...BASE64URL].filter((char) => char !== token[at]);
    const accepted = others.filter((char) => tokens.read(token.slice(0, at) + char + token.slice(at + 1)) !== null);
    t.same(accepted, [], `character ${at}`);
  }
  for (const wrong of [
    '',
    'x',
    token.slice(1),
    token.slice(0, -1),
    `${token}A`,
    `${token}=`,
    ` ${token}`,
    `${token}\n`,
  ]) {
    t.equal(tokens.read(wrong), null);
  }
  t.equal(tokens.read(token.replaceAll('-', '+').replaceAll('_', '/').padEnd(97, '=')), null);
});

t.test('a token of another installation is refused', async (t) => {
  t.equal(tokens.read(createLinkTokens(boxWith(2)).sign(LINK)), null);
});

t.test('a link is short, also below a long public URL', async (t) => {
  const publicUrl = 'https://monitoring.department.example.com/tools/picket';
  const link = createActionLink(boxWith(1), publicUrl)({ ...LINK, atMs: LINK.issuedAtMs });
  t.ok(link.startsWith(`${publicUrl}/on-call?t=`));
  t.equal(link.length, publicUrl.length + 107);
  t.ok(link.length < 200);
  t.same(tokens.read(new URL(link).searchParams.get('t') ?? ''), LINK);
});

t.test('the bytes of an id are those of its ULID', async (t) => {
  t.equal(ulidBytes('inc_01kf5e6q0h3v8r2m9x4t7c1z5n').length, 16);
  t.equal(ulidBytes('x_7zzzzzzzzzzzzzzzzzzzzzzzzz').toString('hex'), 'f'.repeat(32));
  t.equal(idOfUlidBytes('inc', ulidBytes('inc_00000000000000000000000001')), 'inc_00000000000000000000000001');
  for (const wrong of ['ws_1', 'inc_8zzzzzzzzzzzzzzzzzzzzzzzzz', 'inc_01kf5e6q0h3v8r2m9x4t7c1z5u', '']) {
    t.throws(() => ulidBytes(wrong), RangeError, wrong);
  }
});
