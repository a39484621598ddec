import { type GrpcObject, loadPackageDefinition } from '@grpc/grpc-js';
import { fromJSON } from '@grpc/proto-loader';
import protobuf from 'protobufjs';
import { LINK_DESCRIPTOR } from './generated/descriptor.js';
import type { ProtoGrpcType } from './generated/link.js';
import type { Assignments__Output } from './generated/picket/link/v1/Assignments.js';
import type { CheckResult, CheckResult__Output } from './generated/picket/link/v1/CheckResult.js';
import type { MetricReport, MetricReport__Output } from './generated/picket/link/v1/MetricReport.js';
import type { ProcessSample__Output } from './generated/picket/link/v1/ProcessSample.js';

/** Must agree with the flags that made `generated/` (`npm run generate`). */
const LOADER_OPTIONS = { longs: Number, enums: String, defaults: true, oneofs: true } as const;

/** The client constructor and the service definition of `NodeLink`. Builds them anew each time: call it once per process. */
export function loadNodeLink(): ProtoGrpcType['picket']['link']['v1']['NodeLink'] {
  const definition: GrpcObject = loadPackageDefinition(fromJSON(JSON.parse(LINK_DESCRIPTOR), LOADER_OPTIONS));
  return (definition as unknown as ProtoGrpcType).picket.link.v1.NodeLink;
}

function messageType(name: string): protobuf.Type {
  return protobuf.Root.fromJSON(JSON.parse(LINK_DESCRIPTOR)).lookupType(`picket.link.v1.${name}`);
}

/** Encodes and decodes one spooled record. `decode` throws on bytes that are no CheckResult. */
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

/** Encodes and decodes a set of assignments, as a probe keeps it on its disk. `decode` throws on bytes that are none. */
export interface AssignmentsCodec {
  encode(assignments: Assignments__Output): Uint8Array;
  decode(bytes: Uint8Array): Assignments__Output;
}

export function loadAssignmentsCodec(): AssignmentsCodec {
  const type = messageType('Assignments');
  return {
    // What came off the wire has the shape already; bringing it into one first takes three times as long.
    encode: (assignments) => type.encode(assignments).finish(),
    decode: (bytes) => type.toObject(type.decode(bytes), LOADER_OPTIONS) as Assignments__Output,
  };
}

/** Encodes and decodes an agent's processes, as one control plane hands them to another. */
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

/** Encodes and decodes one report of an agent. `decode` throws on bytes that are none. */
export interface MetricReportCodec {
  encode(report: MetricReport): Uint8Array;
  decode(bytes: Uint8Array): MetricReport__Output;
}

export function loadMetricReportCodec(): MetricReportCodec {
  const type = messageType('MetricReport');
  return {
    encode: (report) => type.encode(type.fromObject(report)).finish(),
    decode: (bytes) => type.toObject(type.decode(bytes), LOADER_OPTIONS) as MetricReport__Output,
  };
}
