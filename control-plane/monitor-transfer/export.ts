import { Readable } from 'node:stream';
import { Document, visit } from 'yaml';
import type { NextTurn } from '../../kernel/concurrency/turns.js';
import type { Reply } from '../http/route.js';
import type { MonitorDocument } from '../monitors/documents.js';
import type { BulkMonitors, ShownSettings } from '../monitors/monitors.js';
import { PORTABLE_VERSION, type PortableMonitor, toPortable } from './portable.js';
import type { ExportFormat } from './schema.js';

/** A page is formatted in one piece, and a monitor as YAML takes a tenth of a millisecond. */
const PAGE_ROWS = 100;
export const EXPORT_MEDIA_TYPES: Record<ExportFormat, string> = {
  yaml: 'application/yaml',
  json: 'application/json; charset=utf-8',
};

/** The text of a format: the start of the file, each monitor, and the end. */
interface Writer {
  open: string;
  monitor(portable: PortableMonitor, isFirst: boolean): string;
  close(isEmpty: boolean): string;
}

const WRITERS: Record<ExportFormat, Writer> = {
  json: {
    open: `{"version":${PORTABLE_VERSION},"monitors":[`,
    monitor: (portable, isFirst) => `${isFirst ? '' : ','}\n${JSON.stringify(portable)}`,
    close: () => '\n]}\n',
  },
  yaml: {
    open: `version: ${PORTABLE_VERSION}\nmonitors:`,
    // YAML allows the items of a list in the same column as its key, so each monitor is written as a list of one item.
    monitor: (portable, isFirst) => `${isFirst ? '\n' : ''}${yamlItem(portable)}`,
    close: (isEmpty) => (isEmpty ? ' []\n' : ''),
  },
};

/** The first character of the numbers, dates and `=` of YAML 1.1. The library recognizes not all of them. */
const YAML_1_1_START = /^[-+.=\d]/;

/** Returns a list of one item. What YAML 1.1 (https://yaml.org/spec/1.1/) does not read as text is quoted: `on`, `12:30`. */
function yamlItem(portable: PortableMonitor): string {
  const document = new Document([portable], { compat: 'yaml-1.1', aliasDuplicateObjects: false });
  visit(document, {
    Scalar(_key, node) {
      if (typeof node.value === 'string' && YAML_1_1_START.test(node.value)) node.type = 'QUOTE_DOUBLE';
    },
  });
  return document.toString({ lineWidth: 0 });
}

/** Returns the settings of a monitor as they are exported, with or without its secrets. */
type ExportedSettings = (monitor: MonitorDocument) => ShownSettings;

/** What is exported, and how. */
interface Export {
  workspaceId: string;
  format: ExportFormat;
  settings: ExportedSettings;
}

/**
 * Returns a stream of all monitors of the workspace, the oldest first. Only one page is in memory at a time. Each waits for
 * its turn among the pages of all exports.
 */
export function exportMonitors(
  monitors: Pick<BulkMonitors, 'listOldest'>,
  nextTurn: NextTurn,
  { workspaceId, format, settings }: Export,
): Reply {
  return {
    status: 200,
    raw: {
      type: EXPORT_MEDIA_TYPES[format],
      body: Readable.from(chunks(monitors, nextTurn, settings, workspaceId, WRITERS[format]), { objectMode: false }),
      filename: `monitors.${format}`,
    },
  };
}

async function* chunks(
  monitors: Pick<BulkMonitors, 'listOldest'>,
  nextTurn: NextTurn,
  settings: ExportedSettings,
  workspaceId: string,
  writer: Writer,
): AsyncGenerator<string> {
  yield writer.open;
  let after: string | null = null;
  for (;;) {
    const page: Awaited<ReturnType<BulkMonitors['listOldest']>> = await monitors.listOldest(
      workspaceId,
      after,
      PAGE_ROWS,
    );
    const isFirstPage = after === null;
    await nextTurn();
    const text = page.map((monitor, index) =>
      writer.monitor(toPortable({ ...monitor, ...settings(monitor) }), isFirstPage && index === 0),
    );
    if (text.length > 0) yield text.join('');
    after = page.at(-1)?._id ?? after;
    if (page.length < PAGE_ROWS) break;
  }
  yield writer.close(after === null);
}
