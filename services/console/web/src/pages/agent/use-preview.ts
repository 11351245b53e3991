import { useDebouncedValue } from '@mantine/hooks';
import type { AgentVoiceStackUpdate, VoiceStackPreview } from '@parley/sdk';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { write } from '../../api/request';
import { useCan } from '../../session/session';

/** The effect of a save, requested while typing: nothing is written. */
export function usePreview(agentId: string, body: AgentVoiceStackUpdate, isChanged: boolean) {
  const can = useCan()('agents:write');
  const [asked] = useDebouncedValue(JSON.stringify(body), isChanged ? 40 : 0);
  return useQuery({
    queryKey: ['agent', agentId, 'preview', asked],
    queryFn: ({ signal }) =>
      write<VoiceStackPreview>('POST', `/v1/agents/${agentId}/voice-stack/preview`, {
        body: JSON.parse(asked) as unknown,
        signal,
        quiet: true,
      }),
    enabled: can,
    placeholderData: keepPreviousData,
    retry: false,
  });
}
