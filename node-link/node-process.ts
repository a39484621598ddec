import { EXIT_CONFIG, SettingError } from '../kernel/settings.js';
import { DirectoryTakenError } from './begin.js';
import { EnrolError } from './enrolment/enrol.js';

/** Ends the process when it is told to, after `stop`. `program` is how it calls itself in its one line. */
export function stopWhenTold(program: string, stop: () => Promise<void>): void {
  const end = () => {
    stop().then(
      () => process.exit(0),
      (error) => fail(program, 1, `did not stop cleanly: ${words(error)}`),
    );
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, end);
  // Started by the supervisor, whose end closes this channel.
  process.once('disconnect', end);
}

/** Ends a process that cannot begin, with one line where it is known what that line should say. */
export function failToBegin(program: string, error: unknown): never {
  if (error instanceof SettingError) fail(program, EXIT_CONFIG, error.message);
  if (error instanceof EnrolError || error instanceof DirectoryTakenError) fail(program, 1, error.message);
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
  process.exit(1);
}

function fail(program: string, code: number, line: string): never {
  process.stderr.write(`${program}: ${line}\n`);
  process.exit(code);
}

function words(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
