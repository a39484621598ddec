import t from 'tap';
import { readConfig } from '../../../control-plane/config.js';

const base = { PICKET_MONGODB_URI: 'mongodb://127.0.0.1/picket' };
const refusal = (env: Record<string, string>) => {
  try {
    readConfig({ ...base, ...env });
  } catch (error) {
    return String(error);
  }
  return 'accepted';
};

t.test('the provider of the installation', (t) => {
  const oidc = {
    PICKET_OIDC_ISSUER: 'https://id.example/staff/',
    PICKET_OIDC_CLIENT_ID: 'picket',
    PICKET_OIDC_CLIENT_SECRET: 'very-secret',
  };
  t.equal(readConfig(base).installationProvider, null);
  t.same(readConfig({ ...base, ...oidc }).installationProvider, {
    ...{ issuer: 'https://id.example/staff/', clientId: 'picket', clientSecret: 'very-secret' },
    ...{ scopes: ['openid', 'email', 'profile'], roleClaim: null, workspace: 'first', name: 'Single sign-on' },
  });
  const more = {
    PICKET_OIDC_SCOPES: 'openid email groups',
    PICKET_OIDC_ROLE_CLAIM: 'groups',
    PICKET_OIDC_NAME: 'Example Ltd',
  };
  t.match(readConfig({ ...base, ...oidc, ...more }).installationProvider, {
    ...{ scopes: ['openid', 'email', 'groups'], roleClaim: 'groups', name: 'Example Ltd' },
  });
  for (const variable of Object.keys(oidc)) {
    t.match(refusal({ ...oidc, [variable]: '' }), new RegExp(`${variable} is missing`));
  }
  for (const issuer of [
    'id.example',
    'ftp://id.example',
    'https://id.example/?a',
    'https://a:b@id.example',
    'https://id.example/.well-known/openid-configuration',
  ]) {
    t.match(refusal({ ...oidc, PICKET_OIDC_ISSUER: issuer }), /PICKET_OIDC_ISSUER/, issuer);
  }
  t.match(refusal({ ...oidc, PICKET_OIDC_SCOPES: 'email' }), /PICKET_OIDC_SCOPES/);
  t.match(refusal({ ...oidc, PICKET_OIDC_WORKSPACE: 'mine' }), /PICKET_OIDC_WORKSPACE/);
  t.notMatch(refusal({ ...oidc, PICKET_OIDC_CLIENT_ID: '' }), /very-secret/);
  t.end();
});

t.test('the header of an authenticating proxy', (t) => {
  const proxy = { PICKET_TRUSTED_PROXIES: '192.0.2.1' };
  t.equal(readConfig(base).trustedHeader, null);
  t.same(readConfig({ ...base, ...proxy, PICKET_AUTH_HEADER: 'Remote-Email' }).trustedHeader, {
    name: 'remote-email',
    role: 'viewer',
  });
  const role = { PICKET_AUTH_HEADER: 'X-Forwarded-User', PICKET_AUTH_HEADER_ROLE: 'admin' };
  t.match(readConfig({ ...base, ...proxy, ...role }).trustedHeader, { role: 'admin' });
  t.match(refusal({ PICKET_AUTH_HEADER: 'Remote-Email' }), /PICKET_AUTH_HEADER needs PICKET_TRUSTED_PROXIES/);
  for (const name of ['Authorization', 'cookie', 'X-Forwarded-For', 'a b', 'x:y', 'ä']) {
    t.match(refusal({ ...proxy, PICKET_AUTH_HEADER: name }), /PICKET_AUTH_HEADER must/, name);
  }
  t.match(
    refusal({ ...proxy, PICKET_AUTH_HEADER: 'Remote-Email', PICKET_AUTH_HEADER_ROLE: 'god' }),
    /PICKET_AUTH_HEADER_ROLE/,
  );
  t.end();
});
