import { useAccount } from '../../app/account.ts';
import { CopyField } from '../../components/form/copy-field.tsx';
import { texts } from './texts/texts.ts';
import { Verify } from './verify.tsx';

/** How anybody can tell that no entry was changed or deleted. */
export function Chain() {
  const { operator } = useAccount();
  return (
    <details className="panel audit-chain">
      <summary>{texts.chain.title}</summary>
      <div className="stack">
        <p>{texts.chain.how}</p>
        <Verify />
        <p>{texts.chain.file}</p>
        <CopyField label={texts.chain.fileCommand} value="picket audit verify audit-log.json" />
        {operator ? (
          <>
            <p>{texts.chain.operator}</p>
            <CopyField label={texts.chain.operatorCommand} value="scripts/picket audit verify" />
          </>
        ) : null}
      </div>
    </details>
  );
}
