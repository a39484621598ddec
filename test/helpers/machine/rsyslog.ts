import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, open, readFile, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAuthority } from '../probe/targets-tls.js';
import { waitFor } from '../wait.js';
import { freePort } from './ports.js';

/** Debian's rsyslog as a receiver, with its own folder and port. */
export interface Rsyslog {
  port: number;
  /** Trusts its certificate. */
  ca: string;
  start(): Promise<void>;
  kill(signal: NodeJS.Signals): Promise<void>;
  /** The number of lines so far. Each call reads only what is new. */
  lines(): Promise<number>;
  /** Everything that it wrote, one message in each line. */
  written(): Promise<string>;
  remove(): Promise<void>;
}

const MESSAGE_BYTES_MAX = 131_072;
const CHUNK_BYTES = 1_048_576;
const NEWLINE = 10;

export async function rsyslog(options: { tls: boolean }): Promise<Rsyslog> {
  const folder = await mkdtemp(join(tmpdir(), 'picket-rsyslog-'));
  const file = (name: string) => join(folder, name);
  const port = await freePort();
  const authority = await createAuthority();
  const certificate = await authority.issue();
  await writeFile(file('ca.pem'), authority.pem);
  await writeFile(file('cert.pem'), certificate.cert);
  await writeFile(file('key.pem'), certificate.key, { mode: 0o600 });
  const driver = options.tls ? 'StreamDriver.Name="gtls" StreamDriver.Mode="1" StreamDriver.AuthMode="anon"' : '';
  await writeFile(
    file('rsyslog.conf'),
    `global(workDirectory="${folder}" maxMessageSize="${MESSAGE_BYTES_MAX}" processInternalMessages="off"
  defaultNetstreamDriverCAFile="${file('ca.pem')}"
  defaultNetstreamDriverCertFile="${file('cert.pem')}"
  defaultNetstreamDriverKeyFile="${file('key.pem')}")
main_queue(queue.workerThreads="1")
module(load="imtcp" ${driver})
template(name="raw" type="string" string="%rawmsg%\\n")
input(type="imtcp" port="${port}" address="127.0.0.1")
if $programname == "picket" then action(type="omfile" file="${file('out.log')}" template="raw")
`,
  );
  let child: ChildProcess | null = null;
  const counted = { bytes: 0, lines: 0 };
  const kill = async (signal: NodeJS.Signals) => {
    const ending = child;
    if (ending === null || ending.exitCode !== null || ending.signalCode !== null) return;
    const gone = new Promise((resolve) => ending.once('exit', resolve));
    ending.kill(signal);
    await gone;
  };
  return {
    port,
    ca: authority.pem,
    async start() {
      // It is left after a kill, and the next process would not start.
      await rm(file('pid'), { force: true });
      child = spawn('rsyslogd', ['-n', '-f', file('rsyslog.conf'), '-i', file('pid')], {
        env: { PATH: `${process.env['PATH']}:/usr/sbin` },
        // It logs much about killed connections.
        stdio: 'ignore',
      });
      await waitFor('rsyslog', 60_000, () => answers(port));
    },
    kill,
    async lines() {
      const handle = await open(file('out.log')).catch(() => null);
      if (handle === null) return counted.lines;
      for (;;) {
        const { bytesRead, buffer } = await handle.read(Buffer.alloc(CHUNK_BYTES), 0, CHUNK_BYTES, counted.bytes);
        if (bytesRead === 0) break;
        counted.bytes += bytesRead;
        for (const byte of buffer.subarray(0, bytesRead)) if (byte === NEWLINE) counted.lines += 1;
      }
      await handle.close();
      return counted.lines;
    },
    written: () => readFile(file('out.log'), 'utf8').catch(() => ''),
    async remove() {
      await kill('SIGKILL');
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true));
    socket.once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}
