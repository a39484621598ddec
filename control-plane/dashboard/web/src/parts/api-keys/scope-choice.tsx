import { useState } from 'react';
import { Check } from '../../components/form/check.tsx';
import { AREA_NAMES, AREAS, type Preset, presetOf, type Scope, scopesOf, toggled } from './scopes.ts';
import { texts } from './texts/texts.ts';

const PRESETS: readonly Preset[] = ['everything', 'read', 'monitors', 'chosen'];

interface ScopeChoiceProps {
  scopes: readonly Scope[];
  change(scopes: readonly Scope[]): void;
  /** Whether the plan has only keys with full access. */
  isLimited: boolean;
}

/** What a key may do: a preset, or single rights in groups. */
export function ScopeChoice({ scopes, change, isLimited }: ScopeChoiceProps) {
  const [preset, setPreset] = useState<Preset>(() => presetOf(scopes));
  const choose = (next: Preset) => {
    setPreset(next);
    change(next === 'chosen' ? scopes.filter((scope) => scope !== '*') : scopesOf(next));
  };
  return (
    <>
      <fieldset className="form-choices">
        <legend>{texts.may}</legend>
        {PRESETS.map((one) => (
          <Check
            key={one}
            {...{ type: 'radio', name: 'preset', isOn: preset === one, change: () => choose(one) }}
            {...{ label: texts.presets[one].label, help: texts.presets[one].help }}
            isDisabled={isLimited && one !== 'everything'}
          />
        ))}
        {isLimited ? <p className="row-detail">{texts.needsEnterprise}</p> : null}
      </fieldset>
      {preset === 'chosen' ? <Areas scopes={scopes} change={change} /> : null}
    </>
  );
}

function Areas({ scopes, change }: Pick<ScopeChoiceProps, 'scopes' | 'change'>) {
  return (
    <div className="scope-areas">
      {AREA_NAMES.map((area) => (
        <fieldset key={area} className="form-choices">
          <legend>{texts.areas[area]}</legend>
          {AREAS[area].map((scope) => (
            <Check
              key={scope}
              name={scope}
              label={scope.endsWith(':read') ? texts.read : texts.write}
              isOn={scopes.includes(scope)}
              change={(isOn) => change(toggled(scopes, scope, isOn))}
            />
          ))}
        </fieldset>
      ))}
    </div>
  );
}
