import { chatCarrier, isLineCarrier, offlineSpeech, type ControlName, type WorkerCapabilities } from '@parley/contract';
import { streamingAdapters } from '../providers/streaming';

/** Built-in tools that concern the call itself: its core runs them. */
export const toolsHere: ReadonlySet<string> = new Set(['end_call', 'leave_voicemail']);

/** Built-in tools, and types of tools, that this worker runs. */
const tools = [...toolsHere, 'send_sms', 'query_knowledge', 'webhook', 'connection'];

/** Of workers that take lines of carriers: on others a call has no one to be handed to. */
const toolsOfLines = ['transfer_call'];

/** What can be done to calls of this worker; a line that cannot refuses. */
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

/** Names of the providers that this worker has an adapter for, by the kind of component. */
export function providersByKind(): WorkerCapabilities['providers'] {
  const having = (part: 'transcriber' | 'model' | 'synthesizer'): string[] =>
    streamingAdapters.filter((adapter) => adapter[part] !== undefined).map(({ name }) => name);
  return { stt: having('transcriber'), llm: having('model'), tts: having('synthesizer') };
}

/**
 * What this worker can do, which is all that it is given: it dials with `carriers`, and takes test calls where `browser` is one of them.
 * @param hasOfflineSpeech whether something is heard in place of the simulated transcriber and voice on lines with sound
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

const withOfflineSpeech = ({ stt, llm, tts }: WorkerCapabilities['providers']): WorkerCapabilities['providers'] => ({
  stt: [...stt, offlineSpeech],
  llm,
  tts: [...tts, offlineSpeech],
});
