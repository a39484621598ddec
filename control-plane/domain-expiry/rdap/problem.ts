/** Why an answer cannot be used, as a sentence without a full stop. It names nothing that the answer says. */
export class Problem extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'RdapProblem';
  }
}
