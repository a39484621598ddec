import { writeFileSync } from 'node:fs';
import protobuf from 'protobufjs';

const SOURCE = 'proto/link.proto';
const TARGET = 'proto/generated/descriptor.ts';

// The descriptor is a module so that packaged programs need neither the .proto file nor the time to parse it at start.
const descriptor = JSON.stringify(protobuf.loadSync(SOURCE).toJSON());
writeFileSync(
  TARGET,
  `/** ${SOURCE} as protobufjs' JSON, made by \`npm run generate\`. */
export const LINK_DESCRIPTOR = String.raw\`${descriptor}\`;
`,
);
