// Original file: proto/link.proto

import type { ScanPage as _picket_link_v1_ScanPage, ScanPage__Output as _picket_link_v1_ScanPage__Output } from '../../../picket/link/v1/ScanPage.js';
import type { ScanTls as _picket_link_v1_ScanTls, ScanTls__Output as _picket_link_v1_ScanTls__Output } from '../../../picket/link/v1/ScanTls.js';
import type { ScanFile as _picket_link_v1_ScanFile, ScanFile__Output as _picket_link_v1_ScanFile__Output } from '../../../picket/link/v1/ScanFile.js';
import type { ScanPort as _picket_link_v1_ScanPort, ScanPort__Output as _picket_link_v1_ScanPort__Output } from '../../../picket/link/v1/ScanPort.js';
import type { ScanSecurityText as _picket_link_v1_ScanSecurityText, ScanSecurityText__Output as _picket_link_v1_ScanSecurityText__Output } from '../../../picket/link/v1/ScanSecurityText.js';
import type { Long } from '@grpc/proto-loader';

/**
 * What a probe measured. It never contains the content of a file or the value of a cookie.
 */
export interface ScanResult {
  'scanId'?: (string);
  'attempt'?: (number);
  /**
   * Why the first page could not be read; empty if it was. The codes are those of check results.
   */
  'errorCode'?: (string);
  'errorMessage'?: (string);
  /**
   * The address that the probe connected to.
   */
  'address'?: (string);
  /**
   * Connections that the scan opened.
   */
  'connections'?: (number);
  'bytes'?: (number | string | Long);
  'durationMs'?: (number);
  'page'?: (_picket_link_v1_ScanPage | null);
  /**
   * Missing without TLS.
   */
  'tls'?: (_picket_link_v1_ScanTls | null);
  /**
   * What http:// of the same host does: redirects (to https), serves, closed, unknown. Empty if it was not asked.
   */
  'plainHttp'?: (string);
  'files'?: (_picket_link_v1_ScanFile)[];
  'ports'?: (_picket_link_v1_ScanPort)[];
  'securityText'?: (_picket_link_v1_ScanSecurityText | null);
}

/**
 * What a probe measured. It never contains the content of a file or the value of a cookie.
 */
export interface ScanResult__Output {
  'scanId': (string);
  'attempt': (number);
  /**
   * Why the first page could not be read; empty if it was. The codes are those of check results.
   */
  'errorCode': (string);
  'errorMessage': (string);
  /**
   * The address that the probe connected to.
   */
  'address': (string);
  /**
   * Connections that the scan opened.
   */
  'connections': (number);
  'bytes': (number);
  'durationMs': (number);
  'page': (_picket_link_v1_ScanPage__Output | null);
  /**
   * Missing without TLS.
   */
  'tls': (_picket_link_v1_ScanTls__Output | null);
  /**
   * What http:// of the same host does: redirects (to https), serves, closed, unknown. Empty if it was not asked.
   */
  'plainHttp': (string);
  'files': (_picket_link_v1_ScanFile__Output)[];
  'ports': (_picket_link_v1_ScanPort__Output)[];
  'securityText': (_picket_link_v1_ScanSecurityText__Output | null);
}
