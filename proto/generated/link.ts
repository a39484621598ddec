import type * as grpc from '@grpc/grpc-js';
import type { EnumTypeDefinition, MessageTypeDefinition } from '@grpc/proto-loader';

import type { Ack as _picket_link_v1_Ack, Ack__Output as _picket_link_v1_Ack__Output } from './picket/link/v1/Ack.js';
import type { Assignments as _picket_link_v1_Assignments, Assignments__Output as _picket_link_v1_Assignments__Output } from './picket/link/v1/Assignments.js';
import type { Batch as _picket_link_v1_Batch, Batch__Output as _picket_link_v1_Batch__Output } from './picket/link/v1/Batch.js';
import type { Certificate as _picket_link_v1_Certificate, Certificate__Output as _picket_link_v1_Certificate__Output } from './picket/link/v1/Certificate.js';
import type { CheckResult as _picket_link_v1_CheckResult, CheckResult__Output as _picket_link_v1_CheckResult__Output } from './picket/link/v1/CheckResult.js';
import type { Disk as _picket_link_v1_Disk, Disk__Output as _picket_link_v1_Disk__Output } from './picket/link/v1/Disk.js';
import type { Drain as _picket_link_v1_Drain, Drain__Output as _picket_link_v1_Drain__Output } from './picket/link/v1/Drain.js';
import type { EnrolRequest as _picket_link_v1_EnrolRequest, EnrolRequest__Output as _picket_link_v1_EnrolRequest__Output } from './picket/link/v1/EnrolRequest.js';
import type { EnrolResponse as _picket_link_v1_EnrolResponse, EnrolResponse__Output as _picket_link_v1_EnrolResponse__Output } from './picket/link/v1/EnrolResponse.js';
import type { FromNode as _picket_link_v1_FromNode, FromNode__Output as _picket_link_v1_FromNode__Output } from './picket/link/v1/FromNode.js';
import type { Hello as _picket_link_v1_Hello, Hello__Output as _picket_link_v1_Hello__Output } from './picket/link/v1/Hello.js';
import type { HttpOptions as _picket_link_v1_HttpOptions, HttpOptions__Output as _picket_link_v1_HttpOptions__Output } from './picket/link/v1/HttpOptions.js';
import type { Inventory as _picket_link_v1_Inventory, Inventory__Output as _picket_link_v1_Inventory__Output } from './picket/link/v1/Inventory.js';
import type { MetricSample as _picket_link_v1_MetricSample, MetricSample__Output as _picket_link_v1_MetricSample__Output } from './picket/link/v1/MetricSample.js';
import type { MetricValue as _picket_link_v1_MetricValue, MetricValue__Output as _picket_link_v1_MetricValue__Output } from './picket/link/v1/MetricValue.js';
import type { MonitorAssignment as _picket_link_v1_MonitorAssignment, MonitorAssignment__Output as _picket_link_v1_MonitorAssignment__Output } from './picket/link/v1/MonitorAssignment.js';
import type { NetworkInterface as _picket_link_v1_NetworkInterface, NetworkInterface__Output as _picket_link_v1_NetworkInterface__Output } from './picket/link/v1/NetworkInterface.js';
import type { NodeLinkClient as _picket_link_v1_NodeLinkClient, NodeLinkDefinition as _picket_link_v1_NodeLinkDefinition } from './picket/link/v1/NodeLink.js';
import type { NodeStatus as _picket_link_v1_NodeStatus, NodeStatus__Output as _picket_link_v1_NodeStatus__Output } from './picket/link/v1/NodeStatus.js';
import type { Ping as _picket_link_v1_Ping, Ping__Output as _picket_link_v1_Ping__Output } from './picket/link/v1/Ping.js';
import type { Pong as _picket_link_v1_Pong, Pong__Output as _picket_link_v1_Pong__Output } from './picket/link/v1/Pong.js';
import type { Process as _picket_link_v1_Process, Process__Output as _picket_link_v1_Process__Output } from './picket/link/v1/Process.js';
import type { ProcessSample as _picket_link_v1_ProcessSample, ProcessSample__Output as _picket_link_v1_ProcessSample__Output } from './picket/link/v1/ProcessSample.js';
import type { Refused as _picket_link_v1_Refused, Refused__Output as _picket_link_v1_Refused__Output } from './picket/link/v1/Refused.js';
import type { Rejection as _picket_link_v1_Rejection, Rejection__Output as _picket_link_v1_Rejection__Output } from './picket/link/v1/Rejection.js';
import type { RotateRequest as _picket_link_v1_RotateRequest, RotateRequest__Output as _picket_link_v1_RotateRequest__Output } from './picket/link/v1/RotateRequest.js';
import type { RotateResponse as _picket_link_v1_RotateResponse, RotateResponse__Output as _picket_link_v1_RotateResponse__Output } from './picket/link/v1/RotateResponse.js';
import type { RunNow as _picket_link_v1_RunNow, RunNow__Output as _picket_link_v1_RunNow__Output } from './picket/link/v1/RunNow.js';
import type { SampleProcesses as _picket_link_v1_SampleProcesses, SampleProcesses__Output as _picket_link_v1_SampleProcesses__Output } from './picket/link/v1/SampleProcesses.js';
import type { ScanCookie as _picket_link_v1_ScanCookie, ScanCookie__Output as _picket_link_v1_ScanCookie__Output } from './picket/link/v1/ScanCookie.js';
import type { ScanFile as _picket_link_v1_ScanFile, ScanFile__Output as _picket_link_v1_ScanFile__Output } from './picket/link/v1/ScanFile.js';
import type { ScanHeader as _picket_link_v1_ScanHeader, ScanHeader__Output as _picket_link_v1_ScanHeader__Output } from './picket/link/v1/ScanHeader.js';
import type { ScanPage as _picket_link_v1_ScanPage, ScanPage__Output as _picket_link_v1_ScanPage__Output } from './picket/link/v1/ScanPage.js';
import type { ScanPort as _picket_link_v1_ScanPort, ScanPort__Output as _picket_link_v1_ScanPort__Output } from './picket/link/v1/ScanPort.js';
import type { ScanResult as _picket_link_v1_ScanResult, ScanResult__Output as _picket_link_v1_ScanResult__Output } from './picket/link/v1/ScanResult.js';
import type { ScanSecurityText as _picket_link_v1_ScanSecurityText, ScanSecurityText__Output as _picket_link_v1_ScanSecurityText__Output } from './picket/link/v1/ScanSecurityText.js';
import type { ScanTask as _picket_link_v1_ScanTask, ScanTask__Output as _picket_link_v1_ScanTask__Output } from './picket/link/v1/ScanTask.js';
import type { ScanTls as _picket_link_v1_ScanTls, ScanTls__Output as _picket_link_v1_ScanTls__Output } from './picket/link/v1/ScanTls.js';
import type { ScanTlsOffer as _picket_link_v1_ScanTlsOffer, ScanTlsOffer__Output as _picket_link_v1_ScanTlsOffer__Output } from './picket/link/v1/ScanTlsOffer.js';
import type { ToNode as _picket_link_v1_ToNode, ToNode__Output as _picket_link_v1_ToNode__Output } from './picket/link/v1/ToNode.js';
import type { Welcome as _picket_link_v1_Welcome, Welcome__Output as _picket_link_v1_Welcome__Output } from './picket/link/v1/Welcome.js';

type SubtypeConstructor<Constructor extends new (...args: any) => any, Subtype> = {
  new(...args: ConstructorParameters<Constructor>): Subtype;
};

export interface ProtoGrpcType {
  picket: {
    link: {
      v1: {
        Ack: MessageTypeDefinition<_picket_link_v1_Ack, _picket_link_v1_Ack__Output>
        Assignments: MessageTypeDefinition<_picket_link_v1_Assignments, _picket_link_v1_Assignments__Output>
        Batch: MessageTypeDefinition<_picket_link_v1_Batch, _picket_link_v1_Batch__Output>
        Certificate: MessageTypeDefinition<_picket_link_v1_Certificate, _picket_link_v1_Certificate__Output>
        CheckResult: MessageTypeDefinition<_picket_link_v1_CheckResult, _picket_link_v1_CheckResult__Output>
        Disk: MessageTypeDefinition<_picket_link_v1_Disk, _picket_link_v1_Disk__Output>
        Drain: MessageTypeDefinition<_picket_link_v1_Drain, _picket_link_v1_Drain__Output>
        EnrolRequest: MessageTypeDefinition<_picket_link_v1_EnrolRequest, _picket_link_v1_EnrolRequest__Output>
        EnrolResponse: MessageTypeDefinition<_picket_link_v1_EnrolResponse, _picket_link_v1_EnrolResponse__Output>
        FromNode: MessageTypeDefinition<_picket_link_v1_FromNode, _picket_link_v1_FromNode__Output>
        Hello: MessageTypeDefinition<_picket_link_v1_Hello, _picket_link_v1_Hello__Output>
        HttpOptions: MessageTypeDefinition<_picket_link_v1_HttpOptions, _picket_link_v1_HttpOptions__Output>
        Inventory: MessageTypeDefinition<_picket_link_v1_Inventory, _picket_link_v1_Inventory__Output>
        Metric: EnumTypeDefinition
        MetricSample: MessageTypeDefinition<_picket_link_v1_MetricSample, _picket_link_v1_MetricSample__Output>
        MetricValue: MessageTypeDefinition<_picket_link_v1_MetricValue, _picket_link_v1_MetricValue__Output>
        MonitorAssignment: MessageTypeDefinition<_picket_link_v1_MonitorAssignment, _picket_link_v1_MonitorAssignment__Output>
        NetworkInterface: MessageTypeDefinition<_picket_link_v1_NetworkInterface, _picket_link_v1_NetworkInterface__Output>
        NodeLink: SubtypeConstructor<typeof grpc.Client, _picket_link_v1_NodeLinkClient> & { service: _picket_link_v1_NodeLinkDefinition }
        NodeStatus: MessageTypeDefinition<_picket_link_v1_NodeStatus, _picket_link_v1_NodeStatus__Output>
        Ping: MessageTypeDefinition<_picket_link_v1_Ping, _picket_link_v1_Ping__Output>
        Pong: MessageTypeDefinition<_picket_link_v1_Pong, _picket_link_v1_Pong__Output>
        Process: MessageTypeDefinition<_picket_link_v1_Process, _picket_link_v1_Process__Output>
        ProcessSample: MessageTypeDefinition<_picket_link_v1_ProcessSample, _picket_link_v1_ProcessSample__Output>
        Refused: MessageTypeDefinition<_picket_link_v1_Refused, _picket_link_v1_Refused__Output>
        Rejection: MessageTypeDefinition<_picket_link_v1_Rejection, _picket_link_v1_Rejection__Output>
        RotateRequest: MessageTypeDefinition<_picket_link_v1_RotateRequest, _picket_link_v1_RotateRequest__Output>
        RotateResponse: MessageTypeDefinition<_picket_link_v1_RotateResponse, _picket_link_v1_RotateResponse__Output>
        RunNow: MessageTypeDefinition<_picket_link_v1_RunNow, _picket_link_v1_RunNow__Output>
        SampleProcesses: MessageTypeDefinition<_picket_link_v1_SampleProcesses, _picket_link_v1_SampleProcesses__Output>
        ScanCookie: MessageTypeDefinition<_picket_link_v1_ScanCookie, _picket_link_v1_ScanCookie__Output>
        ScanFile: MessageTypeDefinition<_picket_link_v1_ScanFile, _picket_link_v1_ScanFile__Output>
        ScanHeader: MessageTypeDefinition<_picket_link_v1_ScanHeader, _picket_link_v1_ScanHeader__Output>
        ScanPage: MessageTypeDefinition<_picket_link_v1_ScanPage, _picket_link_v1_ScanPage__Output>
        ScanPort: MessageTypeDefinition<_picket_link_v1_ScanPort, _picket_link_v1_ScanPort__Output>
        ScanResult: MessageTypeDefinition<_picket_link_v1_ScanResult, _picket_link_v1_ScanResult__Output>
        ScanSecurityText: MessageTypeDefinition<_picket_link_v1_ScanSecurityText, _picket_link_v1_ScanSecurityText__Output>
        ScanTask: MessageTypeDefinition<_picket_link_v1_ScanTask, _picket_link_v1_ScanTask__Output>
        ScanTls: MessageTypeDefinition<_picket_link_v1_ScanTls, _picket_link_v1_ScanTls__Output>
        ScanTlsOffer: MessageTypeDefinition<_picket_link_v1_ScanTlsOffer, _picket_link_v1_ScanTlsOffer__Output>
        ToNode: MessageTypeDefinition<_picket_link_v1_ToNode, _picket_link_v1_ToNode__Output>
        Welcome: MessageTypeDefinition<_picket_link_v1_Welcome, _picket_link_v1_Welcome__Output>
      }
    }
  }
}

