import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { waitFor } from '../wait.js';
import { freePort } from './ports.js';

/** The site of a customer: Debian's nginx with one page, in a folder and on a port of its own. */
export interface Nginx {
  url: string;
  start(): Promise<void>;
  stop(): Promise<void>;
  remove(): Promise<void>;
}

/** `settings` are further lines of its server. */
export async function nginxSite(page: string, settings = ''): Promise<Nginx> {
  const folder = await mkdtemp(join(tmpdir(), 'picket-nginx-'));
  const port = await freePort();
  const url = `http://127.0.0.1:${port}/`;
  await writeFile(join(folder, 'index.html'), page);
  await writeFile(
    join(folder, 'nginx.conf'),
    `daemon off;
user root;
worker_processes 1;
pid ${folder}/nginx.pid;
error_log ${folder}/error.log;
events { worker_connections 256; }
http {
  access_log off;
  client_body_temp_path ${folder}; proxy_temp_path ${folder}; fastcgi_temp_path ${folder};
  uwsgi_temp_path ${folder}; scgi_temp_path ${folder};
  gzip on; gzip_min_length 1; gzip_types text/html;
  default_type text/html;
  server { listen 127.0.0.1:${port}; root ${folder}; ${settings} }
}
`,
  );
  let nginx: ChildProcess | null = null;
  async function stop(): Promise<void> {
    if (nginx === null) return;
    const gone = new Promise((resolve) => nginx?.once('exit', resolve));
    nginx.kill('SIGTERM');
    await gone;
    nginx = null;
  }
  return {
    url,
    stop,
    async start() {
      nginx = spawn('nginx', ['-p', folder, '-c', join(folder, 'nginx.conf')], {
        stdio: 'ignore',
        env: { ...process.env, PATH: `${process.env['PATH']}:/usr/sbin` },
      });
      await waitFor('nginx', 60_000, async () => (await fetch(url)).ok);
    },
    async remove() {
      await stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
