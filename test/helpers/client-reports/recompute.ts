import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ReportContent, Section } from '../../../control-plane/client-reports/content/content.js';

const SCRIPT = 'docs/recompute-report.py';

/** The texts and figures of a section. */
export interface SectionFigures {
  texts?: string[];
  list?: string[];
  /** Value and note by label. */
  cards?: Record<string, [string, string]>;
  /** Label and values of the charts. */
  days?: (string | number | null)[][];
  rows?: string[][];
  notes?: string[];
}

/** Runs `docs/recompute-report.py` on the data behind a report. */
export function recompute(csv: Uint8Array, ...args: string[]) {
  const folder = mkdtempSync(join(tmpdir(), 'picket-report-'));
  try {
    const file = join(folder, 'data.csv');
    writeFileSync(file, csv);
    const { status, stdout, stderr } = spawnSync('python3', [SCRIPT, file, ...args], {
      encoding: 'utf8',
      env: { ...process.env, PYTHONIOENCODING: 'utf-8' },
    });
    return { status, stdout, stderr };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Returns the figures of a section as the script computes them, from what the report says. */
function figuresOf({ blocks }: Section): SectionFigures {
  const figures: Required<SectionFigures> = { texts: [], list: [], cards: {}, days: [], rows: [], notes: [] };
  for (const block of blocks) {
    if (block.type === 'text') figures.texts.push(block.text);
    else if (block.type === 'note') figures.notes.push(block.text);
    else if (block.type === 'list') figures.list.push(...block.items);
    else if (block.type === 'cards')
      for (const { label, value, note } of block.cards) figures.cards[label] = [value, note];
    else if (block.type === 'table') figures.rows.push(...block.rows.map((row) => row.map(({ text }) => text)));
    else if (block.type === 'stacked') figures.days.push(...block.days.map(({ label, values }) => [label, ...values]));
    else
      for (const [place, day] of block.days.entries()) {
        const row = figures.days[place] ?? [day.label];
        figures.days[place] = [...row, 'percent' in day ? day.percent : day.value];
      }
  }
  return figures;
}

/** Returns the figures of each section that has data. */
export function figuresBySection({ sections }: ReportContent): Record<string, SectionFigures> {
  return Object.fromEntries(
    sections
      .filter(({ blocks: [first] }) => first?.type !== 'text' || !/this version of Picket/.test(first.text))
      .map((section) => [section.title, figuresOf(section)]),
  );
}
