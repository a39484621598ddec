/** What the error says. Each is empty if it does not say it. */
export interface DeliveryFacts {
  /** Host and port, an address, or a name. */
  where: string;
  /** How long it took, as `15 s`. */
  time: string;
  /** What the receiver, or Picket, said itself. */
  said: string;
}
