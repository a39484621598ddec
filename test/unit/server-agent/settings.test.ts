import t from 'tap';
import { readAgentCommand } from '../../../server-agent/config.js';
import { parseDetails } from '../../../server-agent/details.js';

const TOKEN = `pjt_${Buffer.from(JSON.stringify({ v: 1, s: 'x', f: 'a'.repeat(64), a: 'h:1' })).toString('base64url')}`;

t.test('settings: defaults, arguments before variables, and errors of one line that name the setting', async (t) => {
  t.match(readAgentCommand([], {}), {
    kind: 'run',
    config: {
      dataDir: /\/picket-agent-data$/,
      join: null,
      logLevel: 'info',
      intervalMs: 10_000,
      spoolBytesMax: 256 * 1024 ** 2,
    },
  });
  t.match(readAgentCommand(['--join', TOKEN, '--data', '/a'], { PICKET_DATA_DIR: '/b' }), {
    config: { dataDir: '/a', join: { secret: 'x', addresses: ['h:1'] } },
  });
  const variables = {
    PICKET_JOIN_TOKEN: TOKEN,
    PICKET_AGENT_INTERVAL_SECONDS: '1',
    PICKET_AGENT_SPOOL_BYTES: '1048576',
  };
  t.match(readAgentCommand([], variables), {
    config: { join: { secret: 'x' }, intervalMs: 1_000, spoolBytesMax: 1_048_576 },
  });
  t.match(readAgentCommand(['--help'], {}), { kind: 'help' });
  t.match(readAgentCommand(['--version'], { PICKET_LOG_LEVEL: 'nonsense' }), { kind: 'version' });
  for (const [args, env, message] of [
    [['--join', 'nonsense'], {}, /^--join is invalid: a join token starts with pjt_$/],
    [['--joni', 'x'], {}, /^the command line is invalid: .*--joni/],
    [[], { PICKET_JOIN_TOKEN: 'x' }, /^PICKET_JOIN_TOKEN /],
    [[], { PICKET_LOG_LEVEL: 'loud' }, /^PICKET_LOG_LEVEL /],
    [[], { PICKET_AGENT_INTERVAL_SECONDS: '0' }, /^PICKET_AGENT_INTERVAL_SECONDS must be a whole number from 1 to 300/],
    [[], { PICKET_AGENT_INTERVAL_SECONDS: '301' }, /^PICKET_AGENT_INTERVAL_SECONDS /],
    [[], { PICKET_AGENT_SPOOL_BYTES: '12' }, /^PICKET_AGENT_SPOOL_BYTES /],
  ] as const) {
    t.throws(() => readAgentCommand(args, env), { name: 'SettingError', message });
  }
});

t.test('the details that the child prints are complete, or null', async (t) => {
  const details = { os: 'Debian', kernel: '6', architecture: 'x64', cpuModel: '', virtualization: 'kvm' };
  t.strictSame(parseDetails(JSON.stringify(details)), details);
  t.strictSame(parseDetails(JSON.stringify({ ...details, more: 1 })), details);
  for (const text of ['', '{', 'null', '{}', JSON.stringify({ ...details, kernel: 6 })])
    t.equal(parseDetails(text), null);
});
