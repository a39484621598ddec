import { notFound } from '../errors.js';
import { BY_ID } from '../http/paging.js';
import { mutationRoute, type Route, readRoute } from '../http/route.js';
import { createReport } from './create.js';
import type { ReportDocument } from './documents.js';
import { downloadData, downloadReport } from './download/download.js';
import type { ReportNeeds } from './needs.js';
import type { Previews } from './preview/previews.js';
import { orderOfQuery, PreviewQuery } from './preview/query.js';
import { removeReport } from './remove.js';
import { CreateReport, ListReports, Report, ReportId } from './schema.js';
import { reportView } from './view.js';

const PATH = '/api/v1/client-reports';
const TAG = 'Client reports';

interface RouteNeeds extends ReportNeeds {
  previews: Previews;
}

/** Returns the routes of reports. `wake` makes the generation of a new one begin at once. */
export function createReportRoutes(needs: RouteNeeds, wake: () => void): Route[] {
  return [...readRoutes(needs), ...previewRoutes(needs), ...writeRoutes(needs, wake)];
}

function readRoutes(needs: ReportNeeds): Route[] {
  const { store, pager } = needs;
  const base = { method: 'GET', access: 'reports:read', tag: TAG } as const;
  return [
    readRoute({
      ...base,
      path: PATH,
      summary: 'List client reports, newest first',
      query: ListReports,
      replies: { 200: Report },
      list: true,
      async handle(input) {
        const page = pager.open('client-reports', BY_ID, input);
        return page.reply(await store.list(input.actor.workspaceId, page.request), (rows) => rows.map(reportView));
      },
    }),
    readRoute({
      ...base,
      path: `${PATH}/{id}`,
      summary: 'Get a client report',
      params: ReportId,
      replies: { 200: Report },
      async handle({ actor, params }) {
        const report = await store.find(actor.workspaceId, params.id);
        if (report === null) throw notFound('report');
        return reply(report);
      },
    }),
    readRoute({
      ...base,
      path: `${PATH}/{id}/download`,
      summary: 'Download a client report as PDF',
      description:
        'Returns 409 `conflict` while the report is being generated, and 410 `gone` if its generation failed. One range of bytes can be requested. The audit log records each download.',
      params: ReportId,
      replies: { 200: null, 206: null },
      rawTypes: ['application/pdf'],
      ranges: true,
      errors: ['conflict', 'gone', 'range_not_satisfiable'],
      handle: ({ actor, params, range }) => downloadReport(needs, actor, { id: params.id, range }),
    }),
    readRoute({
      ...base,
      path: `${PATH}/{id}/data.csv`,
      summary: 'Download the data behind a client report as CSV',
      description:
        'Everything that the figures of the report are computed from, as it was when the report was made: `docs/recompute-report.py` recomputes each figure of the PDF from this file alone. Errors and the audit log are like those of the download.',
      params: ReportId,
      replies: { 200: null },
      rawTypes: ['text/csv'],
      errors: ['conflict', 'gone'],
      handle: ({ actor, params }) => downloadData(needs, actor, params.id),
    }),
  ];
}

function previewRoutes({ previews, clock }: RouteNeeds): Route[] {
  const base = { method: 'GET', access: 'reports:read', tag: TAG, rawTypes: ['text/html'] } as const;
  return [
    readRoute({
      ...base,
      path: `${PATH}/preview`,
      summary: 'Preview a client report that was not created, as a page',
      description:
        'Returns the page of the report that `POST /api/v1/client-reports` with the same fields creates. Nothing is stored, and no report is counted by the plan.',
      query: PreviewQuery,
      replies: { 200: null },
      errors: ['conflict', 'rate_limited', 'unavailable'],
      handle: async (input) => previews.ofOrder(input, orderOfQuery(input.query, clock.now())),
    }),
    readRoute({
      ...base,
      path: `${PATH}/{id}/preview`,
      summary: 'Show a client report as a page',
      description:
        'An accessible page that says the same as the PDF, from the same data. Errors and the audit log are like those of the download.',
      params: ReportId,
      replies: { 200: null },
      errors: ['conflict', 'gone'],
      handle: (input) => previews.ofReport(input, input.params.id),
    }),
  ];
}

function writeRoutes(needs: ReportNeeds, wake: () => void): Route[] {
  return [
    mutationRoute({
      method: 'POST',
      path: PATH,
      access: 'reports:read',
      tag: TAG,
      summary: 'Create a client report',
      description:
        'The reply comes at once, with the status `generating`; Picket generates the PDF in the background, also if it is restarted meanwhile. Then the status is `completed`, or `failed` with the reason in `error`. Like downloads, this needs only `reports:read`. A report that failed is not counted by the plan.',
      body: CreateReport,
      replies: { 202: Report },
      errors: ['plan_limit'],
      async handle({ actor, body }, tx) {
        const report = await createReport(needs, tx, actor, body, null);
        tx.afterCommit(wake);
        return { status: 202, data: reportView(report) };
      },
    }),
    mutationRoute({
      method: 'DELETE',
      path: `${PATH}/{id}`,
      access: 'reports:write',
      tag: TAG,
      summary: 'Delete a client report and its file',
      description: 'A report that is being generated can be deleted too. Supports `If-Match`.',
      params: ReportId,
      replies: { 204: null },
      async handle({ actor, params, ifVersion }, tx) {
        await removeReport(needs, tx, actor, { id: params.id, ifVersion });
        return { status: 204 };
      },
    }),
  ];
}

function reply(report: ReportDocument) {
  return { status: 200 as const, data: reportView(report), version: report.version };
}
