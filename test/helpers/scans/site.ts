import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Test } from 'tap';
import { nginxSite } from '../machine/nginx.js';
import { freePort } from '../machine/ports.js';
import { temporaryFolder } from '../machine/temporary-folder.js';
import type { IssuedCertificate } from '../probe/targets-tls.js';

/** An nginx on loopback with https. */
export interface HttpsSite {
  /** `https://127.0.0.1:port/`. */
  https: string;
  /** The same site without TLS. */
  http: string;
}

/** `settings` are further lines of its server, such as headers and locations. Its proof is the token. */
export async function httpsSite(
  t: Test,
  {
    certificate,
    settings,
    token,
    page = '<p>Shop</p>',
  }: {
    certificate: IssuedCertificate;
    settings: string;
    token: string;
    page?: string;
  },
): Promise<HttpsSite> {
  const folder = temporaryFolder(t);
  const port = await freePort();
  await writeFile(join(folder, 'cert.pem'), certificate.cert);
  await writeFile(join(folder, 'key.pem'), certificate.key);
  const nginx = await nginxSite(
    page,
    `listen 127.0.0.1:${port} ssl;
    ssl_certificate ${folder}/cert.pem; ssl_certificate_key ${folder}/key.pem;
    location = /.well-known/picket-scan.txt { return 200 "${token}\\n"; }
    ${settings}`,
  );
  t.teardown(() => nginx.remove());
  await nginx.start();
  return { https: `https://127.0.0.1:${port}/`, http: nginx.url };
}
