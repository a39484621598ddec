/**
 * A promise to users in milliseconds or MiB, such as "any invalid body is answered within 100 ms". No test asserts it, because
 * it depends on the machine: the tests count the work instead.
 */
export interface Limit {
  name: string;
  unit: 'ms' | 'MiB';
  /** The value that the documentation promises on a machine of two cores. */
  atMost: number;
  /** Returns the measured value, in `unit`. */
  measure(): Promise<number>;
}
