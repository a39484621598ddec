import { parseArgs } from 'node:util';
import { SettingError } from '../kernel/settings.js';
import { type JoinToken, parseJoinToken } from './enrolment/join-token.js';

/** The command-line arguments of every kind of node. */
export interface NodeArguments {
  join?: string;
  data?: string;
  help?: boolean;
  version?: boolean;
}

/** Returns the parsed arguments. Throws SettingError, whose message is one line. */
export function parseNodeArguments(args: readonly string[]): NodeArguments {
  try {
    const text = { type: 'string' } as const;
    const flag = { type: 'boolean' } as const;
    return parseArgs({ args: [...args], options: { join: text, data: text, help: flag, version: flag } }).values;
  } catch (error) {
    const reason = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error);
    throw new SettingError('the command line', `is invalid: ${reason}`);
  }
}

/** Returns the join token of `--join`, else of `PICKET_JOIN_TOKEN`; null without both. */
export function readJoinToken(argument: string | undefined, variable: string | null): JoinToken | null {
  const text = argument ?? variable;
  if (text === null) return null;
  try {
    return parseJoinToken(text);
  } catch (error) {
    const setting = argument === undefined ? 'PICKET_JOIN_TOKEN' : '--join';
    throw new SettingError(setting, `is invalid: ${error instanceof Error ? error.message : String(error)}`);
  }
}
