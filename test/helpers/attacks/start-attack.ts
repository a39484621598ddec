import { spawn } from 'node:child_process';
import { nodeArguments } from '../processes/node-arguments.js';
import type { AttackPlan, Counts } from './attack.js';

/** All attacks, in a process of their own. */
export interface RunningAttack {
  /** What has happened so far. */
  counts(): Counts;
  /** Ends the attacks after their current rounds. Resolves with everything that happened. */
  stop(): Promise<Counts>;
  kill(): void;
}

export function startAttack(plan: AttackPlan): RunningAttack {
  const script = nodeArguments(new URL('./attack-process.ts', import.meta.url));
  const child = spawn(process.execPath, script, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  let counts: Counts = {};
  child.on('message', (message) => {
    counts = message as Counts;
  });
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.send(plan);
  return {
    counts() {
      if (child.exitCode !== null) throw new Error(`the attacker ended with ${child.exitCode}`);
      return counts;
    },
    async stop() {
      child.send('stop');
      await gone;
      return counts;
    },
    kill: () => void child.kill('SIGKILL'),
  };
}
