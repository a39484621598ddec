import type { Lookups } from '../check/lookups.js';
import { type AreaVerdict, decided, unknown } from './area.js';
import { type FoundRecords, readTags, recordsOf } from './record-texts.js';

const VERSION = /^v\s*=\s*TLSRPTv1\s*(;|$)/;

export async function readTlsRpt(name: string, lookups: Lookups): Promise<FoundRecords> {
  return recordsOf(await lookups.texts(`_smtp._tls.${name}`), VERSION);
}

/** Returns the verdict on the record for reports about TLS (RFC 8460, section 3). Pure. */
export function judgeTlsRpt(name: string, records: FoundRecords): AreaVerdict {
  if (records.kind === 'unknown')
    return unknown(`The TLS-RPT record of ${name} could not be looked up: ${records.reason}.`);
  const label = `TXT _smtp._tls.${name}`;
  const proposal = {
    ...{ type: 'TXT' as const, name: `_smtp._tls.${name}` },
    value: `v=TLSRPTv1; rua=mailto:postmaster@${name}`,
  };
  const [text] = records.texts;
  if (text === undefined) {
    const message = `${name} has no TLS-RPT record, so you do not see when mail to it cannot be encrypted.`;
    const next_step = 'Publish a record with an address for the reports.';
    return decided(
      [{ code: 'tls_rpt_missing', level: 'warning', message, next_step }],
      [{ label, value: 'no TLS-RPT record' }],
      proposal,
    );
  }
  const evidence = records.texts.map((value) => ({ label, value }));
  const uris = (readTags(text)?.get('rua') ?? '').split(',').map((uri) => uri.trim());
  const areValid = uris.every((uri) => /^(mailto:[^@\s]+@[^@\s]+|https:\/\/\S+)$/i.test(uri));
  if (records.texts.length === 1 && areValid) return decided([], evidence);
  const message =
    records.texts.length > 1
      ? `${name} has ${records.texts.length} TLS-RPT records. Senders of reports ignore all of them.`
      : `The TLS-RPT record of ${name} has no valid address for reports.`;
  const next_step = 'Publish one record with “rua=mailto:” or “rua=https:”.';
  return decided([{ code: 'tls_rpt_invalid', level: 'failing', message, next_step }], evidence, proposal);
}
