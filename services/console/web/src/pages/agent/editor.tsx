import { Alert, Button } from '@mantine/core';
import type { AgentConfiguration } from '@parley/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useRef, useState, type ReactNode } from 'react';
import { configurationQuery } from '../../api/reads';
import { ApiError, readWithEtag, send, type WithEtag } from '../../api/request';
import { ScopedButton } from '../../parts/scoped-button';
import { t } from '../../text/text';
import { changedFields, draftOf, saveOf, type Draft } from './draft';
import { Conflict } from './conflict';
import { Identity } from './identity';
import { Keys } from './keys';
import { Knowledge } from './knowledge';
import { Languages } from './languages';
import { Models } from './models';
import { NewSecrets, secretsOf } from './new-secrets';
import { PreviewPanel } from './preview-panel';
import { Readiness } from './readiness';
import { Review } from './review';
import { Section } from './section';
import { ToolList } from './tool-list';
import { TurnTaking } from './turn-taking';
import { usePreviewedSettings } from './use-preview';
import { Voices } from './voices';

interface Props {
  readonly configuration: AgentConfiguration;
  readonly etag: string;
  /** Shown next to the settings. */
  readonly children?: ReactNode;
}

const path = (id: string): string => `/v1/agents/${id}/configuration`;

export function Editor({ configuration, etag, children }: Props) {
  const id = configuration.agent.agent_id;
  const client = useQueryClient();
  // The draft's base stays until it is saved or discarded, whatever is read meanwhile.
  const [base, setBase] = useState<WithEtag<AgentConfiguration>>({ value: configuration, etag });
  const [draft, setDraft] = useState<Draft>(() => draftOf(configuration));
  const [isReviewing, setReviewing] = useState(false);
  const [theirs, setTheirs] = useState<WithEtag<AgentConfiguration>>();
  const [secrets, setSecrets] = useState<readonly [string, string][]>([]);
  const { project_id: projectId } = base.value.agent;
  const from = useMemo(() => draftOf(base.value), [base.value]);
  const changed = changedFields(from, draft);
  const body = saveOf(from, draft);
  const settings = usePreviewedSettings(id, body.voice_stack, changed.length > 0);

  const become = (next: WithEtag<AgentConfiguration>): void => {
    setBase(next);
    setDraft(draftOf(next.value));
    client.setQueryData(configurationQuery(id).queryKey, next);
    for (const key of ['agents', 'publications']) void client.invalidateQueries({ queryKey: [key] });
    void client.invalidateQueries({ queryKey: ['agent', id] });
  };
  const save = useMutation({
    mutationFn: async () => {
      const answer = await send('PUT', path(id), { body, headers: { 'If-Match': base.etag } });
      return { value: (await answer.json()) as AgentConfiguration, etag: answer.headers.get('etag') ?? '' };
    },
    onSuccess: (saved) => {
      setSecrets(secretsOf(saved.value));
      setReviewing(false);
      become(saved);
    },
    onError: async (error) => {
      if (!(error instanceof ApiError) || error.status !== 409) return;
      setReviewing(false);
      setTheirs(await readWithEtag<AgentConfiguration>(path(id)));
    },
  });

  const change = useCallback((part: Partial<Draft>): void => setDraft((now) => ({ ...now, ...part })), []);
  const firstWords = useRef(draft.first);
  useEffect(() => {
    firstWords.current = draft.first;
  }, [draft.first]);
  // Each key in a text renders the editor, so the parts that do not depend on the text are kept: there are hundreds of voices.
  const { languages, voice, model, transcriber, turnTaking, tools } = draft;
  const voicePart = useMemo(
    () => (
      <Section title={t('agent.section.voice')}>
        <Languages languages={languages} change={(next) => change({ languages: next })} />
        <Voices
          agentId={id}
          language={languages[0]}
          voice={voice}
          change={(next) => change({ voice: next })}
          text={() => firstWords.current}
        />
        <Models model={model} transcriber={transcriber} change={change} />
      </Section>
    ),
    [id, languages, voice, model, transcriber, change],
  );
  const turnPart = useMemo(
    () => (
      <Section title={t('agent.section.turns')}>
        <TurnTaking settings={settings} value={turnTaking} change={(next) => change({ turnTaking: next })} />
        <Keys agentId={id} />
      </Section>
    ),
    [id, settings, turnTaking, change],
  );
  const toolPart = useMemo(
    () => (
      <>
        <Section title={t('agent.section.tools')}>
          <ToolList tools={tools} change={(next) => change({ tools: next })} />
        </Section>
        <Section title={t('agent.section.knowledge')}>
          <Knowledge
            agentId={id}
            projectId={projectId}
            canAsk={tools.some((tool) => typeof tool === 'object' && tool.name === 'query_knowledge')}
          />
        </Section>
      </>
    ),
    [id, projectId, tools, change],
  );
  const { length: changedCount } = changed;
  const actions = useMemo(
    () => (
      <div className="editor-actions">
        <Button variant="default" disabled={changedCount === 0} onClick={() => setDraft(from)}>
          {t('agent.discard')}
        </Button>
        <ScopedButton scope="agents:write" disabled={changedCount === 0} onClick={() => setReviewing(true)}>
          {changedCount === 0 ? t('agent.saved') : t('agent.review', { count: changedCount })}
        </ScopedButton>
      </div>
    ),
    [changedCount, from],
  );
  if (theirs !== undefined)
    return (
      <Conflict
        mine={draft}
        base={from}
        theirs={draftOf(theirs.value)}
        keepMine={() => {
          // Mine over theirs, per setting: settings that only they changed are kept.
          const next = {
            ...draftOf(theirs.value),
            ...Object.fromEntries(changed.map((field) => [field, draft[field]])),
          };
          become(theirs);
          setDraft(next);
          setTheirs(undefined);
        }}
        takeTheirs={() => {
          become(theirs);
          setTheirs(undefined);
        }}
      />
    );
  return (
    <div className="editor">
      <div className="editor-main">
        <Identity draft={draft} change={change} />
        {voicePart}
        {turnPart}
        {toolPart}
      </div>
      <aside className="editor-side" aria-label={t('agent.preview')}>
        {children}
        <PreviewPanel settings={settings} before={base.value.voice_stack} isChanged={changed.length > 0} />
        <Readiness agentId={id} />
        <NewSecrets secrets={secrets} />
        {save.error !== null && !(save.error instanceof ApiError && save.error.status === 409) && (
          <Alert color="red" variant="light" role="alert">
            {save.error.message}
          </Alert>
        )}
        {actions}
      </aside>
      {isReviewing && (
        <Review
          from={from}
          to={draft}
          fields={changed}
          settings={settings}
          version={base.value.voice_stack.language_profiles?.published_version ?? 0}
          isSaving={save.isPending}
          save={() => save.mutate()}
          close={() => setReviewing(false)}
        />
      )}
    </div>
  );
}
