import { type GrpcObject, loadPackageDefinition } from '@grpc/grpc-js';
import { fromJSON } from '@grpc/proto-loader';
import protobuf from 'protobufjs';
import { LINK_DESCRIPTOR } from './generated/descriptor.js';
import type { ProtoGrpcType } from './generated/link.js';
import type { Assignments__Output } from './generated/picket/link/v1/Assignments.js';
import type { CheckResult, CheckResult__Output } from './generated/picket/link/v1/CheckResult.js';
import type { MetricSample, MetricSample__Output } from './generated/picket/link/v1/MetricSample.js';
import type { ProcessSample__Output } from './generated/picket/link/v1/ProcessSample.js';
import { MESSAGE_FIELDS_MAX, REPEATED_MAX } from './limits.js';
import { createBoundsCheck } from './message-bounds.js';

/** Must match the flags of `npm run generate`, which generates the types. */
const LOADER_OPTIONS = { longs: Number, enums: String, defaults: true, oneofs: true } as const;

/** Returns the client constructor and the service definition of `NodeLink`. Call it only once per process. */
export function loadNodeLink(): ProtoGrpcType['picket']['link']['v1']['NodeLink'] {
  const definition: GrpcObject = loadPackageDefinition(fromJSON(JSON.parse(LINK_DESCRIPTOR), LOADER_OPTIONS));
  return (definition as unknown as ProtoGrpcType).picket.link.v1.NodeLink;
}

/** Returns the type of a message of link.proto. */
export function messageType(name: string): protobuf.Type {
  return protobuf.Root.fromJSON(JSON.parse(LINK_DESCRIPTOR)).lookupType(`picket.link.v1.${name}`);
}

/** Encodes and decodes one spooled record. `decode` throws on bytes that are not a CheckResult. */
export interface CheckResultCodec {
  encode(result: CheckResult): Uint8Array;
  decode(bytes: Uint8Array): CheckResult__Output;
}

export function loadCheckResultCodec(): CheckResultCodec {
  const type = messageType('CheckResult');
  return {
    encode: (result) => type.encode(type.fromObject(result)).finish(),
    decode: (bytes) => type.toObject(type.decode(bytes), LOADER_OPTIONS) as CheckResult__Output,
  };
}

/** Encodes and decodes the assignments that a probe stores on disk. `decode` throws on invalid bytes. */
export interface AssignmentsCodec {
  encode(assignments: Assignments__Output): Uint8Array;
  decode(bytes: Uint8Array): Assignments__Output;
}

export function loadAssignmentsCodec(): AssignmentsCodec {
  const type = messageType('Assignments');
  return {
    // Decoded messages already have the right shape, so `fromObject`, which takes three times as long, is not needed.
    encode: (assignments) => type.encode(assignments).finish(),
    decode: (bytes) => type.toObject(type.decode(bytes), LOADER_OPTIONS) as Assignments__Output,
  };
}

/** Encodes and decodes the processes of a server, which one control plane forwards to another. */
export interface ProcessSampleCodec {
  encode(sample: ProcessSample__Output): Uint8Array;
  decode(bytes: Uint8Array): ProcessSample__Output;
}

export function loadProcessSampleCodec(): ProcessSampleCodec {
  const type = messageType('ProcessSample');
  return {
    encode: (sample) => type.encode(sample).finish(),
    decode: (bytes) => type.toObject(type.decode(bytes), LOADER_OPTIONS) as ProcessSample__Output,
  };
}

/** Encodes and decodes one sample of an agent. `decode` throws on invalid bytes, and on more values than a node sends. */
export interface MetricSampleCodec {
  encode(sample: MetricSample): Uint8Array;
  decode(bytes: Uint8Array): MetricSample__Output;
}

export function loadMetricSampleCodec(): MetricSampleCodec {
  const type = messageType('MetricSample');
  const check = createBoundsCheck(type, REPEATED_MAX, MESSAGE_FIELDS_MAX);
  return {
    encode: (sample) => type.encode(type.fromObject(sample)).finish(),
    decode(bytes) {
      const violation = check(bytes);
      if (violation !== null) throw new RangeError(violation.detail);
      return type.toObject(type.decode(bytes), LOADER_OPTIONS) as MetricSample__Output;
    },
  };
}
