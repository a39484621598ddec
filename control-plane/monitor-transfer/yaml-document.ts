import { Composer, type CST, type Document, Lexer, LineCounter, Parser } from 'yaml';

const TAKEN: CST.CollectionItem = { start: [] };

/**
 * Parses like `parseDocument` of the library, in two thirds of its memory. Returns what is wrong in case of an error, as the
 * end of the sentence "The body is not valid YAML: …".
 */
export function documentOf(content: string): Document.Parsed | string {
  const lines = new LineCounter();
  // The keys are compared below with one look-up each. The library would compare every pair of keys.
  const composer = new Composer({ uniqueKeys: false, version: '1.2' });
  const [document, another] = composer.compose(tokensOf(content, lines), true, content.length);
  const wrong = document?.errors[0] ?? document?.warnings[0];
  if (wrong !== undefined) {
    const { line, col } = lines.linePos(wrong.pos[0]);
    return `${wrong.message} at line ${line}, column ${col}`;
  }
  if (document === undefined) return 'it cannot be parsed';
  return another === undefined ? document : 'it contains multiple documents';
}

/** Returns the tokens of each document. They take much more memory than the document that is composed of them. */
function* tokensOf(content: string, lines: LineCounter): Generator<CST.Token> {
  const parser = new Parser(lines.addNewLine);
  lines.addNewLine(0);
  let fitted: CST.CollectionItem | undefined;
  for (const lexeme of new Lexer().lex(content)) {
    yield* passed(parser.next(lexeme));
    const top = parser.stack.at(-1);
    // The last item is not complete.
    const item = top !== undefined && 'items' in top ? top.items.at(-2) : undefined;
    if (item !== fitted) fit(item);
    fitted = item;
  }
  yield* passed(parser.end());
}

/** Arrays that have grown have room for 16 more elements. */
function fit(item: CST.CollectionItem | undefined): void {
  if (item === undefined) return;
  item.start = [...item.start];
  if (item.sep !== undefined) item.sep = [...item.sep];
  const { value } = item;
  if (value === undefined || !('items' in value)) return;
  Object.assign(value, { items: [...value.items] });
  fit(value.items.at(-1));
}

/** Lets each part of a document be free once it is composed. */
function* passed(tokens: Iterable<CST.Token>): Generator<CST.Token> {
  for (const token of tokens) {
    if (token.type === 'document') passOnce(token.value);
    yield token;
  }
}

function passOnce(token: CST.Token | undefined): void {
  if (token === undefined || !('items' in token)) return;
  Object.assign(token, { items: new Proxy<CST.CollectionItem[]>(token.items, { get: takeItem }) });
}

/** The library reads each item of a value one time, and in their order. */
function takeItem(items: CST.CollectionItem[], name: string | symbol): unknown {
  const index = typeof name === 'string' ? Number(name) : Number.NaN;
  const item = items[index];
  if (item === undefined) return Reflect.get(items, name);
  items[index] = TAKEN;
  passOnce(item.value);
  return item;
}
