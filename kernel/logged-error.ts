import { stdSerializers } from 'pino';

/**
 * Returns how a logger writes errors. Of an error that `isBrief`, it writes only the name and the message, and not the
 * stack and the other fields: for errors that every task meets again and again while something outside of this process
 * is away. The state of a replica set that the driver of MongoDB adds to them is several kilobytes.
 */
export function loggedError(isBrief: (error: Error) => boolean): (error: unknown) => unknown {
  return (error) => {
    if (!(error instanceof Error) || !isBrief(error)) return stdSerializers.err(error as Error);
    return { type: error.name, message: error.message };
  };
}
