import { Button, NativeSelect } from '@mantine/core';
import { useState } from 'react';
import { apiUrl } from '../../api/client.ts';
import { Check } from '../../components/form/check.tsx';
import { texts } from './texts/texts.ts';

/** Downloads all monitors as a file. */
export function ExportMonitors({ mayWrite }: { mayWrite: boolean }) {
  const [format, setFormat] = useState('yaml');
  const [hasSecrets, setSecrets] = useState(false);
  const query = new URLSearchParams({ format, secrets: hasSecrets ? 'include' : 'mask' });
  return (
    <section className="panel form-panel">
      <h2>{texts.exportTitle}</h2>
      <p>{texts.exportHelp}</p>
      <NativeSelect
        label={texts.format}
        value={format}
        onChange={({ currentTarget }) => setFormat(currentTarget.value)}
        data={[
          { value: 'yaml', label: 'YAML' },
          { value: 'json', label: 'JSON' },
        ]}
      />
      {mayWrite ? (
        <Check
          {...{ name: 'secrets', label: texts.withSecrets, help: texts.withSecretsHelp }}
          {...{ isOn: hasSecrets, change: setSecrets }}
        />
      ) : null}
      <div className="page-actions">
        <Button
          variant="default"
          component="a"
          href={apiUrl(`/v1/monitors/export?${query}`)}
          download={`picket-monitors.${format}`}
        >
          {texts.export}
        </Button>
      </div>
    </section>
  );
}
