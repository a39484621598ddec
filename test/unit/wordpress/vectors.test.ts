import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import t from 'tap';
import { judgeDebugTraces } from '../../../control-plane/wordpress/checks/debug-mode.js';
import { judgeFolder } from '../../../control-plane/wordpress/checks/directory-browsing.js';
import { judgePlainAnswer } from '../../../control-plane/wordpress/checks/force-https.js';
import { judgeVersion } from '../../../control-plane/wordpress/checks/hide-version.js';
import { judgeHeaders } from '../../../control-plane/wordpress/checks/security-headers.js';
import { judgeXmlrpc } from '../../../control-plane/wordpress/checks/xmlrpc.js';
import {
  answerSignature,
  isSignature,
  nudgedSignature,
  nudgeSignature,
  requestSignature,
  undoSignature,
} from '../../../control-plane/wordpress/protocol/signature.js';

const FOLDER = pathToFileURL(`${process.cwd()}/test/helpers/wordpress/`);
const vectors = JSON.parse(readFileSync(new URL('vectors.json', FOLDER), 'utf8'));
const { secret, requests, answers, nudges, xmlrpc, folders, logs, versions, plainAnswers, headers } = vectors;

const EXPECTED = [
  ...requests.map(({ signature }: { signature: string }) => signature),
  ...answers.map(({ signature }: { signature: string }) => signature),
  ...nudges.flatMap((one: Record<'signature' | 'undo' | 'answer', string>) => [one.signature, one.undo, one.answer]),
  ...[...xmlrpc, ...folders].map(({ judged }: { judged: object }) => judged),
  ...logs.map(({ isLog }: { isLog: boolean }) => isLog),
  ...versions.map(({ isShown }: { isShown: boolean }) => isShown),
  ...[...plainAnswers, ...headers].map(({ judged }: { judged: object }) => judged),
];

t.test('the control plane signs and judges as the examples say', async (t) => {
  t.same(
    [
      ...requests.map((one: Parameters<typeof requestSignature>[1]) => requestSignature(secret, one)),
      ...answers.map((one: Parameters<typeof answerSignature>[1]) => answerSignature(secret, one)),
      ...nudges.flatMap((one: Parameters<typeof nudgeSignature>[1]) => [
        nudgeSignature(secret, one),
        undoSignature(secret, one),
        nudgedSignature(secret, one),
      ]),
      ...xmlrpc.map(judgeXmlrpc),
      ...folders.map((one: Parameters<typeof judgeFolder>[1] & { folder: string }) => judgeFolder(one.folder, one)),
      ...logs.map(
        (log: Parameters<typeof judgeDebugTraces>[0]['log']) =>
          judgeDebugTraces({ home: { status: 200, body: '' }, log }).status === 'failing',
      ),
      ...versions.map(
        ({ body, version }: { body: string; version: string }) =>
          judgeVersion([{ name: 'the home page', status: 200, body }], version).status === 'failing',
      ),
      ...plainAnswers.map((one: Parameters<typeof judgePlainAnswer>[1]) => judgePlainAnswer('the page', one)),
      ...headers.map((one: { headers: Record<string, string> }) => judgeHeaders(one.headers)),
    ],
    EXPECTED,
  );
});

t.test('the plugin signs and judges as the examples say', async (t) => {
  const printed = execFileSync('php', [fileURLToPath(new URL('vectors.php', FOLDER))], { encoding: 'utf8' });
  t.same(JSON.parse(printed), EXPECTED);
});

t.test('every part of a request is signed', async (t) => {
  const [request] = requests;
  for (const field of ['method', 'path', 'timestamp', 'nonce', 'siteId', 'body']) {
    t.not(requestSignature(secret, { ...request, [field]: `${request[field]}x` }), request.signature, field);
  }
  t.ok(isSignature(request.signature, request.signature));
  t.notOk(isSignature(request.signature.slice(1), request.signature));
  t.notOk(isSignature(request.signature.toUpperCase(), request.signature));
});
