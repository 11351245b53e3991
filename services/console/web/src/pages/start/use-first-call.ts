import type { AgentView, AgentVoiceStack, CallRecord, NumberRecord, NumberRecordPage } from '@parley/sdk';
import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { ApiError, once, read, write } from '../../api/request';
import { useMe } from '../../session/session';
import { t } from '../../text/text';
import { simulator } from '../place-call/simulator';

export type Step = 'agent' | 'publish' | 'number' | 'call' | 'talk';

interface State {
  readonly step?: Step;
  readonly error?: string;
  readonly agentId?: string;
  readonly callId?: string;
  readonly isDone?: boolean;
  readonly seconds?: string;
}

type Wanted = { readonly name: string; readonly prompt: string; readonly first: string } | { readonly agentId: string };

const over = new Set(['completed', 'failed', 'canceled', 'policy_blocked', 'needs_review']);
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** From an empty project to a finished simulator call; existing records are reused. */
export function useFirstCall() {
  const me = useMe();
  const client = useQueryClient();
  const [state, setState] = useState<State>({});
  const key = useRef(once());

  const run = async (wanted: Wanted): Promise<void> => {
    const begin = performance.now();
    const organization = { organization_id: me.organization?.organization_id, project_id: me.projects[0]?.project_id };
    let now: State = {};
    const become = (next: State): void => {
      now = { ...now, ...next };
      setState(now);
    };
    try {
      let agentId: string;
      let project = organization.project_id;
      if ('agentId' in wanted) {
        agentId = wanted.agentId;
        become({ step: 'number', agentId });
        project = (await read<AgentView>(`/v1/agents/${agentId}`)).project_id;
      } else {
        become({ step: 'agent' });
        const { name, prompt, first } = wanted;
        const agent = await write<AgentView>('POST', '/v1/agents', {
          body: { ...organization, mode: 'hosted', name, system_prompt: prompt },
          headers: key.current,
        });
        agentId = agent.agent_id;
        become({ step: 'publish', agentId });
        await write<AgentVoiceStack>('PATCH', `/v1/agents/${agentId}/voice-stack`, {
          body: { languages: ['en'], first_message: first, opening: { first_speaker: 'agent' } },
        });
      }
      become({ step: 'number' });
      const from = await simulatorNumber(organization.organization_id, project);
      become({ step: 'call' });
      const call = await write<CallRecord>('POST', '/v1/calls', {
        body: { agent_id: agentId, to: simulator(6), from },
        headers: once(),
      });
      key.current = once();
      become({ step: 'talk', callId: call.call_id });
      for (;;) {
        const current = await read<CallRecord>(`/v1/calls/${call.call_id}`, { quiet: true });
        client.setQueryData(['call', call.call_id], current);
        if (over.has(current.status)) break;
        await pause(400);
      }
      become({ isDone: true, seconds: ((performance.now() - begin) / 1000).toFixed(1) });
    } catch (error) {
      become({ error: error instanceof Error ? error.message : String(error) });
    }
    for (const name of ['agents', 'calls', 'numbers']) void client.invalidateQueries({ queryKey: [name] });
  };

  return { state, run };
}

/** One of the project's own, otherwise the first that no other organization has. */
async function simulatorNumber(organizationId: string | undefined, projectId: string | undefined): Promise<string> {
  const { data } = await read<NumberRecordPage>('/v1/numbers', { query: { project_id: projectId, limit: 100 } });
  const own = data.find(({ provider }) => provider === 'simulator');
  if (own !== undefined) return own.phone_number;
  for (let n = 0; n < 90; n += 1) {
    try {
      const claimed = await write<NumberRecord>('POST', '/v1/numbers', {
        body: {
          organization_id: organizationId,
          project_id: projectId,
          phone_number: `+150055502${String(10 + Math.floor(Math.random() * 90))}`,
          provider: 'simulator',
        },
      });
      return claimed.phone_number;
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 409) throw error;
    }
  }
  throw new Error(t('start.noNumber'));
}
