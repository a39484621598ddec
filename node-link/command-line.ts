import { parseArgs } from 'node:util';
import { SettingError } from '../kernel/settings.js';
import { type JoinToken, parseJoinToken } from './enrolment/join-token.js';

/** What every kind of node understands on its command line. */
export interface NodeArguments {
  join?: string;
  data?: string;
  help?: boolean;
  version?: boolean;
}

/** Throws SettingError, whose message is one line. */
export function parseNodeArguments(args: readonly string[]): NodeArguments {
  try {
    const text = { type: 'string' } as const;
    const flag = { type: 'boolean' } as const;
    return parseArgs({ args: [...args], options: { join: text, data: text, help: flag, version: flag } }).values;
  } catch (error) {
    const reason = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error);
    throw new SettingError('the command line', `is wrong: ${reason}`);
  }
}

/** The join token of the command line, or else of `PICKET_JOIN_TOKEN`; null where there is none. */
export function readJoinToken(given: string | undefined, variable: string | null): JoinToken | null {
  const text = given ?? variable;
  if (text === null) return null;
  try {
    return parseJoinToken(text);
  } catch (error) {
    const setting = given === undefined ? 'PICKET_JOIN_TOKEN' : '--join';
    throw new SettingError(setting, `is wrong: ${error instanceof Error ? error.message : String(error)}`);
  }
}
