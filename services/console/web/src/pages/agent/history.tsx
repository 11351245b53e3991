import { Alert, Button } from '@mantine/core';
import { IconHistory } from '@tabler/icons-react';
import type { AgentVoiceStack, PublicationDiff, PublicationSummary } from '@parley/sdk';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { publicationsQuery } from '../../api/reads';
import { read, write } from '../../api/request';
import { Changes } from '../../parts/changes';
import { Failure } from '../../parts/failure';
import { LongList } from '../../parts/long-list';
import { Notice } from '../../parts/notice';
import { ScopedButton } from '../../parts/scoped-button';
import { Ago } from '../../parts/time';
import { Waiting } from '../../parts/waiting';
import { t } from '../../text/text';

/** Lists the publications of an agent, each with its changes and a button to restore it. */
export function History({ agentId }: { readonly agentId: string }) {
  const { data, error, refetch } = useQuery(publicationsQuery(agentId));
  if (error !== null && data === undefined) return <Failure error={error} retry={refetch} />;
  if (data === undefined) return <Waiting rows={4} />;
  if (data.data.length === 0)
    return <Notice Icon={IconHistory} title={t('history.empty')} lead={t('history.emptyLead')} />;
  return (
    <LongList items={data.data} className="versions" label={t('agent.tab.history')} height={60}>
      {(publication) => <Version key={publication.version} agentId={agentId} publication={publication} />}
    </LongList>
  );
}

function Version({ agentId, publication }: { readonly agentId: string; readonly publication: PublicationSummary }) {
  const { version, published_at: at, languages, current } = publication;
  const client = useQueryClient();
  const [isOpen, setOpen] = useState(false);
  const { data: diff } = useQuery({
    queryKey: ['publication-diff', agentId, version],
    queryFn: ({ signal }) => read<PublicationDiff>(`/v1/agents/${agentId}/publications/${version}/diff`, { signal }),
    enabled: isOpen,
    staleTime: Infinity,
  });
  const restore = useMutation({
    mutationFn: () => write<AgentVoiceStack>('POST', `/v1/agents/${agentId}/publications/${version}/restore`),
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: ['publications', agentId] });
      void client.invalidateQueries({ queryKey: ['agent', agentId] });
      void client.invalidateQueries({ queryKey: ['agents'] });
    },
  });
  return (
    <li className="card version">
      <div>
        <b>{t('agents.version', { version })}</b>
        {current && (
          <span className="pill" data-tone="good">
            {t('history.current')}
          </span>
        )}
        <span className="soft">{languages.join(', ')}</span>
        <Ago at={at} />
        <span className="version-actions">
          <Button variant="subtle" size="xs" onClick={() => setOpen(!isOpen)} aria-expanded={isOpen}>
            {t('history.diff')}
          </Button>
          {!current && (
            <ScopedButton
              scope="agents:write"
              variant="default"
              size="xs"
              loading={restore.isPending}
              onClick={() => restore.mutate()}
            >
              {t('history.restore')}
            </ScopedButton>
          )}
        </span>
      </div>
      {restore.error !== null && (
        <Alert color="red" variant="light" role="alert">
          {restore.error.message}
        </Alert>
      )}
      {isOpen &&
        diff !== undefined &&
        (diff.changes.length === 0 ? (
          <p>{t('call.publication.same', { version: diff.against })}</p>
        ) : (
          <Changes changes={diff.changes} />
        ))}
    </li>
  );
}
