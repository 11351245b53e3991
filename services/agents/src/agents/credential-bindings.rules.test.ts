import { checkCredentials, neededCredentials } from './credential-bindings.rules';
import type { AgentDocument } from './agent-document.rules';

type Sent = Parameters<typeof neededCredentials>[1];

const defaults = { transcriber: 'deepgram', model: 'openai', voice: 'cartesia' };
const deepgram = { provider: 'deepgram', model: 'nova-3' };
const assemblyai = { provider: 'assemblyai', model: 'universal' };
const elevenlabs = { provider: 'elevenlabs', model: 'eleven_flash_v2_5', voice_id: 'v' };
const stored = (change: Partial<AgentDocument>): AgentDocument => ({
  mode: 'hosted',
  voice_frontend: 'cascade',
  languages: ['en'],
  language_profiles: [],
  tools: [],
  recording_enabled: false,
  component_credential_bindings: {},
  metadata: {},
  ...change,
});
const bound = stored({ transcriber: deepgram, component_credential_bindings: { stt: 'cred_1' } });

describe('credentials that a change of an agent is checked for', () => {
  it.each<[string, AgentDocument, Sent, [string, string, string][]]>([
    ['nothing bound, nothing sent', stored({}), { transcriber: assemblyai }, []],
    [
      'a first binding, of a stored selection',
      stored({ voice: elevenlabs }),
      bindings('tts', 'cred_1'),
      [['tts', 'cred_1', 'elevenlabs']],
    ],
    ['a first binding, without a selection', stored({}), bindings('llm', 'cred_1'), [['llm', 'cred_1', 'openai']]],
    [
      'a binding with the selection in the same change',
      stored({}),
      { voice: elevenlabs, ...bindings('tts', 'cred_1') },
      [['tts', 'cred_1', 'elevenlabs']],
    ],
    ['another binding', bound, bindings('stt', 'cred_2'), [['stt', 'cred_2', 'deepgram']]],
    ['the same binding', bound, bindings('stt', 'cred_1'), []],
    ['a change of others', bound, { voice: elevenlabs }, []],
    ['another model of the same provider', bound, { transcriber: { ...deepgram, model: 'nova-2' } }, []],
    [
      'another provider under a bound credential',
      bound,
      { transcriber: assemblyai },
      [['stt', 'cred_1', 'assemblyai']],
    ],
    [
      'another provider with the same binding',
      bound,
      { transcriber: assemblyai, ...bindings('stt', 'cred_1') },
      [['stt', 'cred_1', 'assemblyai']],
    ],
    ['the default provider, which is the bound one', bound, { transcriber: null }, []],
    [
      'the default provider, which is another',
      stored({ voice: elevenlabs, component_credential_bindings: { tts: 'cred_1' } }),
      { voice: null },
      [['tts', 'cred_1', 'cartesia']],
    ],
    ['another provider without the credential', bound, { transcriber: assemblyai, ...bindings('stt', null) }, []],
  ])('%s', (_change, before, sent, needed) => {
    expect(neededCredentials(before, sent, defaults).map((one) => [one.kind, one.credentialId, one.provider])).toEqual(
      needed,
    );
  });

  it.each<[string, object[], number | undefined]>([
    ['of its kind and provider', [{ credentialId: 'cred_1', kind: 'stt', provider: 'deepgram' }], undefined],
    ['of another kind', [{ credentialId: 'cred_1', kind: 'llm', provider: 'deepgram' }], 400],
    ['of another provider', [{ credentialId: 'cred_1', kind: 'stt', provider: 'assemblyai' }], 400],
    ['that the organization does not have', [{ credentialId: 'cred_2', kind: 'stt', provider: 'deepgram' }], 400],
  ])('a credential %s: %s', (_which, known, status) => {
    const check = () =>
      checkCredentials([{ kind: 'stt', credentialId: 'cred_1', provider: 'deepgram' }], known as never);
    if (status === undefined) expect(check).not.toThrow();
    else expect(check).toThrow(expect.objectContaining({ status, code: 'BadRequestError' }));
  });
});

function bindings(kind: string, credentialId: string | null): Sent {
  return { component_credential_bindings: { [kind]: credentialId } };
}
