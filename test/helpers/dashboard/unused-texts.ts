import { dirname, join } from 'node:path';
import ts from 'typescript';

/** The keys of a catalogue; null for a text. */
interface Keys {
  [key: string]: Keys | null;
}

interface Catalogue {
  keys: Keys;
  /** Paths of texts and of whole groups that the pages read, such as `form.save`. */
  used: Set<string>;
}

/** What a name in a file stands for: a whole catalogue, or a group in it. */
interface Place {
  catalogue: Catalogue;
  path: readonly string[];
}

/**
 * Returns the texts that no page reads, such as `parts/team/texts/texts.ts: form.save`. A group of which an entry is read
 * by index, or which is passed on, counts as used. Pure.
 */
export function unusedTexts(files: ReadonlyMap<string, string>): string[] {
  const catalogues = new Map([...files.keys()].flatMap((file) => catalogueOf(file, files)));
  for (const [file, text] of files) if (/(?:texts|entrance)\.ts'/.test(text)) readUses(file, text, catalogues);
  return [...catalogues].flatMap(([file, { keys, used }]) =>
    unusedIn(keys, [], used).map((path) => `${file}: ${path}`),
  );
}

const parsed = (file: string, text: string) => ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);

/** A catalogue is imported by its `texts.ts`, which has the texts itself or takes them from the `en.ts` beside it. */
function catalogueOf(file: string, files: ReadonlyMap<string, string>): [string, Catalogue][] {
  if (!/(?:^|\/)(?:texts|entrance)\.ts$/.test(file)) return [];
  const beside = join(dirname(file), 'en.ts');
  const from = file.endsWith('texts.ts') && files.has(beside) ? beside : file;
  const declarations = parsed(from, files.get(from) ?? '').statements.flatMap((statement) =>
    ts.isVariableStatement(statement) ? [...statement.declarationList.declarations] : [],
  );
  const keys = keysOf(declarations.find(({ name }) => name.getText() === 'en')?.initializer);
  return keys === null ? [] : [[file, { keys, used: new Set() }]];
}

function keysOf(value: ts.Expression | undefined): Keys | null {
  if (value === undefined) return null;
  if (ts.isAsExpression(value) || ts.isSatisfiesExpression(value)) return keysOf(value.expression);
  if (!ts.isObjectLiteralExpression(value)) return null;
  return Object.fromEntries(
    value.properties.flatMap((member): [string, Keys | null][] => {
      const key = keyOf(member.name);
      return key === null ? [] : [[key, ts.isPropertyAssignment(member) ? keysOf(member.initializer) : null]];
    }),
  );
}

const keyOf = (name: ts.Node | undefined): string | null =>
  name !== undefined && (ts.isIdentifier(name) || ts.isStringLiteral(name)) ? name.text : null;

const groupAt = ({ catalogue, path }: Place): Keys | null =>
  path.reduce<Keys | null>((group, key) => group?.[key] ?? null, catalogue.keys);

function unusedIn(keys: Keys, path: readonly string[], used: ReadonlySet<string>): string[] {
  if (used.has(path.join('.'))) return [];
  return Object.entries(keys).flatMap(([key, group]) => {
    const own = [...path, key];
    return group === null ? (used.has(own.join('.')) ? [] : [own.join('.')]) : unusedIn(group, own, used);
  });
}

/** Marks what one file reads. Names of two functions are not told apart: each then stands for both places. */
function readUses(file: string, text: string, catalogues: ReadonlyMap<string, Catalogue>): void {
  const source = parsed(file, text);
  const names = new Map<string, Place[]>();
  const isNew = (name: string, place: Place): boolean => {
    const places = names.get(name) ?? [];
    if (places.some(({ catalogue, path }) => catalogue === place.catalogue && `${path}` === `${place.path}`))
      return false;
    names.set(name, [...places, place]);
    return true;
  };
  for (const [name, catalogue] of importsOf(source, file, catalogues)) isNew(name, { catalogue, path: [] });
  if (names.size === 0) return;
  let hasNew = true;
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) || ts.isTypeNode(node)) return;
    if (ts.isIdentifier(node) && isRead(node)) {
      for (const place of names.get(node.text) ?? [])
        for (const [name, alias] of readAt(node, place)) if (isNew(name, alias)) hasNew = true;
    }
    ts.forEachChild(node, visit);
  };
  // An alias can stand below the function that reads it.
  while (hasNew) {
    hasNew = false;
    visit(source);
  }
}

function importsOf(source: ts.SourceFile, file: string, catalogues: ReadonlyMap<string, Catalogue>) {
  return source.statements.flatMap((statement): [string, Catalogue][] => {
    if (!ts.isImportDeclaration(statement) || !ts.isStringLiteral(statement.moduleSpecifier)) return [];
    const catalogue = catalogues.get(join(dirname(file), statement.moduleSpecifier.text));
    const bindings = statement.importClause?.namedBindings;
    if (catalogue === undefined || bindings === undefined || !ts.isNamedImports(bindings)) return [];
    return bindings.elements.map(({ name }) => [name.text, catalogue]);
  });
}

/** Whether it reads a variable: it is neither the name of a member nor that of something that is declared here. */
function isRead(node: ts.Identifier): boolean {
  const { parent } = node;
  const isName = (parent as { name?: ts.Node }).name === node && !ts.isShorthandPropertyAssignment(parent);
  return !isName && !(ts.isBindingElement(parent) && parent.propertyName === node);
}

/** Marks what is read of a place, and returns the names that the statement gives to groups in it. */
function readAt(start: ts.Node, { catalogue, path: from }: Place): [string, Place][] {
  const path = [...from];
  let node = start;
  for (let key = memberOf(node); key !== null && groupAt({ catalogue, path }) !== null; key = memberOf(node)) {
    path.push(key);
    node = node.parent;
  }
  const { parent } = node;
  const place = { catalogue, path };
  const group = groupAt(place);
  const isAlias = ts.isVariableDeclaration(parent) && parent.initializer === node && !isExported(parent);
  if (group !== null && isAlias) {
    if (ts.isIdentifier(parent.name)) return [[parent.name.text, place]];
    if (ts.isObjectBindingPattern(parent.name) && parent.name.elements.every((one) => one.dotDotDotToken === undefined))
      return parent.name.elements.flatMap((one) => {
        const key = keyOf(one.propertyName ?? one.name) ?? '';
        const member = { catalogue, path: [...path, key] };
        if (groupAt(member) !== null && ts.isIdentifier(one.name)) return [[one.name.text, member] as [string, Place]];
        catalogue.used.add(member.path.join('.'));
        return [];
      });
  }
  catalogue.used.add(path.join('.'));
  return [];
}

const isExported = (declaration: ts.VariableDeclaration): boolean =>
  (ts.getCombinedModifierFlags(declaration) & ts.ModifierFlags.Export) !== 0;

/** Returns the key of `texts.key` or `texts['key']` for the node of `texts`. */
function memberOf(node: ts.Node): string | null {
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent) && parent.expression === node) return keyOf(parent.name);
  return ts.isElementAccessExpression(parent) && parent.expression === node
    ? stringOf(parent.argumentExpression)
    : null;
}

const stringOf = (node: ts.Node): string | null => (ts.isStringLiteral(node) ? node.text : null);
