import { fileURLToPath } from 'node:url';
import protobuf from 'protobufjs';
import t from 'tap';
import { LINK_DESCRIPTOR } from '../../../proto/generated/descriptor.js';

t.test('what the programs carry is link.proto as it is: else `npm run generate` was forgotten', async (t) => {
  const source = fileURLToPath(new URL('../../../proto/link.proto', import.meta.url));
  t.same(JSON.parse(LINK_DESCRIPTOR), JSON.parse(JSON.stringify(protobuf.loadSync(source).toJSON())));
});
