import type { Customer } from '../customer';
import type { ModelServer } from './model-server';

/** Configures the customer's agent to use a server for transcription, model and voice. @param also further settings of the voice stack */
export async function useOwnServers(customer: Customer, models: ModelServer, also: object = {}): Promise<void> {
  const bindings: Record<string, string> = {};
  for (const kind of ['stt', 'llm', 'tts']) {
    const path = '/v1/component-credentials';
    const { status, body } = await customer.api.post<{ component_credential_id: string }>(path, {
      organization_id: customer.organizationId,
      kind,
      provider: 'openai_compatible',
      name: kind,
      secret: `sk-own-${kind}`,
      base_url: models.url,
    });
    expect(status).toBe(201);
    bindings[kind] = body.component_credential_id;
  }
  const saved = await customer.api.patch(`/v1/agents/${customer.agentId}/voice-stack`, {
    transcriber: { provider: 'openai_compatible', model: 'own-listen' },
    model: { provider: 'openai_compatible', model: 'own-chat' },
    voice: { provider: 'openai_compatible', model: 'own-speak', voice_id: 'anna' },
    component_credential_bindings: bindings,
    turn_taking: { silence_hold_ms: 600 },
    ...also,
  });
  expect([saved.status, saved.body]).toEqual([200, expect.anything()]);
}
