/** An argument that cannot be; `message` says why, in one line. */
export class ArgumentError extends Error {}
