/** A command-line argument is invalid. The message is one line that says why. */
export class ArgumentError extends Error {}
