import { Alert, Group, MultiSelect } from '@mantine/core';
import type { AgentKnowledgeBasesRecord } from '@parley/sdk';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { agentKnowledgeQuery, knowledgeBasesQuery } from '../../api/reads';
import { write } from '../../api/request';
import { ScopedButton } from '../../parts/scoped-button';
import { useCan } from '../../session/session';
import { t } from '../../text/text';

interface Props {
  readonly agentId: string;
  readonly projectId: string;
  /** Whether the agent has the tool that asks the knowledge bases. */
  readonly canAsk: boolean;
}

/** The knowledge bases of an agent are a resource of their own, so they have their own save; calls that have begun keep theirs. */
export function Knowledge({ agentId, projectId, canAsk }: Props) {
  const can = useCan()('knowledge:read');
  const client = useQueryClient();
  const attached = useQuery(agentKnowledgeQuery(agentId));
  const bases = useQuery({ ...knowledgeBasesQuery(projectId), enabled: can });
  const [chosen, setChosen] = useState<readonly string[]>();
  const save = useMutation({
    mutationFn: (ids: readonly string[]) =>
      write<AgentKnowledgeBasesRecord>('PUT', `/v1/agents/${agentId}/knowledge-bases`, {
        body: { knowledge_base_ids: ids },
      }),
    onSuccess: (saved) => {
      client.setQueryData(agentKnowledgeQuery(agentId).queryKey, saved);
      setChosen(undefined);
    },
  });
  const saved = attached.data?.knowledge_base_ids ?? [];
  const shown = chosen ?? saved;
  const isChanged = shown.length !== saved.length || shown.some((id) => !saved.includes(id));
  const known = (bases.data?.data ?? []).map(({ knowledge_base_id: value, name: label }) => ({ value, label }));
  // A base that was deleted, or that the key may not read, has no name here.
  const others = [...new Set([...saved, ...shown])]
    .filter((id) => !known.some(({ value }) => value === id))
    .map((id) => ({ value: id, label: id }));
  const problem = attached.error ?? bases.error ?? save.error;
  return (
    <>
      <MultiSelect
        label={t('knowledge.bases')}
        description={can ? t('knowledge.hint') : t('scope.missing', { scope: 'knowledge:read' })}
        placeholder={shown.length === 0 ? t('knowledge.none') : ''}
        data={[...known, ...others]}
        value={[...shown]}
        onChange={setChosen}
        disabled={attached.data === undefined}
        searchable
        clearable
      />
      {shown.length > 0 && !canAsk && <p className="soft">{t('knowledge.noTool')}</p>}
      {problem !== null && (
        <Alert color="red" variant="light" role="alert">
          {problem.message}
        </Alert>
      )}
      <Group>
        <ScopedButton
          scope="agents:write"
          variant="default"
          size="xs"
          disabled={!isChanged || save.isPending}
          onClick={() => save.mutate(shown)}
        >
          {t('knowledge.save')}
        </ScopedButton>
      </Group>
    </>
  );
}
