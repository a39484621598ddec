import t from 'tap';
import { HELP as PROBE_HELP } from '../../../probe/config.js';
import { HELP as AGENT_HELP } from '../../../server-agent/config.js';
import { agentEnv, controlPlaneEnv, mongodEnv, probeEnv } from '../../../supervisor/child-env.js';
import { readSupervisorConfig } from '../../../supervisor/config.js';

/** Returns the settings that a help text names. */
const named = (help: string) => [...new Set(help.match(/PICKET_[A-Z_]+/g))];

const SECRETS = {
  PICKET_MONGODB_URI: 'mongodb://user:secret@a/picket',
  PICKET_SMTP_URL: 'smtp://user:secret@mail',
  PICKET_BLACKLIST_KEYS: 'spamhaus-zen=secret',
  PICKET_REMOTE_WRITE_AUTHORIZATION: 'Bearer secret',
  PICKET_METRICS_TOKEN: 'secret',
  AWS_SECRET_ACCESS_KEY: 'secret',
  SOMETHING_ELSE: 'secret',
};
const config = readSupervisorConfig({ PICKET_DATA_DIR: '/data' });

t.test('probes, the agent and mongod get only what they may know, and their own settings', (t) => {
  const given = Object.fromEntries([...named(PROBE_HELP), ...named(AGENT_HELP)].map((name) => [name, '1']));
  const env = { ...given, ...SECRETS, PATH: '/bin', HOME: '/root' };
  const probe = probeEnv(env, config, '/data/probes/fra', 'pjt_1');
  const agent = agentEnv(env, '/data/agent', 'pjt_2');
  for (const [name, own, help] of [
    ['probe', probe, PROBE_HELP],
    ['agent', agent, AGENT_HELP],
  ] as const) {
    t.notMatch(JSON.stringify(own), /secret/, `the ${name} knows no secret`);
    t.same(
      Object.keys(own)
        .filter((setting) => setting.startsWith('PICKET_'))
        .sort(),
      named(help).sort(),
      `the ${name} gets each setting of its help`,
    );
    t.match(own, { PATH: '/bin', HOME: '/root' });
  }
  t.match(probe, { PICKET_DATA_DIR: '/data/probes/fra', PICKET_JOIN_TOKEN: 'pjt_1' });
  t.match(agent, { PICKET_DATA_DIR: '/data/agent', PICKET_JOIN_TOKEN: 'pjt_2' });
  t.notOk('PICKET_JOIN_TOKEN' in agentEnv({}, '/data/agent', null), 'a token only for the first start');
  t.same(mongodEnv(env), { PATH: '/bin', HOME: '/root' });
  t.match(controlPlaneEnv(env, config, 'mongodb://b'), { ...SECRETS, PICKET_MONGODB_URI: 'mongodb://b' });
  t.end();
});

t.test('private targets are allowed by default only while PICKET_HOST is loopback', (t) => {
  const allowed = (env: Record<string, string>) => {
    const own = readSupervisorConfig(env);
    const values = [controlPlaneEnv(env, own, 'mongodb://a'), probeEnv(env, own, '/d', null)].map(
      (child) => child['PICKET_ALLOW_PRIVATE_TARGETS'],
    );
    t.equal(values[0], values[1], 'the same for the control plane and its probes');
    return values[0];
  };
  t.equal(allowed({}), '1');
  t.equal(allowed({ PICKET_HOST: 'localhost' }), '1');
  t.equal(allowed({ PICKET_HOST: '::1', PICKET_ALLOW_PRIVATE_TARGETS: ' ' }), '1');
  t.equal(allowed({ PICKET_HOST: '0.0.0.0' }), '0');
  t.equal(allowed({ PICKET_HOST: '10.0.0.5' }), '0');
  t.equal(allowed({ PICKET_HOST: '0.0.0.0', PICKET_ALLOW_PRIVATE_TARGETS: '1' }), '1');
  t.equal(allowed({ PICKET_ALLOW_PRIVATE_TARGETS: '0' }), '0');
  t.end();
});
