import { resolve } from 'node:path';
import protobuf from 'protobufjs';
import t from 'tap';
import { LINK_DESCRIPTOR } from '../../../proto/generated/descriptor.js';

t.test('the generated descriptor matches link.proto; if not, run `npm run generate`', async (t) => {
  const source = resolve('proto/link.proto');
  t.same(JSON.parse(LINK_DESCRIPTOR), JSON.parse(JSON.stringify(protobuf.loadSync(source).toJSON())));
});
