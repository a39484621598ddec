import { Button, TextInput } from '@mantine/core';
import { type FormEvent, memo, useState } from 'react';
import { useAccount } from '../../../app/account.ts';
import { Disclosure } from '../../../components/disclosure.tsx';
import type { ListSearch } from './search.ts';
import { texts } from './texts/texts.ts';
import { removeView, savedViews, saveView, viewsKey } from './views.ts';

interface SavedViewsProps {
  /** Returns what is shown now. The same function each time. */
  current(): ListSearch;
  show(search: ListSearch): void;
}

/** Filters that a person has given a name. */
export const SavedViews = memo(function SavedViews({ current, show }: SavedViewsProps) {
  const key = viewsKey(useAccount());
  const [views, setViews] = useState(() => savedViews(key));
  const [name, setName] = useState('');
  const save = (event: FormEvent) => {
    event.preventDefault();
    if (name.trim() === '') return;
    setViews(saveView(key, { name, search: current() }));
    setName('');
  };
  return (
    <div className="saved-views">
      <Disclosure className="menu-button" label={texts.views}>
        {views.length === 0 ? <p className="menu-title">{texts.noViews}</p> : null}
        <ul>
          {views.map((view) => (
            <li key={view.name} className="saved-view">
              <button type="button" className="menu-item" onClick={() => show(view.search)}>
                <bdi className="cut">{view.name}</bdi>
              </button>
              <button
                type="button"
                className="view-remove"
                aria-label={texts.removeView(view.name)}
                onClick={() => setViews(removeView(key, view.name))}
              >
                <span aria-hidden="true">×</span>
              </button>
            </li>
          ))}
        </ul>
        <form className="view-form" onSubmit={save}>
          <TextInput
            label={texts.viewName}
            description={texts.viewHelp}
            value={name}
            maxLength={60}
            onChange={({ currentTarget }) => setName(currentTarget.value)}
          />
          <Button type="submit" variant="default" disabled={name.trim() === ''}>
            {texts.saveView}
          </Button>
        </form>
      </Disclosure>
    </div>
  );
});
