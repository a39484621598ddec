// Original file: proto/link.proto


/**
 * Requests a security scan of a website. The control plane has checked that the workspace controls it. The probe keeps
 * limits of its own for requests, bytes and time. A task with the same scan and attempt is run once.
 */
export interface ScanTask {
  'scanId'?: (string);
  /**
   * Counts from 1. A scan whose result does not arrive is requested once more.
   */
  'attempt'?: (number);
  /**
   * The origin of the website: https://shop.example/
   */
  'url'?: (string);
  'timeoutMs'?: (number);
}

/**
 * Requests a security scan of a website. The control plane has checked that the workspace controls it. The probe keeps
 * limits of its own for requests, bytes and time. A task with the same scan and attempt is run once.
 */
export interface ScanTask__Output {
  'scanId': (string);
  /**
   * Counts from 1. A scan whose result does not arrive is requested once more.
   */
  'attempt': (number);
  /**
   * The origin of the website: https://shop.example/
   */
  'url': (string);
  'timeoutMs': (number);
}
