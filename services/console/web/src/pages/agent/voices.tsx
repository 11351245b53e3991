import { ActionIcon, Alert, Group, Loader, ScrollArea, Select, Text, TextInput, Tooltip } from '@mantine/core';
import { IconPlayerPlayFilled, IconPlayerStopFilled } from '@tabler/icons-react';
import type { Voice, VoicePage } from '@parley/sdk';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { read, send } from '../../api/request';
import { useCan } from '../../session/session';
import { t } from '../../text/text';

interface Props {
  readonly agentId: string;
  readonly language: string | undefined;
  /** provider, model and voice id, by line. */
  readonly voice: string;
  /** Returns what is spoken: a new text must not render every voice again. */
  readonly text: () => string;
  readonly change: (voice: string) => void;
}

const idOf = ({ provider, model, voice_id: id }: Voice): string => [provider, model, id].join('\n');

/** All voices known to the platform, each with a preview. */
export function Voices({ agentId, language, voice, text, change }: Props) {
  const [wanted, setWanted] = useState('');
  const [provider, setProvider] = useState<string | null>(null);
  const { data } = useQuery({
    queryKey: ['voices', language],
    queryFn: ({ signal }) => allVoices(language, signal),
    staleTime: 10 * 60_000,
  });
  const voices = data ?? [];
  const providers = [...new Set(voices.map((one) => one.provider))];
  const shown = voices
    .filter(
      (one) =>
        (provider === null || one.provider === provider) &&
        `${one.name} ${one.model}`.toLowerCase().includes(wanted.toLowerCase()),
    )
    .sort((a, b) => Number(idOf(b) === voice) - Number(idOf(a) === voice))
    .slice(0, 200);
  return (
    <div>
      <span className="label" id="voices-label">
        {t('agent.voice')}
      </span>
      <Group gap="xs" mb="xs">
        <TextInput
          size="xs"
          aria-label={t('agent.voice.search')}
          placeholder={t('agent.voice.search')}
          value={wanted}
          onChange={(event) => setWanted(event.currentTarget.value)}
        />
        <Select
          size="xs"
          aria-label={t('agent.provider')}
          placeholder={t('agent.provider')}
          data={providers}
          value={provider}
          onChange={setProvider}
          clearable
        />
      </Group>
      <ScrollArea.Autosize
        mah={280}
        type="auto"
        className="voices"
        viewportProps={{ tabIndex: 0, 'aria-label': t('agent.voice') }}
      >
        <div role="radiogroup" aria-labelledby="voices-label">
          {shown.map((one) => (
            <VoiceRow
              key={idOf(one)}
              agentId={agentId}
              voice={one}
              language={language}
              text={text}
              isChosen={idOf(one) === voice}
              choose={() => change(idOf(one))}
            />
          ))}
          {data !== undefined && shown.length === 0 && <Text size="sm">{t('agent.voice.none')}</Text>}
        </div>
      </ScrollArea.Autosize>
    </div>
  );
}

async function allVoices(language: string | undefined, signal: AbortSignal): Promise<Voice[]> {
  const voices: Voice[] = [];
  let cursor: string | undefined;
  do {
    const page = await read<VoicePage>('/v1/voices', { query: { language, limit: 100, cursor }, signal });
    voices.push(...page.data);
    cursor = page.next_cursor ?? undefined;
  } while (cursor !== undefined && voices.length < 1_000);
  return voices;
}

interface RowProps {
  readonly agentId: string;
  readonly voice: Voice;
  readonly language: string | undefined;
  readonly text: () => string;
  readonly isChosen: boolean;
  readonly choose: () => void;
}

function VoiceRow({ agentId, voice, language, text, isChosen, choose }: RowProps) {
  return (
    <div className="voice" data-chosen={isChosen}>
      <label>
        <input type="radio" name="voice" checked={isChosen} onChange={choose} />
        <b>{voice.name}</b>
        <span>
          {voice.provider} · {voice.model}
        </span>
        {voice.gender !== undefined && <em className="tag">{voice.gender}</em>}
        {voice.provider === 'simulator' && <em className="tag">{t('call.simulated')}</em>}
      </label>
      <Listen agentId={agentId} voice={voice} language={language} text={text} />
    </div>
  );
}

function Listen({ agentId, voice, language, text }: Omit<RowProps, 'isChosen' | 'choose'>) {
  const can = useCan()('agents:write');
  const audio = useRef<HTMLAudioElement>(undefined);
  const [state, setState] = useState<'idle' | 'loading' | 'playing'>('idle');
  const [error, setError] = useState<string>();
  const stop = (): void => {
    audio.current?.pause();
    setState('idle');
  };
  useEffect(() => () => audio.current?.pause(), []);
  const play = async (): Promise<void> => {
    setError(undefined);
    setState('loading');
    try {
      const answer = await send('POST', '/v1/voice-previews', {
        body: {
          agent_id: agentId,
          text:
            text()
              .replace(/\{\{\w+\}\}/g, '')
              .slice(0, 300) || t('agent.voice.sample'),
          voice: { provider: voice.provider, model: voice.model, voice_id: voice.voice_id },
          ...(language !== undefined && { language }),
        },
      });
      const url = URL.createObjectURL(await answer.blob());
      const player = new Audio(url);
      audio.current = player;
      player.addEventListener('ended', () => {
        URL.revokeObjectURL(url);
        setState('idle');
      });
      await player.play();
      setState('playing');
    } catch (reason) {
      setState('idle');
      setError(reason instanceof Error ? reason.message : String(reason));
    }
  };
  const label = t(state === 'playing' ? 'agent.voice.stop' : 'agent.voice.play', { name: voice.name });
  return (
    <>
      {error !== undefined && (
        <Alert color="red" variant="light" p={4}>
          {error}
        </Alert>
      )}
      <Tooltip label={can ? label : t('scope.missing', { scope: 'agents:write' })}>
        <ActionIcon
          variant="subtle"
          radius="xl"
          disabled={!can}
          aria-label={label}
          onClick={() => void (state === 'playing' ? stop() : play())}
        >
          {state === 'loading' ? (
            <Loader size={14} />
          ) : state === 'playing' ? (
            <IconPlayerStopFilled size={15} />
          ) : (
            <IconPlayerPlayFilled size={15} />
          )}
        </ActionIcon>
      </Tooltip>
    </>
  );
}
