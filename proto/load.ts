import { fileURLToPath } from 'node:url';
import { type GrpcObject, loadPackageDefinition } from '@grpc/grpc-js';
import { loadSync } from '@grpc/proto-loader';
import protobuf from 'protobufjs';
import type { ProtoGrpcType } from './generated/link.js';
import type { Assignments__Output } from './generated/picket/link/v1/Assignments.js';
import type { CheckResult, CheckResult__Output } from './generated/picket/link/v1/CheckResult.js';

/** Must agree with the flags that made `generated/` (`npm run generate`). */
const LOADER_OPTIONS = { longs: Number, enums: String, defaults: true, oneofs: true } as const;

/** `scripts/build` copies the file beside the compiled module, so both layouts find it here. */
const PROTO_PATH = fileURLToPath(new URL('./link.proto', import.meta.url));

/** The client constructor and the service definition of `NodeLink`. Reads the .proto file: call it once per process. */
export function loadNodeLink(): ProtoGrpcType['picket']['link']['v1']['NodeLink'] {
  const definition: GrpcObject = loadPackageDefinition(loadSync(PROTO_PATH, LOADER_OPTIONS));
  return (definition as unknown as ProtoGrpcType).picket.link.v1.NodeLink;
}

/** Encodes and decodes one spooled record. `decode` throws on bytes that are no CheckResult. */
export interface CheckResultCodec {
  encode(result: CheckResult): Uint8Array;
  decode(bytes: Uint8Array): CheckResult__Output;
}

export function loadCheckResultCodec(): CheckResultCodec {
  const type = protobuf.loadSync(PROTO_PATH).lookupType('picket.link.v1.CheckResult');
  return {
    encode: (result) => type.encode(type.fromObject(result)).finish(),
    decode: (bytes) => type.toObject(type.decode(bytes), LOADER_OPTIONS) as CheckResult__Output,
  };
}

/** Encodes and decodes a set of assignments, as a probe keeps it on its disk. `decode` throws on bytes that are none. */
export interface AssignmentsCodec {
  encode(assignments: Assignments__Output): Uint8Array;
  decode(bytes: Uint8Array): Assignments__Output;
}

export function loadAssignmentsCodec(): AssignmentsCodec {
  const type = protobuf.loadSync(PROTO_PATH).lookupType('picket.link.v1.Assignments');
  return {
    // What came off the wire has the shape already; bringing it into one first takes three times as long.
    encode: (assignments) => type.encode(assignments).finish(),
    decode: (bytes) => type.toObject(type.decode(bytes), LOADER_OPTIONS) as Assignments__Output,
  };
}
