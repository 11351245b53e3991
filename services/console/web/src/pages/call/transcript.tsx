import { Collapse, HoverCard, Skeleton } from '@mantine/core';
import { IconMessageOff, IconTool } from '@tabler/icons-react';
import type { CallRecord, TranscriptToolCall, TranscriptTurn, TurnLatency } from '@parley/sdk';
import { memo, useEffect, useRef, useState, type Ref } from 'react';
import { isGoingOn } from '../../api/reads';
import { Notice } from '../../parts/notice';
import { clockOf } from '../../parts/time';
import { useCan } from '../../session/session';
import { t } from '../../text/text';
import { turnAt, voiceOf } from './turns';

interface Props {
  readonly call: CallRecord;
  readonly turns: readonly TranscriptTurn[];
  /** What the other party is saying now. */
  readonly partial: string;
  readonly at: number;
  readonly jump: (ms: number) => void;
}

/** Follows the recording, or the call while it is going on: the current turn is kept in view. */
export function Transcript({ call, turns, partial, at, jump }: Props) {
  const can = useCan()('recordings:read');
  const isLive = isGoingOn(call);
  const current = isLive ? turns.length - 1 : at === 0 ? -1 : turnAt(turns, at);
  const active = useRef<HTMLLIElement>(null);
  useEffect(() => {
    // Newer browsers return a promise, which must not be used as a clean-up function.
    void active.current?.scrollIntoView({ block: 'nearest', behavior: 'smooth' });
  }, [current]);
  if (!can)
    return (
      <Notice
        Icon={IconMessageOff}
        title={t('call.tab.transcript')}
        lead={t('scope.missing', { scope: 'recordings:read' })}
      />
    );
  if (turns.length === 0 && partial === '')
    return isLive ? (
      <Skeleton height={120} />
    ) : (
      <Notice Icon={IconMessageOff} title={t('call.noTurns')} lead={t('call.noTurnsLead')} />
    );
  return (
    <ol className="transcript" aria-live={isLive ? 'polite' : undefined}>
      {turns.map((turn, n) => (
        <Turn key={n} ref={n === current ? active : null} turn={turn} isCurrent={n === current} jump={jump} />
      ))}
      {partial !== '' && (
        <li className="turn" data-voice="caller">
          <span className="turn-time">…</span>
          <div className="turn-body">
            <span className="turn-who">{t('call.other')}</span>
            <p className="soft">{partial}</p>
          </div>
        </li>
      )}
    </ol>
  );
}

interface TurnProps {
  readonly ref: Ref<HTMLLIElement>;
  readonly turn: TranscriptTurn;
  readonly isCurrent: boolean;
  readonly jump: (ms: number) => void;
}

/** While the recording plays, the page is rendered many times a second; of the turns only the one that begins and the one that ended are. */
const Turn = memo(function Turn({ ref, turn, isCurrent, jump }: TurnProps) {
  return (
    <li ref={ref} className="turn" data-voice={voiceOf(turn)} data-current={isCurrent}>
      <button type="button" className="turn-time" onClick={() => jump(turn.started_ms)}>
        {clockOf(turn.started_ms)}
      </button>
      <div className="turn-body">
        <span className="turn-who">
          {t(voiceOf(turn) === 'agent' ? 'call.agent' : 'call.other')}
          {turn.interrupted === true && <em className="tag">{t('call.interrupted')}</em>}
          {turn.latency?.total_ms !== undefined && <Latency latency={turn.latency} total={turn.latency.total_ms} />}
        </span>
        {turn.text !== '' && <p>{turn.text}</p>}
        {turn.digits !== undefined && <p className="digits">{t('call.digits', { digits: turn.digits })}</p>}
        {turn.tool_calls?.map((tool) => (
          <Tool key={tool.tool_call_id} tool={tool} />
        ))}
      </div>
    </li>
  );
});

const parts = ['end_of_turn_hold_ms', 'transcript_ms', 'model_first_ms', 'speech_first_ms', 'total_ms'] as const;

function Latency({ latency, total }: { readonly latency: TurnLatency; readonly total: number }) {
  const tone = total < 900 ? 'good' : total < 1_600 ? 'wait' : 'bad';
  return (
    <HoverCard width={300} shadow="md" openDelay={120}>
      <HoverCard.Target>
        <button type="button" className="latency" data-tone={tone}>
          {total} ms
        </button>
      </HoverCard.Target>
      <HoverCard.Dropdown>
        <dl className="latency-parts">
          {parts.map((part) => {
            const ms = latency[part];
            if (ms === undefined) return null;
            return (
              <div key={part}>
                <dt>{t(`call.latency.${part}`)}</dt>
                <dd>{ms} ms</dd>
                <i style={{ width: `${Math.min(100, (100 * ms) / Math.max(total, 1))}%` }} />
              </div>
            );
          })}
        </dl>
      </HoverCard.Dropdown>
    </HoverCard>
  );
}

function Tool({ tool }: { readonly tool: TranscriptToolCall }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <div
      className="tool"
      data-outcome={tool.outcome === 'succeeded' || tool.outcome === 'transferred' ? 'good' : 'bad'}
    >
      <button type="button" onClick={() => setOpen(!isOpen)} aria-expanded={isOpen}>
        <IconTool size={15} aria-hidden="true" />
        <b>{tool.name}</b>
        <span>{tool.outcome.replaceAll('_', ' ')}</span>
        <span>{tool.duration_ms} ms</span>
      </button>
      <Collapse expanded={isOpen}>
        <h3>{t('call.tool.arguments')}</h3>
        <pre tabIndex={0}>{pretty(tool.arguments)}</pre>
        <h3>{t('call.tool.result')}</h3>
        <pre tabIndex={0}>{pretty(tool.result)}</pre>
      </Collapse>
    </div>
  );
}

/** A model's output need not be JSON. */
function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
