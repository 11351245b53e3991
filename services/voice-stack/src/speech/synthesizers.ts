import { HttpVoice } from './http-voice';
import { elevenlabs, openai, type SpeechProtocol } from './provider-voices';
import type { SpeechSynthesizer, Synthesizers } from './speech-synthesizer';

/** What an installation says of an account for previews. */
export interface SpeechAccount {
  readonly apiKey: string | undefined;
  /** In place of the provider's public address. */
  readonly baseUrl: string | undefined;
}

export type SpeechAccounts = Readonly<Record<keyof typeof protocols, SpeechAccount>>;

const protocols = { elevenlabs, openai } as const satisfies Record<string, SpeechProtocol>;

/** Below the time that agents waits for a preview. */
const timeoutMs = 15_000;
const atOnce = 8;

/** Who speaks for which provider: the offline voice, and every provider that is platform-managed and has a key. */
export function synthesizersOf(
  offline: SpeechSynthesizer,
  platformManaged: readonly string[],
  accounts: SpeechAccounts,
): Synthesizers {
  const names = Object.keys(protocols) as (keyof typeof protocols)[];
  return new Map<string, SpeechSynthesizer>([
    ['simulator', offline],
    ...names.flatMap((name): [string, SpeechSynthesizer][] => {
      const { apiKey, baseUrl } = accounts[name];
      if (apiKey === undefined || apiKey === '' || !platformManaged.includes(name)) return [];
      const options = { protocol: protocols[name], apiKey, baseUrl: baseUrl?.replace(/\/+$/, ''), timeoutMs, atOnce };
      return [[name, new HttpVoice(options)]];
    }),
  ]);
}
