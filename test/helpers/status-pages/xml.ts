import { execFileSync } from 'node:child_process';

const SCRIPT = 'test/helpers/status-pages/read_xml.py';

/** Returns the texts of the elements by the names of parent and element, as Python reads them. Throws unless it is well-formed. */
export function parsedXml(xml: string): Record<string, string[]> {
  return JSON.parse(execFileSync('python3', [SCRIPT], { input: xml, encoding: 'utf8' }));
}
