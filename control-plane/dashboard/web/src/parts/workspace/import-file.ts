/** The API refuses larger files. */
const IMPORT_BYTES_MAX = 1_048_576;

/** A file as it is sent: text with its type. */
export interface ImportFile {
  name: string;
  content: string;
  contentType: 'application/json' | 'application/yaml';
}

/** Returns what is wrong with a file before it is read; null if nothing is. */
export function fileProblem({ size }: { size: number }): 'empty' | 'large' | null {
  if (size === 0) return 'empty';
  return size > IMPORT_BYTES_MAX ? 'large' : null;
}

/** Returns the file to send. JSON begins with a brace whatever the file is called; everything else is YAML. */
export function importFile(name: string, text: string): ImportFile {
  const content = text.replace(/^\uFEFF/, '');
  return { name, content, contentType: /^\s*\{/.test(content) ? 'application/json' : 'application/yaml' };
}
