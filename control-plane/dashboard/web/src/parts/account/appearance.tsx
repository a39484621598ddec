import { useState } from 'react';
import { Check } from '../../components/form/check.tsx';
import { texts as appTexts } from '../../texts/app/texts.ts';
import { chooseLanguage, currentLanguage, LANGUAGES, type Language } from '../../texts/language.ts';
import { type ColourScheme, chooseScheme, chosenScheme } from '../../theme/colour-scheme.ts';
import { texts } from './texts/texts.ts';

const SCHEMES: readonly ColourScheme[] = ['system', 'light', 'dark'];

/** How the pages look in this browser. */
export function Appearance() {
  const [scheme, setScheme] = useState(chosenScheme);
  const pickScheme = (chosen: ColourScheme) => {
    chooseScheme(chosen);
    setScheme(chosen);
  };
  return (
    <section className="panel">
      <h2>{texts.appearance.title}</h2>
      <p className="soft">{texts.appearance.here}</p>
      <div className="form-row appearance">
        <fieldset className="form-choices">
          <legend>{appTexts.frame.language}</legend>
          {(Object.keys(LANGUAGES) as Language[]).map((language) => (
            <Check
              key={language}
              {...{ type: 'radio', name: 'language', label: LANGUAGES[language], isOn: currentLanguage() === language }}
              change={() => chooseLanguage(language)}
            />
          ))}
        </fieldset>
        <fieldset className="form-choices">
          <legend>{appTexts.frame.colours}</legend>
          {SCHEMES.map((one) => (
            <Check
              key={one}
              {...{ type: 'radio', name: 'scheme', label: appTexts.frame[one], isOn: scheme === one }}
              change={() => pickScheme(one)}
            />
          ))}
        </fieldset>
      </div>
    </section>
  );
}
