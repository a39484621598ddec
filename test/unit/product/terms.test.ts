import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import t from 'tap';
import ts from 'typescript';

/** Names of folders, files and benchmarks; `sign-in` may stay in them. */
const NAMES = /`[^`\n]*`|\([^()\s]*\)|'[^'\s]*'|[\w/]*\/sign-in[\w./-]*/g;
const OTHER_WORD = /\bsign(?:ed|s|ing)?[- ](?:in|out)s?\b.*/gi;

const filesOf = (...patterns: string[]): string[] =>
  execFileSync('git', ['ls-files', ...patterns])
    .toString()
    .split('\n')
    .filter((file) => file !== '');

t.test('pages, mails and docs say "log in", whoever writes them', (t) => {
  const said = filesOf(
    ...['README.md', 'CHANGELOG.md', 'docs/*.md', 'supervisor/*.ts', 'control-plane/mail/*.ts'],
    ...['control-plane/dashboard/*.ts', 'control-plane/dashboard/*.tsx', 'control-plane/dashboard/*.html'],
    ...['control-plane/on-call/*.ts', 'control-plane/single-sign-on/*.ts', 'control-plane/http/*.ts'],
  ).flatMap((file) => {
    const text = readFileSync(file, 'utf8').replace(NAMES, '');
    return [...text.matchAll(OTHER_WORD)].map(([words]) => `${file}: ${words}`);
  });
  t.same(said, []);
  t.end();
});

interface Retired {
  words: RegExp;
  use: string;
}

/** Other names that things had. docs/glossary.md has the names that hold. */
const RETIRED: readonly Retired[] = [
  { words: /\bweb address|\bWeb-?adresse/i, use: 'URL, or Address for what a monitor checks' },
  { words: /\bmonitors? of web pages\b|Monitore? von Webseiten|\brequests of web pages\b/i, use: 'HTTP monitor' },
  { words: /\b(?:answer|Antwort) must contain\b|\bDie Antwort (?:muss|darf)\b/i, use: 'Response must contain' },
  { words: /\b(?:required|forbidden) text\b|nötiger Text/i, use: 'Response must contain' },
  { words: /\badditional alerts?\b|zusätzlicher? Alarm/i, use: 'incident' },
  { words: /\bthe line that (?:adds|installs)\b|die Zeile, die/i, use: 'command, join token' },
  { words: /\bone a line\b|\bin each line\b/i, use: 'one per line' },
  { words: /\bswitched (?:on|off)\b/i, use: 'turned on, turned off' },
  { words: /\b(?:un)?muted?\b/i, use: 'silence' },
  { words: /\bAPI Keys\b/, use: 'API keys' },
  { words: /\b(?:de[mnrs]|im|eine[mns]?) Workspaces?\b/, use: 'Arbeitsbereich' },
  { words: /\beinloggen\b|\bausloggen\b/i, use: 'anmelden, abmelden' },
  { words: /\bgrowing pause\b|\bforerunner\b|\bunless told\b|\btake into use again\b/i, use: 'the standard term' },
];

/** What labels of fields and buttons were called. In a sentence the same words are right. */
const RETIRED_LABELS: readonly Retired[] = [
  { words: /^(?:Check every|Prüfen alle)$/, use: 'Interval' },
  { words: /^(?:Locations that must agree|Standorte, die übereinstimmen müssen)$/, use: 'Confirmations' },
  { words: /^(?:Retries (?:before|of)|Wiederholungen(?:, bevor| einer)) /, use: 'Retries' },
  { words: /^(?:Web page|Webseite|Port)$/, use: 'HTTP, TCP port' },
  { words: /^(?:Must (?:not )?contain|(?:Muss|Darf nicht) enthalten)$/, use: 'Response must contain' },
  { words: /^(?:Add|Create) an? \S+$/, use: 'the button without an article' },
  { words: /^One (?:in each|a) line/, use: 'One per line' },
];

/** Returns the texts of a source file: what is in quotes and in templates, without names of modules. */
function textsOf(file: string): string[] {
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, false);
  const texts: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return;
    if (ts.isStringLiteral(node) || ts.isTemplateLiteralToken(node) || ts.isJsxText(node)) texts.push(node.text);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return texts;
}

const found = (file: string, texts: readonly string[], retired: readonly Retired[]): string[] =>
  texts.flatMap((text) =>
    retired.flatMap(({ words, use }) => (words.test(text) ? [`${file}: “${text}”; use: ${use}`] : [])),
  );

t.test('the dashboard has one name for one thing', (t) => {
  const files = filesOf('control-plane/dashboard/web/*.ts', 'control-plane/dashboard/web/*.tsx');
  t.ok(files.length > 300);
  t.same(
    files.flatMap((file) => found(file, textsOf(file), [...RETIRED, ...RETIRED_LABELS])),
    [],
  );
  t.end();
});

t.test('messages of the server use the same names', (t) => {
  const files = filesOf('control-plane/*.ts', 'supervisor/*.ts').filter((file) => !/dashboard\/web\//.test(file));
  t.ok(files.length > 500);
  t.same(
    files.flatMap((file) => found(file, textsOf(file), RETIRED)),
    [],
  );
  t.end();
});

t.test('docs use the same names', (t) => {
  const files = filesOf('README.md', 'docs/*.md').filter((file) => !file.startsWith('docs/decisions/'));
  t.ok(files.length > 8);
  t.same(
    files.flatMap((file) => found(file, readFileSync(file, 'utf8').split('\n'), RETIRED)),
    [],
  );
  t.end();
});

t.test('the glossary has the words of the dashboard, in both languages', (t) => {
  const files = filesOf('control-plane/dashboard/web/src/*.ts', 'control-plane/dashboard/web/src/*.tsx').filter(
    // It has all words, also those that no page uses.
    (file) => !file.includes('/parts/glossary/'),
  );
  const said = files.flatMap(textsOf).join('\n').toLowerCase();
  const rows = readFileSync('docs/glossary.md', 'utf8')
    .split('\n')
    .filter((line) => /^\| [A-Z]/.test(line))
    .map((line) => line.split('|').map((cell) => cell.trim()));
  t.ok(rows.length > 20);
  for (const [, term = '', , german = ''] of rows) {
    // German verbs are separated in sentences, and nouns have endings.
    for (const word of [term, german]) t.ok(said.includes(word.toLowerCase().slice(0, 9)), word);
  }
  t.end();
});
