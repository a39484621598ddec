import { writeFileSync } from 'node:fs';
import protobuf from 'protobufjs';

const SOURCE = 'proto/link.proto';
const TARGET = 'proto/generated/descriptor.ts';

// In a module, so that a packaged program need not carry the .proto file and parse it at each start.
const descriptor = JSON.stringify(protobuf.loadSync(SOURCE).toJSON());
writeFileSync(
  TARGET,
  `/** ${SOURCE} as protobufjs' JSON, made by \`npm run generate\`. */
export const LINK_DESCRIPTOR = String.raw\`${descriptor}\`;
`,
);
