import { chartSvg, legendOf } from '../charts/charts.js';
import type { Block, Card, Cell, ChartBlock, Column } from '../content/content.js';
import { milliseconds, number, percent } from '../content/wording.js';
import { escaped } from './escaped.js';

/** Returns a block of a section as HTML. */
export function blockHtml(block: Block, color: string): string {
  switch (block.type) {
    case 'text':
      return `<p${block.strong === true ? ' class="lead"' : ''}>${escaped(block.text)}</p>`;
    case 'list':
      return `<ul>${block.items.map((item) => `<li>${escaped(item)}</li>`).join('')}</ul>`;
    case 'note':
      return `<p class="note">${escaped(block.text)}</p>`;
    case 'cards':
      return `<dl class="cards">${block.cards.map(cardHtml).join('')}</dl>`;
    case 'table':
      return tableHtml(block);
    case 'uptime':
    case 'line':
    case 'stacked':
      return chartHtml(block, color);
  }
}

function cardHtml({ label, value, note, tone }: Card): string {
  return `<div><dt>${escaped(label)}</dt><dd class="value ${tone}">${escaped(value)}</dd><dd class="note">${escaped(note)}</dd></div>`;
}

/** A table that is wider than a phone scrolls by itself, also with the keyboard. */
function tableHtml({ title, columns, rows }: Pick<Extract<Block, { type: 'table' }>, 'title' | 'columns' | 'rows'>) {
  const heads = columns.map((column) => `<th scope="col"${alignment(column)}>${escaped(column.title)}</th>`);
  const lines = rows.map((row) => `<tr>${row.map((cell, index) => cellHtml(cell, columns[index])).join('')}</tr>`);
  const label = escaped(title ?? columns.map((column) => column.title).join(', '));
  return `<div class="scroll" role="region" aria-label="${label}" tabindex="0"><table>${
    title === null ? '' : `<caption>${escaped(title)}</caption>`
  }<thead><tr>${heads.join('')}</tr></thead><tbody>${lines.join('\n')}</tbody></table></div>`;
}

function cellHtml({ text, tone = 'none' }: Cell, column: Column | undefined): string {
  const classes = [tone, ...(column?.align === 'right' ? ['right'] : [])].filter((name) => name !== 'none');
  // Names can be of any direction.
  return `<td${classes.length === 0 ? '' : ` class="${classes.join(' ')}"`}><bdi>${escaped(text)}</bdi></td>`;
}

function alignment({ align }: Column): string {
  return align === 'right' ? ' class="right"' : '';
}

/** A chart, and its figures as a table for whoever cannot see it. */
function chartHtml(block: ChartBlock, color: string): string {
  const legend = legendOf(block).map(
    ({ name, color: fill }) =>
      `<li><svg viewBox="0 0 10 10" aria-hidden="true"><rect width="10" height="10" fill="${fill}"/></svg>${escaped(name)}</li>`,
  );
  const svg = chartSvg(block, color).replace('<svg ', `<svg role="img" aria-label="${escaped(block.title)}" `);
  return `<figure><figcaption>${escaped(block.title)}</figcaption>${svg}${
    legend.length === 0 ? '' : `<ul class="legend">${legend.join('')}</ul>`
  }<details><summary>Show as table</summary>${tableHtml({ title: block.title, ...figuresOf(block) })}</details></figure>`;
}

function figuresOf(block: ChartBlock): { columns: Column[]; rows: Cell[][] } {
  const column = (title: string): Column => ({ title, align: 'right', share: 1 });
  const day: Column = { title: 'Day', align: 'left', share: 1 };
  const cells = (label: string, ...figures: string[]) => [label, ...figures].map((text) => ({ text }));
  switch (block.type) {
    case 'uptime':
      return {
        columns: [day, column('Uptime')],
        rows: block.days.map(({ label, percent: value }) => cells(label, percent(value))),
      };
    case 'line':
      return {
        columns: [day, column('Mean')],
        rows: block.days.map(({ label, value }) => cells(label, milliseconds(value))),
      };
    case 'stacked':
      return {
        columns: [day, ...block.series.map(({ name }) => column(name))],
        rows: block.days.map(({ label, values }) => cells(label, ...values.map(number))),
      };
  }
}
