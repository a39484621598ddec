import t from 'tap';
import { readProbeCommand } from '../../../probe/config.js';

t.test(
  'settings: defaults, arguments take precedence over variables, and errors of one line name the setting',
  async (t) => {
    const token = `pjt_${Buffer.from(JSON.stringify({ v: 1, s: 'x', f: 'a'.repeat(64), a: 'h:1' })).toString('base64url')}`;
    t.match(readProbeCommand([], {}), {
      kind: 'run',
      config: {
        dataDir: /\/picket-probe-data$/,
        join: null,
        allowPrivateTargets: false,
        logLevel: 'info',
        spoolBytesMax: 1024 ** 3,
        extraCaPem: null,
        dnsServers: null,
      },
    });
    t.match(readProbeCommand(['--join', token, '--data', '/a'], { PICKET_DATA_DIR: '/b' }), {
      config: { dataDir: '/a', join: { secret: 'x', addresses: ['h:1'] } },
    });
    t.match(
      readProbeCommand([], {
        PICKET_JOIN_TOKEN: token,
        PICKET_DATA_DIR: '/b',
        PICKET_ALLOW_PRIVATE_TARGETS: '1',
        PICKET_PROBE_SPOOL_BYTES: '1048576',
        PICKET_PROBE_DNS_SERVERS: '127.0.0.1:5300, [::1]:53,::1',
        PICKET_DNS_SERVERS: '192.0.2.1',
      }),
      {
        config: {
          dataDir: '/b',
          join: { secret: 'x' },
          allowPrivateTargets: true,
          spoolBytesMax: 1048576,
          dnsServers: ['127.0.0.1:5300', '[::1]:53', '::1'],
        },
      },
    );
    t.match(readProbeCommand(['--help'], {}), { kind: 'help' });
    t.match(readProbeCommand(['--version'], { PICKET_LOG_LEVEL: 'nonsense' }), { kind: 'version' });
    for (const [args, env, message] of [
      [['--join', 'nonsense'], {}, /^--join is invalid: a join token starts with pjt_$/],
      [['--joni', 'x'], {}, /^the command line is invalid: .*--joni/],
      [[], { PICKET_JOIN_TOKEN: 'x' }, /^PICKET_JOIN_TOKEN /],
      [[], { PICKET_LOG_LEVEL: 'loud' }, /^PICKET_LOG_LEVEL /],
      [[], { PICKET_ALLOW_PRIVATE_TARGETS: 'yes' }, /^PICKET_ALLOW_PRIVATE_TARGETS /],
      [[], { PICKET_PROBE_SPOOL_BYTES: '12' }, /^PICKET_PROBE_SPOOL_BYTES /],
      [[], { PICKET_EXTRA_CA: '/no/such/file' }, /^PICKET_EXTRA_CA cannot be read/],
      [[], { PICKET_EXTRA_CA: '/etc/hostname' }, /^PICKET_EXTRA_CA contains no PEM/],
      [[], { PICKET_PROBE_DNS_SERVERS: 'dns.example' }, /^PICKET_PROBE_DNS_SERVERS /],
    ] as const) {
      t.throws(() => readProbeCommand(args, env), { name: 'SettingError', message });
    }
  },
);
