import { ActionIcon, Group, SegmentedControl, Text } from '@mantine/core';
import { IconPlayerPauseFilled, IconPlayerPlayFilled } from '@tabler/icons-react';
import type { TranscriptTurn } from '@parley/sdk';
import { useEffect, useRef, useState } from 'react';
import WaveSurfer from 'wavesurfer.js';
import RegionsPlugin from 'wavesurfer.js/plugins/regions';
import { api } from '../../api/request';
import { nonce } from '../../nonce';
import { clockOf } from '../../parts/time';
import { t } from '../../text/text';
import { voiceOf } from './turns';

interface Props {
  readonly callId: string;
  readonly turns: readonly TranscriptTurn[];
  readonly seek: { readonly ms: number } | undefined;
  readonly moved: (ms: number) => void;
}

const speeds = ['1', '1.25', '1.5', '2'];
const colour = (name: string): string => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

/** Browsers without Ogg Opus, such as Safari before 18.4, get the platform's decoded audio. */
const playable = (): string => (new Audio().canPlayType('audio/ogg; codecs=opus') === '' ? '?format=wav' : '');

/** The recording, one waveform per side, with the turns as regions. */
export default function Waveform({ callId, turns, seek, moved }: Props) {
  const container = useRef<HTMLDivElement>(null);
  const [wave, setWave] = useState<WaveSurfer>();
  const [isPlaying, setPlaying] = useState(false);
  const [at, setAt] = useState(0);
  const [length, setLength] = useState(0);
  const [speed, setSpeed] = useState('1');

  useEffect(() => {
    if (container.current === null) return undefined;
    const made = WaveSurfer.create({
      container: container.current,
      url: `${api}/v1/calls/${callId}/recording/audio${playable()}`,
      height: 64,
      barWidth: 2,
      barGap: 1.5,
      barRadius: 2,
      cursorColor: colour('--text'),
      cspNonce: nonce,
      splitChannels: [
        { waveColor: colour('--caller'), progressColor: colour('--text-soft') },
        { waveColor: colour('--agent'), progressColor: colour('--text-soft') },
      ],
    });
    const regions = made.registerPlugin(RegionsPlugin.create());
    made.on('ready', (seconds) => {
      setLength(seconds);
      for (const turn of turns)
        regions.addRegion({
          start: turn.started_ms / 1000,
          end: turn.ended_ms / 1000,
          color: `color-mix(in srgb, ${colour(voiceOf(turn) === 'agent' ? '--agent' : '--caller')} 14%, transparent)`,
          drag: false,
          resize: false,
        });
    });
    made.on('timeupdate', (seconds) => {
      setAt(seconds);
      moved(seconds * 1000);
    });
    made.on('play', () => setPlaying(true));
    made.on('pause', () => setPlaying(false));
    setWave(made);
    return () => made.destroy();
  }, [callId, turns, moved]);

  useEffect(() => {
    if (seek !== undefined) wave?.setTime(seek.ms / 1000);
  }, [seek, wave]);

  return (
    <div className="waveform">
      <div ref={container} />
      <Group mt="sm" gap="sm">
        <ActionIcon
          size="lg"
          radius="xl"
          onClick={() => void wave?.playPause()}
          aria-label={t(isPlaying ? 'call.pause' : 'call.play')}
        >
          {isPlaying ? <IconPlayerPauseFilled size={17} /> : <IconPlayerPlayFilled size={17} />}
        </ActionIcon>
        <Text size="sm" ff="monospace">
          {clockOf(at * 1000)} / {clockOf(length * 1000)}
        </Text>
        <SegmentedControl
          size="xs"
          data={speeds.map((value) => ({ value, label: `${value}×` }))}
          value={speed}
          aria-label={t('call.speed')}
          onChange={(value) => {
            setSpeed(value);
            wave?.setPlaybackRate(Number(value));
          }}
        />
      </Group>
    </div>
  );
}
