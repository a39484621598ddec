// Original file: proto/link.proto

import type * as grpc from '@grpc/grpc-js'
import type { MethodDefinition } from '@grpc/proto-loader'
import type { EnrolRequest as _picket_link_v1_EnrolRequest, EnrolRequest__Output as _picket_link_v1_EnrolRequest__Output } from '../../../picket/link/v1/EnrolRequest.js';
import type { EnrolResponse as _picket_link_v1_EnrolResponse, EnrolResponse__Output as _picket_link_v1_EnrolResponse__Output } from '../../../picket/link/v1/EnrolResponse.js';
import type { FromNode as _picket_link_v1_FromNode, FromNode__Output as _picket_link_v1_FromNode__Output } from '../../../picket/link/v1/FromNode.js';
import type { RotateRequest as _picket_link_v1_RotateRequest, RotateRequest__Output as _picket_link_v1_RotateRequest__Output } from '../../../picket/link/v1/RotateRequest.js';
import type { RotateResponse as _picket_link_v1_RotateResponse, RotateResponse__Output as _picket_link_v1_RotateResponse__Output } from '../../../picket/link/v1/RotateResponse.js';
import type { ToNode as _picket_link_v1_ToNode, ToNode__Output as _picket_link_v1_ToNode__Output } from '../../../picket/link/v1/ToNode.js';

export interface NodeLinkClient extends grpc.Client {
  /**
   * Metadata: `authorization: Bearer <credential>`. The control plane takes the node's identity from it, never from a
   * message.
   */
  Connect(metadata: grpc.Metadata, options?: grpc.CallOptions): grpc.ClientDuplexStream<_picket_link_v1_FromNode, _picket_link_v1_ToNode__Output>;
  Connect(options?: grpc.CallOptions): grpc.ClientDuplexStream<_picket_link_v1_FromNode, _picket_link_v1_ToNode__Output>;
  /**
   * Metadata: `authorization: Bearer <credential>`. The control plane takes the node's identity from it, never from a
   * message.
   */
  connect(metadata: grpc.Metadata, options?: grpc.CallOptions): grpc.ClientDuplexStream<_picket_link_v1_FromNode, _picket_link_v1_ToNode__Output>;
  connect(options?: grpc.CallOptions): grpc.ClientDuplexStream<_picket_link_v1_FromNode, _picket_link_v1_ToNode__Output>;
  
  /**
   * Exchanges a join token (single use, valid for 24 h) for the credential of a new node.
   */
  Enrol(argument: _picket_link_v1_EnrolRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_picket_link_v1_EnrolResponse__Output>): grpc.ClientUnaryCall;
  Enrol(argument: _picket_link_v1_EnrolRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_picket_link_v1_EnrolResponse__Output>): grpc.ClientUnaryCall;
  Enrol(argument: _picket_link_v1_EnrolRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_picket_link_v1_EnrolResponse__Output>): grpc.ClientUnaryCall;
  Enrol(argument: _picket_link_v1_EnrolRequest, callback: grpc.requestCallback<_picket_link_v1_EnrolResponse__Output>): grpc.ClientUnaryCall;
  /**
   * Exchanges a join token (single use, valid for 24 h) for the credential of a new node.
   */
  enrol(argument: _picket_link_v1_EnrolRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_picket_link_v1_EnrolResponse__Output>): grpc.ClientUnaryCall;
  enrol(argument: _picket_link_v1_EnrolRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_picket_link_v1_EnrolResponse__Output>): grpc.ClientUnaryCall;
  enrol(argument: _picket_link_v1_EnrolRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_picket_link_v1_EnrolResponse__Output>): grpc.ClientUnaryCall;
  enrol(argument: _picket_link_v1_EnrolRequest, callback: grpc.requestCallback<_picket_link_v1_EnrolResponse__Output>): grpc.ClientUnaryCall;
  
  /**
   * Replaces the caller's credential. The previous one stays valid until the new one is first used.
   */
  Rotate(argument: _picket_link_v1_RotateRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_picket_link_v1_RotateResponse__Output>): grpc.ClientUnaryCall;
  Rotate(argument: _picket_link_v1_RotateRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_picket_link_v1_RotateResponse__Output>): grpc.ClientUnaryCall;
  Rotate(argument: _picket_link_v1_RotateRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_picket_link_v1_RotateResponse__Output>): grpc.ClientUnaryCall;
  Rotate(argument: _picket_link_v1_RotateRequest, callback: grpc.requestCallback<_picket_link_v1_RotateResponse__Output>): grpc.ClientUnaryCall;
  /**
   * Replaces the caller's credential. The previous one stays valid until the new one is first used.
   */
  rotate(argument: _picket_link_v1_RotateRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_picket_link_v1_RotateResponse__Output>): grpc.ClientUnaryCall;
  rotate(argument: _picket_link_v1_RotateRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_picket_link_v1_RotateResponse__Output>): grpc.ClientUnaryCall;
  rotate(argument: _picket_link_v1_RotateRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_picket_link_v1_RotateResponse__Output>): grpc.ClientUnaryCall;
  rotate(argument: _picket_link_v1_RotateRequest, callback: grpc.requestCallback<_picket_link_v1_RotateResponse__Output>): grpc.ClientUnaryCall;
  
}

export interface NodeLinkHandlers extends grpc.UntypedServiceImplementation {
  /**
   * Metadata: `authorization: Bearer <credential>`. The control plane takes the node's identity from it, never from a
   * message.
   */
  Connect: grpc.handleBidiStreamingCall<_picket_link_v1_FromNode__Output, _picket_link_v1_ToNode>;
  
  /**
   * Exchanges a join token (single use, valid for 24 h) for the credential of a new node.
   */
  Enrol: grpc.handleUnaryCall<_picket_link_v1_EnrolRequest__Output, _picket_link_v1_EnrolResponse>;
  
  /**
   * Replaces the caller's credential. The previous one stays valid until the new one is first used.
   */
  Rotate: grpc.handleUnaryCall<_picket_link_v1_RotateRequest__Output, _picket_link_v1_RotateResponse>;
  
}

export interface NodeLinkDefinition extends grpc.ServiceDefinition {
  Connect: MethodDefinition<_picket_link_v1_FromNode, _picket_link_v1_ToNode, _picket_link_v1_FromNode__Output, _picket_link_v1_ToNode__Output>
  Enrol: MethodDefinition<_picket_link_v1_EnrolRequest, _picket_link_v1_EnrolResponse, _picket_link_v1_EnrolRequest__Output, _picket_link_v1_EnrolResponse__Output>
  Rotate: MethodDefinition<_picket_link_v1_RotateRequest, _picket_link_v1_RotateResponse, _picket_link_v1_RotateRequest__Output, _picket_link_v1_RotateResponse__Output>
}
