import { Alert, Button, Group, TextInput } from '@mantine/core';
import { IconMicrophone, IconMicrophoneOff, IconPhoneOff, IconSend } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useRef, useState, type FormEvent } from 'react';
import { ApiError } from '../../api/request';
import { ScopedButton } from '../../parts/scoped-button';
import { t, word } from '../../text/text';
import { endingOf, isMicrophoneError, useTalk } from './use-talk';

/** A conversation with an agent by microphone and loudspeaker of this browser, or typed. */
export default function Talk({ agentId }: { readonly agentId: string }) {
  const meter = useRef<HTMLMeterElement>(null);
  const { talk, isMuted, start, hangUp, say, mute } = useTalk(agentId, (peak) => {
    // 50 times a second: past React.
    if (meter.current !== null) meter.current.value = peak;
  });
  const { state, hasMicrophone, said, callId, endedReason, error } = talk;
  const isOn = state !== 'idle' && state !== 'over';
  return (
    <section className="card section talk" aria-label={t('talk.title')}>
      <h2>
        {t('talk.title')}
        {isOn && (
          <span className="pill" data-tone="live" role="status">
            {t(`talk.${state}`)}
          </span>
        )}
      </h2>
      {said.length === 0 && !isOn && <p className="soft">{t('talk.lead')}</p>}
      {said.length > 0 && (
        <ol className="bubbles talk-said" aria-live="polite" aria-label={t('call.tab.transcript')} tabIndex={0}>
          {said.map(({ id, speaker, text }) => (
            <li key={id} data-voice={speaker}>
              <small>{t(speaker === 'agent' ? 'call.agent' : 'talk.you')}</small>
              {text}
            </li>
          ))}
        </ol>
      )}
      {error !== undefined && <Refused error={error} />}
      {isOn && <Say say={say} />}
      {isOn ? (
        <Group gap="xs">
          {hasMicrophone && (
            <>
              <meter ref={meter} min={0} max={1} aria-label={t('talk.level')} />
              <Button
                size="xs"
                variant="default"
                leftSection={isMuted ? <IconMicrophone size={15} /> : <IconMicrophoneOff size={15} />}
                onClick={() => mute(!isMuted)}
              >
                {t(isMuted ? 'talk.unmute' : 'talk.mute')}
              </Button>
            </>
          )}
          <Button size="xs" color="red" variant="light" leftSection={<IconPhoneOff size={15} />} onClick={hangUp}>
            {t('live.hangUp')}
          </Button>
        </Group>
      ) : (
        <Group gap="xs">
          <ScopedButton
            scope="calls:write"
            size="xs"
            leftSection={<IconMicrophone size={15} />}
            onClick={() => void start(true)}
            autoFocus
          >
            {t('talk.start')}
          </ScopedButton>
          <ScopedButton scope="calls:write" size="xs" variant="default" onClick={() => void start(false)}>
            {t('talk.type')}
          </ScopedButton>
        </Group>
      )}
      {state === 'over' && callId !== undefined && (
        <p className="soft">
          {endingOf(endedReason)}{' '}
          <Link to="/calls/$callId" params={{ callId }}>
            {t('start.open')}
          </Link>
        </p>
      )}
    </section>
  );
}

interface Blocker {
  readonly code: string;
  readonly detail: string;
}

function Refused({ error }: { readonly error: Error }) {
  const { blockers } = error instanceof ApiError ? error.body : {};
  return (
    <Alert color="red" variant="light" role="alert">
      {isMicrophoneError(error) ? t('talk.noMicrophone') : error.message}
      {Array.isArray(blockers) && (
        <ul className="problems">
          {(blockers as Blocker[]).map(({ code, detail }) => (
            <li key={`${code} ${detail}`}>
              <b>{word('blocker', code)}</b> {detail}
            </li>
          ))}
        </ul>
      )}
    </Alert>
  );
}

/** A typed turn. */
function Say({ say }: { readonly say: (text: string) => void }) {
  const [text, setText] = useState('');
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (text.trim() === '') return;
    say(text);
    setText('');
  };
  return (
    <form onSubmit={submit} className="talk-say">
      <TextInput
        size="xs"
        aria-label={t('talk.turn')}
        placeholder={t('talk.turn')}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        maxLength={4_000}
        autoComplete="off"
        autoFocus
      />
      <Button type="submit" size="xs" variant="default" aria-label={t('talk.send')}>
        <IconSend size={15} aria-hidden="true" />
      </Button>
    </form>
  );
}
