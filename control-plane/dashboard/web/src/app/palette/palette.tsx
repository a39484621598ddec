import { useNavigate } from '@tanstack/react-router';
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { matching } from './match.ts';
import { texts } from './texts.ts';
import { useCommands, usePages } from './use-commands.ts';
import { type Found, useFound, useOffered } from './use-found.ts';
import './palette.css';

const ROWS_MAX = 6;
const PAGES_MAX = 8;
const ACTIONS_MAX = 12;
const TYPED_CHARS_MAX = 200;

interface Group {
  title: string;
  entries: readonly Found[];
}

interface PaletteProps {
  close(): void;
  showKeys(): void;
}

/** Finds everything by its name, and runs commands: a text field with the list of what it found. */
export function Palette({ close, showKeys }: PaletteProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [typed, setTyped] = useState('');
  const [chosen, setChosen] = useState(0);
  const { groups, isSearching, isFailed } = useGroups(typed, showKeys);
  const flat = groups.flatMap(({ entries }) => entries);
  const current = flat[Math.min(chosen, flat.length - 1)];
  const id = useId();
  useEffect(() => dialog.current?.showModal(), []);
  useEffect(() => {
    document.getElementById(`${id}-${current?.id}`)?.scrollIntoView({ block: 'nearest' });
  }, [id, current?.id]);
  // The dialog gives the focus back before the page changes.
  const run = (entry: Found | undefined) => {
    if (entry === undefined) return;
    dialog.current?.close();
    entry.run();
  };
  const pressed = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step !== 0) setChosen((flat.indexOf(current as Found) + step + flat.length) % Math.max(1, flat.length));
    else if (event.key === 'Enter' && !event.nativeEvent.isComposing) run(current);
    else return;
    event.preventDefault();
  };
  return (
    <dialog ref={dialog} className="palette" aria-label={texts.title} onClose={close}>
      <input
        {...{ className: 'palette-field', role: 'combobox', value: typed, maxLength: TYPED_CHARS_MAX }}
        {...{ autoComplete: 'off', spellCheck: false, placeholder: texts.placeholder, 'aria-label': texts.field }}
        {...{ 'aria-expanded': flat.length > 0, 'aria-controls': `${id}-list`, 'aria-autocomplete': 'list' }}
        aria-activedescendant={current === undefined ? undefined : `${id}-${current.id}`}
        onChange={({ currentTarget }) => {
          setTyped(currentTarget.value);
          setChosen(0);
        }}
        onKeyDown={pressed}
      />
      <div id={`${id}-list`} className="palette-list" role="listbox" aria-label={texts.title}>
        {groups.map(({ title, entries }) => (
          // biome-ignore lint/a11y/useSemanticElements: a fieldset has no place in a listbox.
          <div key={title} role="group" aria-label={title}>
            <p className="palette-group" aria-hidden="true">
              {title}
            </p>
            {entries.map((entry) => (
              <Option
                {...{ key: entry.id, id: `${id}-${entry.id}`, entry, isChosen: entry === current }}
                choose={() => setChosen(flat.indexOf(entry))}
                run={() => run(entry)}
              />
            ))}
          </div>
        ))}
      </div>
      {flat.length === 0 && !isSearching ? <p className="palette-note wrap">{texts.nothing(typed)}</p> : null}
      {isFailed ? <p className="palette-note">{texts.unreachable}</p> : null}
      <p className="palette-help soft">{texts.help}</p>
      <p className="only-spoken" role="status">
        {isSearching ? texts.searching : texts.found(flat.length)}
      </p>
    </dialog>
  );
}

/** What is shown for a text: without one, what fires, pages, actions and commands. */
function useGroups(typed: string, showKeys: () => void) {
  const navigate = useNavigate();
  const offered = useOffered();
  const { found, isSearching, isFailed } = useFound(typed, offered.kinds);
  const pages = matching(usePages(), typed, PAGES_MAX);
  const actions = offered.actions.map(({ to, label, search }): Found => {
    return { id: `action-${label}`, label, keywords: '', detail: '', run: () => void navigate({ to, search }) };
  });
  const commands = matching(useCommands(showKeys), typed, PAGES_MAX);
  const all: readonly Group[] = [
    ...found.map(({ kind: { title }, rows }) => ({
      title,
      entries: matching(rows, typed, ROWS_MAX).map(({ to, ...entry }) => ({
        ...entry,
        run: () => void navigate({ to }),
      })),
    })),
    { title: texts.groups.pages, entries: pages },
    { title: texts.groups.actions, entries: matching(actions, typed, ACTIONS_MAX) },
    { title: texts.groups.commands, entries: commands },
  ];
  return { groups: all.filter(({ entries }) => entries.length > 0), isSearching, isFailed };
}

interface OptionProps {
  id: string;
  entry: Found;
  isChosen: boolean;
  choose(): void;
  run(): void;
}

/** The keys are those of the field, which keeps the focus. */
function Option({ id, entry: { label, detail }, isChosen, choose, run }: OptionProps) {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the keys.
    // biome-ignore lint/a11y/noStaticElementInteractions: it is an option, which the rule does not see.
    <div
      {...{ id, role: 'option', className: 'palette-option', 'aria-selected': isChosen }}
      onPointerMove={isChosen ? undefined : choose}
      onClick={run}
    >
      <bdi className="cut">{label}</bdi>
      {detail === '' ? null : <bdi className="palette-detail cut">{detail}</bdi>}
    </div>
  );
}
