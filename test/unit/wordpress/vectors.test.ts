import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import t from 'tap';
import { judgeXmlrpc } from '../../../control-plane/wordpress/checks/xmlrpc.js';
import {
  answerSignature,
  isSignature,
  nudgedSignature,
  nudgeSignature,
  requestSignature,
} from '../../../control-plane/wordpress/protocol/signature.js';

const FOLDER = pathToFileURL(`${process.cwd()}/test/helpers/wordpress/`);
const { secret, requests, answers, nudges, xmlrpc } = JSON.parse(readFileSync(new URL('vectors.json', FOLDER), 'utf8'));

const EXPECTED = [
  ...requests.map(({ signature }: { signature: string }) => signature),
  ...answers.map(({ signature }: { signature: string }) => signature),
  ...nudges.flatMap(({ signature, answer }: { signature: string; answer: string }) => [signature, answer]),
  ...xmlrpc.map(({ judged }: { judged: object }) => judged),
];

t.test('the control plane signs and judges as the examples say', async (t) => {
  t.same(
    [
      ...requests.map((one: Parameters<typeof requestSignature>[1]) => requestSignature(secret, one)),
      ...answers.map((one: Parameters<typeof answerSignature>[1]) => answerSignature(secret, one)),
      ...nudges.flatMap((one: Parameters<typeof nudgeSignature>[1]) => [
        nudgeSignature(secret, one),
        nudgedSignature(secret, one),
      ]),
      ...xmlrpc.map(judgeXmlrpc),
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
