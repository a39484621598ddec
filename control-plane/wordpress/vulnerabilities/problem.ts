/** Why a feed cannot be used, for the log of the operator. */
export class Problem extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'FeedProblem';
  }
}
