import { chatCarrier, isLineCarrier, offlineSpeech, type ControlName, type WorkerCapabilities } from '@parley/contract';
import { streamingAdapters } from '../providers/streaming';

/** Built-in tools that act on the call itself; the core runs them. */
export const toolsHere: ReadonlySet<string> = new Set(['end_call', 'leave_voicemail']);

/** Built-in tools and tool types that this worker supports. */
const tools = [...toolsHere, 'send_sms', 'query_knowledge', 'webhook', 'connection'];

/** Tools of workers with lines of carriers. Other calls cannot be transferred. */
const toolsOfLines = ['transfer_call'];

/** Commands of operators that this worker supports. A line that does not support one refuses it. */
const controls: readonly ControlName[] = [
  'say',
  'press',
  'mute',
  'recording',
  'hang_up',
  'transfer',
  'live',
  'listen',
  'chat',
];

/** Providers for which this worker has an adapter, by kind of component. */
export function providersByKind(): WorkerCapabilities['providers'] {
  const having = (part: 'transcriber' | 'model' | 'synthesizer'): string[] =>
    streamingAdapters.filter((adapter) => adapter[part] !== undefined).map(({ name }) => name);
  return { stt: having('transcriber'), llm: having('model'), tts: having('synthesizer') };
}

/**
 * The capabilities of this worker. The platform gives it only matching jobs: calls of the providers in `carriers`, and test calls if `browser` is one of them.
 * @param hasOfflineSpeech whether the simulated transcriber and voice are replaced on lines with audio
 */
export const capabilitiesOf = (carriers: readonly string[], hasOfflineSpeech: boolean): WorkerCapabilities => ({
  carriers: [...carriers],
  modes: [
    'hosted',
    'external_text',
    ...(carriers.some((name) => name !== 'simulator' && name !== chatCarrier) ? ['external_audio'] : []),
  ],
  engines: ['cascade'],
  providers: hasOfflineSpeech ? withOfflineSpeech(providersByKind()) : providersByKind(),
  tools: [...tools, ...(carriers.some(isLineCarrier) ? toolsOfLines : [])],
  controls: [...controls],
});

export const withOfflineSpeech = ({
  stt,
  llm,
  tts,
}: WorkerCapabilities['providers']): WorkerCapabilities['providers'] => ({
  stt: [...stt, offlineSpeech],
  llm,
  tts: [...tts, offlineSpeech],
});
