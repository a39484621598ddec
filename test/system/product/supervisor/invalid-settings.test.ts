import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import t from 'tap';

const script = (path: string) => fileURLToPath(new URL(`../../../../build/${path}`, import.meta.url));

t.test('an invalid setting ends each process with code 78 and one line that names the setting', async (t) => {
  const cases: [string, Record<string, string>, string][] = [
    ['supervisor/main.js', { PICKET_HTTP_PORT: 'eighty' }, 'PICKET_HTTP_PORT'],
    ['supervisor/main.js', { PICKET_LOCATIONS: 'fra,NOT A CODE' }, 'PICKET_LOCATIONS'],
    ['supervisor/main.js', { PICKET_LOCAL_AGENT: 'no' }, 'PICKET_LOCAL_AGENT'],
    ['supervisor/main.js', { PICKET_ALLOW_PRIVATE_TARGETS: 'yes' }, 'PICKET_ALLOW_PRIVATE_TARGETS'],
    ['control-plane/main.js', {}, 'PICKET_MONGODB_URI'],
    ['control-plane/main.js', { PICKET_MONGODB_URI: 'http://x' }, 'PICKET_MONGODB_URI'],
    ['control-plane/main.js', { PICKET_MONGODB_URI: 'mongodb://x', PICKET_GRPC_PORT: '0' }, 'PICKET_GRPC_PORT'],
    [
      'control-plane/main.js',
      { PICKET_MONGODB_URI: 'mongodb://x', PICKET_ALLOW_PRIVATE_TARGETS: 'yes' },
      'PICKET_ALLOW_PRIVATE_TARGETS',
    ],
    ['control-plane/main.js', { PICKET_MONGODB_URI: 'mongodb://x', PICKET_DENY_TARGETS: '10.0.0.0/x' }, 'DENY_TARGETS'],
    ['control-plane/main.js', { PICKET_MONGODB_URI: 'mongodb://x', PICKET_TLS_CERT: '/x' }, 'PICKET_TLS_KEY'],
    ['control-plane/main.js', { PICKET_MONGODB_URI: 'mongodb://x', PICKET_LOG_LEVEL: 'loud' }, 'PICKET_LOG_LEVEL'],
    ['control-plane/main.js', { PICKET_MONGODB_URI: 'mongodb://x', PICKET_DNS_SERVERS: 'resolver' }, 'DNS_SERVERS'],
    ['control-plane/main.js', { PICKET_MONGODB_URI: 'mongodb://x', PICKET_DNS_SERVERS: '::1:99999' }, 'DNS_SERVERS'],
    ['control-plane/main.js', { PICKET_MONGODB_URI: 'mongodb://x', PICKET_BLACKLIST_KEYS: 'x' }, 'BLACKLIST_KEYS'],
    ['control-plane/main.js', { PICKET_MONGODB_URI: 'mongodb://x', PICKET_GRPC_ADDRESS: 'host' }, 'GRPC_ADDRESS'],
    ['control-plane/main.js', { PICKET_MONGODB_URI: 'mongodb://x', PICKET_CANARY_TARGETS: 'x' }, 'CANARY_TARGETS'],
    ['control-plane/main.js', { PICKET_MONGODB_URI: 'mongodb://x', PICKET_BLACKLIST_PROVIDERS: '/x' }, 'PROVIDERS'],
    ['control-plane/main.js', { PICKET_MONGODB_URI: 'mongodb://x', PICKET_VULNERABILITY_FEED: 'ftp://x/y' }, 'FEED'],
    ['control-plane/main.js', { PICKET_MONGODB_URI: 'mongodb://x', PICKET_STATUS_EXPORT: 'here' }, 'STATUS_EXPORT'],
  ];
  const run = async ([program, env, variable]: (typeof cases)[number]) => {
    const child = spawn(process.execPath, [script(program)], { env: { PATH: process.env['PATH'], ...env } });
    let output = '';
    child.stdout.on('data', (chunk) => (output += chunk));
    child.stderr.on('data', (chunk) => (output += chunk));
    // Not `exit`, after which the rest of the output may come.
    const code = await new Promise((resolve) => child.once('close', resolve));
    t.equal(code, 78, `${program} ${JSON.stringify(env)}`);
    t.match(output, variable);
    t.equal(output.trim().split('\n').length, 1, output);
  };
  await Promise.all(cases.map(run));
});
