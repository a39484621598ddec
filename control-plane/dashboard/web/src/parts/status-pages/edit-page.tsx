import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { isNotFound } from '../../api/client.ts';
import { apiPath } from '../../api/path.ts';
import type { StatusPage } from '../../api/types.ts';
import { useMayWrite } from '../../app/account.ts';
import { ConflictNote } from '../../components/editing/conflict-note.tsx';
import { KeptNote } from '../../components/editing/kept-note.tsx';
import { type Saved, useEditable, type Versioned } from '../../components/editing/use-editable.ts';
import { FormPanel } from '../../components/form/form-panel.tsx';
import { editOf, useForgotten } from '../../components/form/use-draft.ts';
import { NotAllowed } from '../../components/page/not-allowed.tsx';
import { PageHead } from '../../components/page/page-head.tsx';
import { UnreadPage } from '../../components/page/unread-page.tsx';
import { toast } from '../../components/toasts.tsx';
import { FIELDS, type GroupInput, inputOf, type PageInput, patchBody } from './form/input.ts';
import { PageFields } from './form/page-fields.tsx';
import { HostsPanel } from './hosts/hosts-panel.tsx';
import { LogoPanel } from './logo/logo-panel.tsx';
import { NoSuchPage } from './no-such-page.tsx';
import { pageErrors } from './problems.ts';
import { editedPageQuery } from './queries.ts';
import { texts } from './texts/texts.ts';
import './status-pages.css';

export function EditStatusPagePage() {
  const { pageId: id = '' } = useParams({ strict: false }) as { pageId?: string };
  const { data: loaded, error, refetch } = useQuery(editedPageQuery(id));
  const mayWrite = useMayWrite();
  const path = apiPath`/v1/status-pages/${id}`;
  useForgotten(mayWrite ? null : editOf(path));
  if (loaded === undefined)
    return <UnreadPage key={id} error={error} retry={() => void refetch()} gone={<NoSuchPage path={path} />} />;
  const title = texts.editTitle(loaded.thing.title);
  if (!mayWrite) return <NotAllowed title={title} />;
  return (
    <>
      <PageHead title={title} sentence={texts.editSentence} />
      <div className="stack">
        <EditPage key={id} {...{ path, loaded }} isGone={isNotFound(error)} />
        <LogoPanel page={loaded.thing} />
        <HostsPanel page={loaded.thing} />
      </div>
    </>
  );
}

interface EditPageProps {
  path: string;
  loaded: Versioned<StatusPage>;
  isGone: boolean;
}

function EditPage({ path, loaded, isGone }: EditPageProps) {
  const { id, has_password: hasPassword } = loaded.thing;
  const queries = useQueryClient();
  const navigate = useNavigate();
  const leave = () => navigate({ to: '/status-pages/$pageId', params: { pageId: id } });
  const onSaved = ({ after: { thing } }: Saved<StatusPage>) => {
    toast({ text: texts.saved(thing.title), undo: null });
    queries.setQueryData(['status-page', id], thing);
    for (const queryKey of [['status-pages'], ['status-page-state']]) void queries.invalidateQueries({ queryKey });
    void leave();
  };
  const { form, changed, conflict, save, isKept, discard, forget } = useEditable<StatusPage, PageInput>({
    path,
    loaded,
    isGone,
    fields: FIELDS,
    valuesOf: inputOf,
    patchOf: patchBody,
    onSaved,
  });
  // A conflict is no failure: the note above the fields says it.
  const action = { isPending: save.isPending, error: conflict === null ? save.error : null };
  return (
    <FormPanel
      {...{ label: texts.settings, submit: texts.save, action, cancel: `/status-pages/${id}` }}
      cancelled={forget}
      onSubmit={() => {
        if (changed.length === 0) void leave();
        else save.mutate(undefined, { onError: (error) => form.setErrors(pageErrors(error)) });
      }}
    >
      <KeptNote isKept={isKept} discard={discard} />
      {conflict === null ? null : (
        <ConflictNote objectId={id} conflict={conflict} labelOf={labelOf} show={shownValue} />
      )}
      <PageFields form={form} hasPassword={hasPassword} />
    </FormPanel>
  );
}

const labelOf = (field: string): string => texts.form.names[field] ?? field;

/** Returns what a conflict shows of the fields whose values are not words. */
function shownValue(field: string, value: unknown): string | null {
  if (field === 'visibility') return texts.visibility[value as PageInput['visibility']];
  if (field !== 'groups') return null;
  return (value as readonly GroupInput[]).flatMap(({ components }) => components.map(({ name }) => name)).join(', ');
}
