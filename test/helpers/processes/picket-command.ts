import { builtProcess } from './control-plane.js';

interface Ended {
  code: number | null;
  out: string;
  err: string;
}

/** Runs `picket …` in its own process, like an operator or a cron job. */
export function runPicket(args: readonly string[], env: Record<string, string>): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = builtProcess('control-plane/cli.js', [...args], env);
    let [out, err] = ['', ''];
    child.stdout?.on('data', (chunk) => (out += chunk));
    child.stderr?.on('data', (chunk) => (err += chunk));
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, out, err }));
  });
}
