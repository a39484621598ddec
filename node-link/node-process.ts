import { EXIT_CONFIG, SettingError } from '../kernel/settings.js';
import { EnrolError } from './enrolment/enrol.js';
import { DirectoryInUseError } from './prepare.js';

/** Calls `stop` and exits on a signal, or when the supervisor ends. `program` starts the line of an error. */
export function stopOnSignal(program: string, stop: () => Promise<void>): void {
  const end = () => {
    stop().then(
      () => process.exit(0),
      (error) => exitWith(program, 1, `failed to stop: ${messageOf(error)}`),
    );
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, end);
  // The supervisor starts nodes with an IPC channel, which closes when it ends.
  process.once('disconnect', end);
}

/** Exits because the process failed to start: with one line for an expected error, with a stack trace for others. */
export function exitOnStartFailure(program: string, error: unknown): never {
  if (error instanceof SettingError) exitWith(program, EXIT_CONFIG, error.message);
  if (error instanceof EnrolError || error instanceof DirectoryInUseError) exitWith(program, 1, error.message);
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
  process.exit(1);
}

function exitWith(program: string, code: number, line: string): never {
  process.stderr.write(`${program}: ${line}\n`);
  process.exit(code);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
