import { sourceOfInline } from '../../http/html/inline-source.js';
import type { ReportContent, Section } from '../content/content.js';
import { blockHtml } from './blocks.js';
import { escaped } from './escaped.js';
import { styleOf } from './style.js';

/** A report as a page, with the content security policy that allows its own style and picture, and nothing else. */
export interface ReportPage {
  html: string;
  policy: string;
}

/** Returns a report as an accessible page that needs no script. */
export function reportPage(report: ReportContent): ReportPage {
  const style = styleOf(report.color);
  const policy = `default-src 'none'; style-src ${sourceOfInline(style)}; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;
  return { html: pageHtml(report, style), policy };
}

function pageHtml(report: ReportContent, style: string): string {
  const { title, clientName, period, made, sections, color, rules, logo, verification } = report;
  const about = (label: string, value: string) => `<dt>${label}</dt><dd><bdi>${escaped(value)}</bdi></dd>`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow">
<meta name="referrer" content="no-referrer">
<title>${escaped(title)}</title>
<style>${style}</style>
</head>
<body>
<header>
${logo === null ? '' : `<img src="${escaped(logo)}" alt="">`}
<p><bdi>${escaped(clientName)}</bdi></p>
<h1><bdi>${escaped(title)}</bdi></h1>
</header>
<main>
${verification === null ? '<p class="draft" role="note">This is a preview. The report has not been created yet, and its figures can still change.</p>' : ''}
<dl class="about">
${about('Prepared for', clientName)}
${about('Period', period)}
${about('Made on', made)}
</dl>
<nav aria-label="Contents"><ol>${[...sections.map((section) => `<li><a href="#${section.name}">${escaped(section.title)}</a></li>`), '<li><a href="#about_figures">About the figures</a></li>'].join('')}</ol></nav>
${sections.map((section) => sectionHtml(section, color)).join('\n')}
<section aria-labelledby="about_figures">
<h2 id="about_figures">About the figures</h2>
<ul class="note">${rules.map((rule) => `<li>${escaped(rule)}</li>`).join('')}</ul>
${verification === null ? '' : `<h3>Verification</h3><p>Picket made this report. To confirm it, open ${escaped(verification.url)} and enter this code:</p><p class="code">${escaped(verification.code)}</p>`}
</section>
</main>
</body>
</html>
`;
}

function sectionHtml({ name, title, blocks }: Section, color: string): string {
  return `<section aria-labelledby="${name}">
<h2 id="${name}">${escaped(title)}</h2>
${blocks.map((block) => blockHtml(block, color)).join('\n')}
</section>`;
}
