// Original file: proto/link.proto

import type { ScanHeader as _picket_link_v1_ScanHeader, ScanHeader__Output as _picket_link_v1_ScanHeader__Output } from '../../../picket/link/v1/ScanHeader.js';
import type { ScanCookie as _picket_link_v1_ScanCookie, ScanCookie__Output as _picket_link_v1_ScanCookie__Output } from '../../../picket/link/v1/ScanCookie.js';

export interface ScanPage {
  /**
   * The page after redirects, without its query.
   */
  'url'?: (string);
  'status'?: (number);
  /**
   * Only those that the control plane evaluates.
   */
  'headers'?: (_picket_link_v1_ScanHeader)[];
  'cookies'?: (_picket_link_v1_ScanCookie)[];
  /**
   * Resources that an https page loads by http: scripts, styles and frames, and images and media.
   */
  'mixedActive'?: (string)[];
  'mixedPassive'?: (string)[];
  /**
   * The other host that the page redirects to. The scan does not follow it there.
   */
  'redirectsTo'?: (string);
  /**
   * Whether the page was read as HTML, so that mixed content was searched for.
   */
  'html'?: (boolean);
  /**
   * Whether `redirects_to` is redirected to by https.
   */
  'redirectsToHttps'?: (boolean);
}

export interface ScanPage__Output {
  /**
   * The page after redirects, without its query.
   */
  'url': (string);
  'status': (number);
  /**
   * Only those that the control plane evaluates.
   */
  'headers': (_picket_link_v1_ScanHeader__Output)[];
  'cookies': (_picket_link_v1_ScanCookie__Output)[];
  /**
   * Resources that an https page loads by http: scripts, styles and frames, and images and media.
   */
  'mixedActive': (string)[];
  'mixedPassive': (string)[];
  /**
   * The other host that the page redirects to. The scan does not follow it there.
   */
  'redirectsTo': (string);
  /**
   * Whether the page was read as HTML, so that mixed content was searched for.
   */
  'html': (boolean);
  /**
   * Whether `redirects_to` is redirected to by https.
   */
  'redirectsToHttps': (boolean);
}
