import t from 'tap';
import { chainHash } from '../../../control-plane/audit/chain/hash.js';
import type { AuditDocument } from '../../../control-plane/audit/documents.js';
import { composeEntries } from '../../../control-plane/audit/forward/delivery/compose.js';
import { forwardRetryDelayMs } from '../../../control-plane/audit/forward/delivery/retry-delay.js';
import { cefFormat } from '../../../control-plane/audit/forward/formats/cef.js';
import { jsonFormat } from '../../../control-plane/audit/forward/formats/json.js';
import { ocsfFormat } from '../../../control-plane/audit/forward/formats/ocsf.js';
import { parseTarget } from '../../../control-plane/audit/forward/target.js';
import { queuedBytes } from '../../../control-plane/audit/forward/transports/proc-net.js';
import { createSettling } from '../../../control-plane/audit/forward/transports/settling.js';
import { octetCounted, syslogMessage } from '../../../control-plane/audit/forward/transports/syslog-frame.js';
import type { AuditEntry } from '../../../control-plane/audit/schema.js';

const NASTY = 'a|b\\c=d "e" ]\n\r\u0000\u001b[31m\t😀 \u202eevil\u202c \u200fש\u0085ü';
const PREVIOUS = 'a'.repeat(64);
const context = { version: '1.2.3', sequence: 42 };

function entry(over: Partial<AuditEntry> = {}): AuditEntry {
  const open: AuditEntry = {
    id: 'evt_01jjwzmz000000000000000000',
    timestamp: '2026-01-31T12:00:00.000Z',
    actor: { id: 'usr_01jjwzmz000000000000000000', email: 'owner@example.com', ip: '192.0.2.7' },
    action: 'monitor.updated',
    severity: 'warning',
    resource: { type: 'monitor', id: 'mon_01jjwzmz000000000000000000', name: 'Shop' },
    workspace_id: 'ws_01jjwzmz000000000000000000',
    metadata: { changes: { name: { from: 'a=b', to: 'c|d' } } },
    request_id: 'req_1',
    hash: null,
    previous_hash: PREVIOUS,
    ...over,
  };
  return { ...open, hash: chainHash(PREVIOUS, open) };
}
const named = (name: string) => entry({ resource: { ...entry().resource, name } });

t.test('JSON is the exact entry, and its hash matches', async (t) => {
  const line = jsonFormat.entry(named(NASTY), context);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the test looks for them.
  t.notMatch(line, /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e]/);
  t.ok(line.includes('😀'));
  const parsed: AuditEntry = JSON.parse(line);
  t.same(parsed, named(NASTY));
  t.equal(chainHash(PREVIOUS, parsed), parsed.hash);
});

t.test('CEF', async (t) => {
  const { hash } = entry();
  t.equal(
    cefFormat.entry(entry(), context),
    'CEF:0|Picket|Picket|1.2.3|monitor.updated|Monitor updated|6|rt=1769860800000 ' +
      'externalId=evt_01jjwzmz000000000000000000 cn1=42 cn1Label=sequence act=monitor.updated ' +
      'suid=usr_01jjwzmz000000000000000000 suser=owner@example.com src=192.0.2.7 cs1=monitor cs1Label=resourceType ' +
      'cs2=mon_01jjwzmz000000000000000000 cs2Label=resourceId cs3=Shop cs3Label=resourceName ' +
      'cs4=ws_01jjwzmz000000000000000000 cs4Label=workspace cs5=req_1 cs5Label=requestId ' +
      'cs6={"changes":{"name":{"from":"a\\=b","to":"c|d"}}} cs6Label=metadata ' +
      `flexString1=${hash} flexString1Label=hash`,
  );
  t.match(cefFormat.entry(entry({ action: 'api_key.created' }), context), '|api_key.created|API key created|');
  const byKey = entry({ actor: { ...entry().actor, api_key: { id: 'key_1', name: 'CI' } } });
  t.match(cefFormat.entry(byKey, context), / flexString2=key_1 flexString2Label=apiKey$/);
  t.same(JSON.parse(jsonFormat.entry(byKey, context)).actor.api_key, { id: 'key_1', name: 'CI' });
  const line = cefFormat.entry(named(NASTY), context);
  t.ok(line.includes('cs3=a|b\\\\c\\=d "e" ]\\n\\r␀␛[31m␉😀 \u202eevil\u202c \u200fש\u0085ü cs3Label'), line);
  const six = cefFormat.entry(entry({ actor: { id: null, email: 'system', ip: '2001:db8::1' } }), context);
  t.match(six, / suser=system c6a2=2001:db8::1 c6a2Label=Source IPv6 Address /);
  t.notMatch(six, / (src|suid)=/);
  t.match(cefFormat.entry(entry(), { ...context, version: '1|2\\3\n4' }), /^CEF:0\|Picket\|Picket\|1\\\|2\\\\3 4\|/);
});

t.test('OCSF', async (t) => {
  const event = (over: Partial<AuditEntry>) => JSON.parse(ocsfFormat.entry(entry(over), context));
  t.match(event({}), {
    class_uid: 6003,
    category_uid: 6,
    activity_id: 3,
    type_uid: 600303,
    severity_id: 3,
    time: 1769860800000,
    metadata: {
      version: '1.3.0',
      product: { name: 'Picket', vendor_name: 'Picket', version: '1.2.3' },
      uid: entry().id,
      sequence: 42,
    },
    actor: { user: { uid: 'usr_01jjwzmz000000000000000000', email_addr: 'owner@example.com' } },
    api: { operation: 'monitor.updated', request: { uid: 'req_1' } },
    src_endpoint: { ip: '192.0.2.7' },
    resources: [{ type: 'monitor', name: 'Shop' }],
    unmapped: { metadata: { changes: { name: { from: 'a=b' } } }, previous_hash: PREVIOUS },
  });
  t.match(event({ action: 'auth.login' }), {
    class_uid: 3002,
    activity_id: 1,
    type_uid: 300201,
    status_id: 1,
    user: {},
    service: {},
  });
  t.match(event({ action: 'auth.login_failed' }), { class_uid: 3002, activity_id: 1, status_id: 2 });
  t.match(event({ action: 'auth.logout' }), { class_uid: 3002, activity_id: 2 });
  t.match(event({ action: 'auth.mfa_disabled' }), { class_uid: 3001, activity_id: 11, user: {} });
  t.match(event({ action: 'team.role_changed' }), { class_uid: 3001, activity_id: 99, user: { name: 'Shop' } });
  t.match(event({ action: 'team.member_removed' }), { class_uid: 3001, activity_id: 6 });
  t.match(event({ action: 'api_key.revoked' }), { class_uid: 6003, activity_id: 4 });
  t.match(event({ action: 'report.downloaded' }), { activity_id: 2 });
  t.match(event({ action: 'report.previewed' }), { activity_id: 2 });
  t.match(event({ action: 'monitor.created', severity: 'critical' }), { activity_id: 1, severity_id: 5 });
  const api_key = { id: 'key_1', name: 'CI' };
  t.match(event({ actor: { ...entry().actor, api_key } }), { actor: { user: { credential_uid: 'key_1' } } });
  t.match(event({ actor: { id: null, email: 'system', ip: null } }), {
    src_endpoint: { name: 'Picket' },
    actor: { user: { uid: 'system' } },
  });
  t.equal(JSON.parse(ocsfFormat.entry(named(NASTY), context)).resources[0].name, NASTY);
});

t.test('heartbeats and test messages are not entries', async (t) => {
  const signal = {
    kind: 'heartbeat',
    atMs: 1769860800000,
    sequence: 7,
    forwarderId: 'fwd_1',
    workspaceId: 'ws_1',
  } as const;
  t.same(JSON.parse(jsonFormat.signal(signal, '1.2.3')), {
    type: 'audit.heartbeat',
    timestamp: '2026-01-31T12:00:00.000Z',
    forwarder_id: 'fwd_1',
    workspace_id: 'ws_1',
    sequence: 7,
  });
  t.match(
    cefFormat.signal(signal, '1.2.3'),
    /^CEF:0\|Picket\|Picket\|1\.2\.3\|audit\.heartbeat\|Heartbeat\|0\|rt=1769860800000 cn1=7 /,
  );
  t.match(JSON.parse(ocsfFormat.signal({ ...signal, kind: 'test' }, '1.2.3')), {
    class_uid: 0,
    metadata: { event_code: 'audit.test', sequence: 7 },
  });
});

t.test('a syslog message', async (t) => {
  const message = {
    kind: 'entry',
    id: 'evt_1',
    event: 'integration.credential_rotated_and_more',
    severity: 'critical',
    atMs: 1769860800000,
    sequence: 42,
    body: '{"name":"ü😀"}',
    shortBody: () => '',
  } as const;
  const text = syslogMessage(message, {
    hostname: 'picket test\u00e4.example',
    workspaceId: 'w"]\\s',
    forwarderId: 'fwd_1',
  });
  t.equal(
    text,
    '<106>1 2026-01-31T12:00:00.000Z pickettest.example picket - integration.credential_rotated_a ' +
      '[picket@32473 kind="entry" id="evt_1" sequence="42" workspace="w\\"\\]\\\\s" forwarder="fwd_1"] {"name":"ü😀"}',
  );
  t.equal(octetCounted('ü😀'), '6 ü😀', 'bytes, not characters');
  const beat = syslogMessage(
    { ...message, id: null, severity: 'info', kind: 'heartbeat' },
    { hostname: '', workspaceId: 'w', forwarderId: 'f' },
  );
  t.match(beat, /^<110>1 \S+ - picket - .*\[picket@32473 kind="heartbeat" sequence="42" /);
});

t.test('the short form fits a datagram for any name', async (t) => {
  const ids = { _id: entry().id, workspace_id: entry().workspace_id };
  for (const format of ['json', 'cef', 'ocsf'] as const) {
    for (const char of ['\u202e', '漢', '\\', '\u0000', '😀']) {
      const document: AuditDocument = {
        ...ids,
        at_ms: 1769860800000,
        action: 'integration.credential_rotated',
        severity: 'critical',
        actor: {
          id: 'usr_01jjwzmz000000000000000000',
          email: 'e'.repeat(320),
          ip: '2001:0db8:0000:0000:0000:0000:0000:0001',
        },
        resource: { type: 'maintenance_window', id: 'mnt_01jjwzmz000000000000000000', name: char.repeat(200) },
        metadata: { text: 'x'.repeat(10_000) },
        request_id: 'r'.repeat(64),
        hash: 'a'.repeat(64),
        previous_hash: PREVIOUS,
      };
      const from = { id: '', at_ms: null, sequence: 999_999_999 };
      const [message] = composeEntries({ format, severities: null }, [document], from, '1.2.3').messages;
      if (message === undefined) throw new Error('no message');
      const about = {
        hostname: 'h'.repeat(100),
        workspaceId: ids.workspace_id,
        forwarderId: 'fwd_01jjwzmz000000000000000000',
      };
      const bytes = Buffer.byteLength(syslogMessage({ ...message, body: message.shortBody() }, about));
      t.ok(bytes <= 2_048, `${format} ${JSON.stringify(char)} ${bytes}`);
    }
  }
});

t.test('targets', async (t) => {
  t.same(parseTarget('syslog+tls://SIEM.example.com:6514'), {
    type: 'syslog',
    protocol: 'tls',
    host: 'siem.example.com',
    port: 6514,
  });
  t.same(parseTarget('syslog+udp://[2001:DB8::1]:514'), {
    type: 'syslog',
    protocol: 'udp',
    host: '2001:db8::1',
    port: 514,
  });
  for (const bad of [
    'syslog+tcp://a',
    'syslog+tcp://a:0',
    'syslog+tcp://a:65536',
    'syslog+tcp://a:1/x',
    'syslog+tcp://u@a:1',
    'ftp://a',
    'a',
  ]) {
    t.equal(parseTarget(bad), null, bad);
  }
});

t.test('retry delays grow, never end, and honour Retry-After', async (t) => {
  t.same(
    [1, 2, 3, 10, 500].map((failures) => forwardRetryDelayMs(failures, null, 0.5)),
    [1_000, 2_000, 4_000, 300_000, 300_000],
  );
  t.equal(forwardRetryDelayMs(1, 60_000, 0.5), 60_000);
  t.equal(forwardRetryDelayMs(1, 86_400_000, 0.5), 3_600_000);
});

t.test('a batch settles if the connection stays up for a while after the acknowledgement', async (t) => {
  const settling = createSettling(5_000);
  settling.add(1_000);
  settling.add(3_000);
  settling.observe(3_000, 2_500, 0);
  t.equal(settling.settled(60_000), 0, 'the first batch is not fully acknowledged');
  settling.observe(3_000, 2_000, 60_000);
  t.equal(settling.settled(64_999), 0);
  t.equal(settling.settled(65_000), 1);
  settling.observe(3_000, 1, 65_000);
  t.equal(settling.settled(1e9), 1, 'one byte of the second batch is missing');
  settling.observe(3_000, 0, 66_000);
  t.equal(settling.settled(71_000), 2);
  settling.add(4_000);
  t.equal(settling.unsettled(), 1);
  settling.settleAll();
  t.equal(settling.settled(0), 3);
});

t.test('reads the send queue from the table of the kernel', async (t) => {
  const table = [
    '  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode',
    '   0: 0100007F:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 1 1 0 100 0 0 10 0',
    '   1: 0100007F:C001 0100007F:1972 01 0000ABCD:00000000 01:00000014 00000000     0        0 2 2 0 20 4 30 10 -1',
  ].join('\n');
  t.equal(queuedBytes(table, 0xc001, 6514), 0xabcd);
  t.equal(queuedBytes(table, 0xc002, 6514), null);
});
