import type { AgentVoiceStackUpdate, VoiceStackPreview } from '@parley/sdk';
import { keepPreviousData, useQuery, type UseQueryResult } from '@tanstack/react-query';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { write } from '../../api/request';
import { useCan } from '../../session/session';

/** Joins keys that arrive at once, such as those of a held key. The platform answers sooner than a second key is typed. */
const pauseMs = 15;

/** The settings whose effect is shown: those of the draft, shortly after the last change. */
export class PreviewedSettings {
  readonly agentId: string;
  private body: string;
  private readonly listeners = new Set<() => void>();

  constructor(agentId: string, body: string) {
    this.agentId = agentId;
    this.body = body;
  }

  readonly get = (): string => this.body;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  become(body: string): void {
    if (body === this.body) return;
    this.body = body;
    for (const listener of this.listeners) listener();
  }
}

/** Not a state of the editor: a preview renders the parts that show it, and not the fields. */
export function usePreviewedSettings(
  agentId: string,
  body: AgentVoiceStackUpdate,
  isChanged: boolean,
): PreviewedSettings {
  const text = JSON.stringify(body);
  const [settings] = useState(() => new PreviewedSettings(agentId, text));
  useEffect(() => {
    const timer = setTimeout(() => settings.become(text), isChanged ? pauseMs : 0);
    return () => clearTimeout(timer);
  }, [settings, text, isChanged]);
  return settings;
}

/** The effect of a save, requested while typing: nothing is written. */
export function usePreview(settings: PreviewedSettings): UseQueryResult<VoiceStackPreview> {
  const can = useCan()('agents:write');
  const { agentId } = settings;
  const body = useSyncExternalStore(settings.subscribe, settings.get);
  return useQuery({
    queryKey: ['agent', agentId, 'preview', body],
    queryFn: ({ signal }) =>
      write<VoiceStackPreview>('POST', `/v1/agents/${agentId}/voice-stack/preview`, {
        body: JSON.parse(body) as unknown,
        signal,
        quiet: true,
      }),
    enabled: can,
    placeholderData: keepPreviousData,
    retry: false,
  });
}
