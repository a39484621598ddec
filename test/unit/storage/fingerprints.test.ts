import t from 'tap';
import { createSecretBox, SECRET_KEY_BYTES } from '../../../control-plane/storage/secret-box.js';
import { systemRandom } from '../../../kernel/random.js';

t.test('a fingerprint depends on the text, its purpose and the key, and on nothing else', (t) => {
  const box = (fill: number) => createSecretBox(Buffer.alloc(SECRET_KEY_BYTES, fill), systemRandom);
  const own = box(1).fingerprint('text', 'a');
  t.match(own, /^[0-9a-f]{64}$/);
  t.equal(box(1).fingerprint('text', 'a'), own);
  const others = [
    box(1).fingerprint('text', 'b'),
    box(1).fingerprint('texts', 'a'),
    box(2).fingerprint('text', 'a'),
    box(1).fingerprint('', 'a'),
  ];
  t.equal(new Set([own, ...others]).size, 5);
  t.end();
});
