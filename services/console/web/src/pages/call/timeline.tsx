import { lazy, Suspense } from 'react';
import { Skeleton, Text, Tooltip } from '@mantine/core';
import type { CallRecord, RecordingRecord, TranscriptTurn } from '@parley/sdk';
import { useQuery } from '@tanstack/react-query';
import { isGoingOn } from '../../api/reads';
import { ApiError, read } from '../../api/request';
import { clockOf } from '../../parts/time';
import { useCan } from '../../session/session';
import { t } from '../../text/text';
import { endOf, voiceOf } from './turns';

const Waveform = lazy(() => import('./waveform'));

interface Props {
  readonly call: CallRecord;
  readonly turns: readonly TranscriptTurn[];
  readonly seek: { readonly ms: number } | undefined;
  readonly moved: (ms: number) => void;
  readonly jump: (ms: number) => void;
}

/** Who spoke when: on the recording if there is one, otherwise as blocks on two lanes. */
export function Timeline({ call, turns, seek, moved, jump }: Props) {
  const can = useCan()('recordings:read');
  const { data: recording } = useQuery({
    queryKey: ['call', call.call_id, 'recording'],
    queryFn: async ({ signal }): Promise<RecordingRecord | null> => {
      try {
        return await read<RecordingRecord>(`/v1/calls/${call.call_id}/recording`, { signal });
      } catch (error) {
        if (error instanceof ApiError && error.status === 404) return null;
        throw error;
      }
    },
    enabled: can && call.recording_enabled && call.answered_at !== null && call.completed_at !== null,
  });
  const hasSound = recording !== undefined && recording !== null && !recording.simulated;
  return (
    <section className="card timeline" aria-label={t('call.timeline')}>
      <header>
        <h2>{t('call.timeline')}</h2>
        <span className="legend" data-voice="agent">
          {t('call.agent')}
        </span>
        <span className="legend" data-voice="caller">
          {t('call.other')}
        </span>
      </header>
      {hasSound ? (
        <Suspense fallback={<Skeleton height={190} />}>
          <Waveform callId={call.call_id} turns={turns} seek={seek} moved={moved} />
        </Suspense>
      ) : (
        <Lanes turns={turns} jump={jump} isGoingOn={isGoingOn(call)} />
      )}
      {!hasSound && turns.length > 0 && (
        <Text size="xs" c="dimmed" mt="xs">
          {t(call.simulated ? 'call.noSoundSimulated' : 'call.noSound')}
        </Text>
      )}
    </section>
  );
}

function Lanes({
  turns,
  jump,
  isGoingOn,
}: {
  readonly turns: readonly TranscriptTurn[];
  readonly jump: (ms: number) => void;
  readonly isGoingOn: boolean;
}) {
  const end = endOf(turns);
  if (end === 0)
    return (
      <Text size="sm" c="dimmed" py="lg" ta="center">
        {isGoingOn ? t('call.timelineEmpty') : `${t('call.noTurns')}. ${t('call.noTurnsLead')}`}
      </Text>
    );
  const share = (ms: number): string => `${(100 * ms) / end}%`;
  const ticks = Array.from({ length: 6 }, (_, n) => (end * n) / 5);
  return (
    <div className="lanes">
      {(['agent', 'caller'] as const).map((voice) => (
        <div key={voice} className="lane" data-voice={voice}>
          {turns.map((turn, n) =>
            voiceOf(turn) !== voice ? null : (
              <Tooltip key={n} label={turn.text.slice(0, 120)} multiline maw={320}>
                <button
                  type="button"
                  className="lane-turn"
                  data-interrupted={turn.interrupted}
                  style={{ left: share(turn.started_ms), width: share(turn.ended_ms - turn.started_ms) }}
                  onClick={() => jump(turn.started_ms)}
                  aria-label={`${t(`call.${voice === 'agent' ? 'agent' : 'other'}`)}, ${clockOf(turn.started_ms)}: ${turn.text.slice(0, 80)}`}
                />
              </Tooltip>
            ),
          )}
          {voice === 'agent' &&
            turns.flatMap(({ tool_calls: tools = [], started_ms: start }, n) =>
              tools.map(({ name, tool_call_id: id }) => (
                <Tooltip key={`${n}-${id}`} label={`${t('call.tool')}: ${name}`}>
                  <i className="lane-tool" style={{ left: share(start) }} />
                </Tooltip>
              )),
            )}
        </div>
      ))}
      <div className="lane-ticks" aria-hidden="true">
        {ticks.map((ms) => (
          <span key={ms}>{clockOf(ms)}</span>
        ))}
      </div>
    </div>
  );
}
