import { notFound } from '../errors.js';
import { BY_ID, type Pager } from '../http/paging.js';
import { mutationRoute, type Route, readRoute } from '../http/route.js';
import { PROOF_PATH, proofRecordName } from './confirmation/proof.js';
import { createScan } from './create.js';
import type { ScanNeeds } from './needs.js';
import { removeScan } from './remove.js';
import { CreateScan, ListScans, Scan, ScanConfirmation, ScanId, ScanWithFindings } from './schema.js';
import { scanView, scanWithFindingsView } from './view.js';

const PATH = '/v1/scans';
const TAG = 'Security scans';

interface RouteNeeds {
  operations: ScanNeeds;
  tokenOf(workspaceId: string): string;
  pager: Pager;
}

export function createScanRoutes(needs: RouteNeeds): Route[] {
  return [...readRoutes(needs), ...writeRoutes(needs.operations)];
}

function readRoutes({ operations: { store }, tokenOf, pager }: RouteNeeds): Route[] {
  const base = { method: 'GET', access: 'scans:read', tag: TAG } as const;
  return [
    readRoute({
      ...base,
      path: PATH,
      summary: 'List security scans, newest first',
      query: ListScans,
      replies: { 200: Scan },
      list: true,
      async handle({ actor, query }) {
        const page = pager.open('scans', BY_ID, { actor, query });
        const { after, rowsMax } = page.request;
        const { monitor_id, status } = query;
        const filter = {
          ...(monitor_id === undefined ? {} : { monitor_id }),
          ...(status === undefined ? {} : { status }),
        };
        return page.reply(await store.list(actor.workspaceId, filter, after, rowsMax), (rows) => rows.map(scanView));
      },
    }),
    readRoute({
      ...base,
      path: `${PATH}/confirmation`,
      summary: 'Get the token that a website shows to be scanned',
      description:
        'Picket scans only websites that confirm it: by the token as the text of a TXT record, or as the content of a file. It reads the confirmation before each scan.',
      replies: { 200: ScanConfirmation },
      handle: async ({ actor }) => ({
        status: 200,
        data: { token: tokenOf(actor.workspaceId), record_prefix: proofRecordName(''), file_path: PROOF_PATH },
      }),
    }),
    readRoute({
      ...base,
      path: `${PATH}/{id}`,
      summary: 'Get a security scan with its findings',
      params: ScanId,
      replies: { 200: ScanWithFindings },
      async handle({ actor, params }) {
        const scan = await store.find(actor.workspaceId, params.id);
        if (scan === null) throw notFound('scan');
        return { status: 200, data: scanWithFindingsView(scan), version: scan.version };
      },
    }),
  ];
}

function writeRoutes(needs: ScanNeeds): Route[] {
  const base = { access: 'scans:write', tag: TAG } as const;
  return [
    mutationRoute({
      ...base,
      method: 'POST',
      path: PATH,
      summary: 'Start a security scan of the website of a monitor',
      description:
        'A probe of one of the monitor’s locations reads the first page and opens at most 40 connections, in at most 90 s. The website must show the token of `GET /v1/scans/confirmation`. Returns 409 `conflict` while another scan of the same host runs.',
      body: CreateScan,
      replies: { 202: ScanWithFindings },
      errors: ['plan_limit', 'conflict'],
      async handle({ actor, body }, tx) {
        return { status: 202, data: scanWithFindingsView(await createScan(needs, tx, actor, body)) };
      },
    }),
    mutationRoute({
      ...base,
      method: 'DELETE',
      path: `${PATH}/{id}`,
      summary: 'Delete a security scan',
      description: 'Returns 409 `conflict` while the scan is running. Supports `If-Match`.',
      params: ScanId,
      replies: { 204: null },
      errors: ['conflict'],
      async handle({ actor, params, ifVersion }, tx) {
        await removeScan(needs, tx, actor, { id: params.id, ifVersion });
        return { status: 204 };
      },
    }),
  ];
}
