import { Customer } from '../customer';
import { Platform } from '../platform';
import { ModelServer } from '../spoken/model-server';
import { until } from '../until';

interface Session {
  readonly chat_session_id: string;
  readonly ended_reason: string | null;
  readonly turns?: readonly { readonly text: string }[];
}

describe('chats', () => {
  let platform: Platform;
  let customer: Customer;
  let models: ModelServer;

  beforeAll(async () => {
    platform = await Platform.start();
    customer = await Customer.create(platform);
    models = await ModelServer.start((said) => `You wrote ${said.length} characters.`);
    const credential = await customer.api.post('/v1/component-credentials', {
      ...{ organization_id: customer.organizationId, kind: 'llm', provider: 'openai_compatible', name: 'own' },
      ...{ secret: 'sk-own', base_url: models.url },
    });
    const saved = await customer.api.patch(`/v1/agents/${customer.agentId}/voice-stack`, {
      first_message: 'Hello {{name}}.',
      model: { provider: 'openai_compatible', model: 'own-chat' },
      component_credential_bindings: { llm: credential.body.component_credential_id },
    });
    expect([saved.status, saved.body]).toEqual([200, expect.anything()]);
  });

  afterAll(async () => {
    await customer?.close();
    await models?.stop();
    await platform?.stop();
  });

  const begin = (): Promise<Session> =>
    until('a chat is taken', async () => {
      const path = `/v1/agents/${customer.agentId}/chat-sessions`;
      const { status, body } = await customer.api.post<Session>(path, { variables: { name: 'Mrs. Smith' } });
      // A new engine may not have declared its capabilities yet; then the request is repeated.
      return status === 201 ? body : undefined;
    });

  it('end as worker_lost when their engine is killed, with the turns until then', async () => {
    const session = await begin();
    const route = `/v1/chat-sessions/${session.chat_session_id}`;
    expect((await customer.api.post(`${route}/turns`, { text: 'Hi' })).status).toBe(201);
    await platform.kill('engine');
    const record = await until('the chat has ended', async () => {
      const { body } = await customer.api.get<Session>(route);
      return body.ended_reason !== null && body;
    });
    expect(record.ended_reason).toBe('worker_lost');
    expect(record.turns?.map(({ text }) => text)).toEqual(
      expect.arrayContaining(['Hello Mrs. Smith.', 'Hi', 'You wrote 2 characters.']),
    );
    const again = await begin();
    expect(again.chat_session_id).not.toBe(session.chat_session_id);
  });
});
