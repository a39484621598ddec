import { randomBytes } from 'node:crypto';
import t from 'tap';
import {
  omittedResponse,
  packedResponse,
  unpackedResponse,
} from '../../../control-plane/http/idempotency/stored-response.js';

const responseWith = (body: string | null) => ({ status: 200, headers: { ETag: '"1"' }, body });

t.test('a response that is stored for its Idempotency-Key takes limited space and is repeated unchanged', async (t) => {
  const bodies = [null, '', '{"data":{}}', 'é'.repeat(20_000), '{"reasons":"/a is not a known field"}'.repeat(100_000)];
  for (const body of bodies) {
    const packed = packedResponse(responseWith(body));
    t.ok(packed.length < 200_000, `${body?.length} characters`);
    t.same(unpackedResponse(packed), responseWith(body));
  }
});

t.test('a response that stays too long when compressed is not stored, and its repeat is refused', async (t) => {
  const packed = packedResponse(responseWith(randomBytes(300_000).toString('base64')));
  t.ok(packed.length < 1_000);
  t.throws(() => unpackedResponse(packed), { code: 'conflict', message: /was carried out/ });
});

t.test('a repeat whose response was not stored says where the new object is', async (t) => {
  const response = { status: 201, headers: { Location: '/v1/monitors/mon_1', ETag: '"1"' }, body: null };
  const tooLong = packedResponse({ ...response, body: randomBytes(300_000).toString('base64') });
  for (const packed of [omittedResponse(response), tooLong]) {
    const headers = { Location: '/v1/monitors/mon_1' };
    t.throws(() => unpackedResponse(packed), { code: 'conflict', extra: { headers } });
  }
});

t.test('a response that an earlier version stored is repeated', async (t) => {
  const earlier = responseWith('{"data":{"key":"pk_live_…"}}'.repeat(2_000));
  t.same(unpackedResponse(JSON.stringify(earlier)), earlier);
});
