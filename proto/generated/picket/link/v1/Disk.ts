// Original file: proto/link.proto

import type { Long } from '@grpc/proto-loader';

/**
 * A mounted file system on a local disk.
 */
export interface Disk {
  'mount'?: (string);
  'device'?: (string);
  'type'?: (string);
  'sizeBytes'?: (number | string | Long);
  'usedBytes'?: (number | string | Long);
  /**
   * Free space for unprivileged users.
   */
  'availableBytes'?: (number | string | Long);
  /**
   * Name of the block device in metrics such as disk_read_rate:sda; empty without one.
   */
  'blockDevice'?: (string);
}

/**
 * A mounted file system on a local disk.
 */
export interface Disk__Output {
  'mount': (string);
  'device': (string);
  'type': (string);
  'sizeBytes': (number);
  'usedBytes': (number);
  /**
   * Free space for unprivileged users.
   */
  'availableBytes': (number);
  /**
   * Name of the block device in metrics such as disk_read_rate:sda; empty without one.
   */
  'blockDevice': (string);
}
