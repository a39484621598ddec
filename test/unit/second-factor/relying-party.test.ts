import t from 'tap';
import { relyingPartyOf } from '../../../control-plane/second-factor/passkeys/relying-party.js';

t.test('the relying party is the host name of the public URL, where browsers offer passkeys', async (t) => {
  for (const [url, party] of [
    ['https://picket.example.com', { id: 'picket.example.com', origin: 'https://picket.example.com' }],
    ['https://picket.example.com:8443/base/', { id: 'picket.example.com', origin: 'https://picket.example.com:8443' }],
    ['http://localhost:8080', { id: 'localhost', origin: 'http://localhost:8080' }],
    ['http://picket.localhost:8080', { id: 'picket.localhost', origin: 'http://picket.localhost:8080' }],
    ['http://picket.example.com', null],
    ['http://127.0.0.1:8080', null],
    ['https://192.0.2.1', null],
    ['https://[2001:db8::1]', null],
  ] as const) {
    t.strictSame(relyingPartyOf(url), party, url);
  }
});
