// Original file: proto/link.proto

import type { Long } from '@grpc/proto-loader';

/**
 * A mounted real file system.
 */
export interface Disk {
  'mount'?: (string);
  'device'?: (string);
  'type'?: (string);
  'sizeBytes'?: (number | string | Long);
  'usedBytes'?: (number | string | Long);
  /**
   * What an unprivileged user may still take.
   */
  'availableBytes'?: (number | string | Long);
  /**
   * Name of the block device in metrics such as disk_read_rate:sda; empty when it has none.
   */
  'blockDevice'?: (string);
}

/**
 * A mounted real file system.
 */
export interface Disk__Output {
  'mount': (string);
  'device': (string);
  'type': (string);
  'sizeBytes': (number);
  'usedBytes': (number);
  /**
   * What an unprivileged user may still take.
   */
  'availableBytes': (number);
  /**
   * Name of the block device in metrics such as disk_read_rate:sda; empty when it has none.
   */
  'blockDevice': (string);
}
