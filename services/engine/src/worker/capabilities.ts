import type { WorkerCapabilities } from '@parley/contract';
import { streamingAdapters } from '../providers/streaming';

/** Built-in tools that concern the call itself: its core runs them. */
export const toolsHere: ReadonlySet<string> = new Set(['end_call', 'leave_voicemail']);

/** Built-in tools, and types of tools, that this worker runs. */
const tools = [...toolsHere, 'send_sms', 'webhook', 'connection'];

/** Names of the providers that this worker has an adapter for, by the kind of component. */
export function providersByKind(): WorkerCapabilities['providers'] {
  const having = (part: 'transcriber' | 'model' | 'synthesizer'): string[] =>
    streamingAdapters.filter((adapter) => adapter[part] !== undefined).map(({ name }) => name);
  return { stt: having('transcriber'), llm: having('model'), tts: having('synthesizer') };
}

/** What this worker can do, which is all that it is given: it dials with `carriers`, and takes test calls where `browser` is one of them. */
export const capabilitiesOf = (carriers: readonly string[]): WorkerCapabilities => ({
  carriers: [...carriers],
  modes: ['hosted', 'external_text', ...(carriers.some((name) => name !== 'simulator') ? ['external_audio'] : [])],
  engines: ['cascade'],
  providers: providersByKind(),
  tools,
});
