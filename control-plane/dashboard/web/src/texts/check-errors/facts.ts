/** What the message of a probe says of the failure. Each is empty if it does not say it. */
export interface CheckFacts {
  /** Host and port, or an address. */
  where: string;
  /** How long it took, as `1,2 s`. */
  time: string;
  /** What the message quotes: a keyword, or a name. */
  quoted: string;
  expected: string;
  got: string;
  message: string;
}

export type CheckSentences = Readonly<Record<string, (facts: CheckFacts) => string>>;
