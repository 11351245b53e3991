import { newId } from '@parley/runtime';
import { AgentsPlatform, type Customer, type Json } from './agents-platform';

const slow = { provider: 'openai', model: 'gpt-4o-transcribe' };

describe('effects of single settings', () => {
  let platform: AgentsPlatform;
  let customer: Customer;

  beforeAll(async () => {
    platform = await AgentsPlatform.start();
    customer = platform.customer();
  });
  afterAll(() => platform?.stop());

  /** An agent whose transcriber reports words late. */
  const slowAgent = async (): Promise<string> => {
    const credentialId = newId('cred');
    const { organizationId } = customer;
    platform.credentials.push({ organizationId, credentialId, kind: 'stt', provider: 'openai' });
    const agentId = await customer.agent();
    await customer.save(agentId, { transcriber: slow, component_credential_bindings: { stt: credentialId } });
    return agentId;
  };
  const warned = ({ body }: { body: Json }): string[] =>
    (body.warnings as string[]).map((warning) => String(warning.split(':')[0]));

  it.each<[Json, string[]]>([
    [{ min_interruption_words: 1 }, ['slow_words']],
    [{ min_interruption_words: 5 }, ['slow_words']],
    [{ min_interruption_words: 0 }, []],
    [{ max_call_seconds: 600 }, []],
  ])('slow_words is a warning only if interruptions require words: turn_taking %j', async (turnTaking, expected) => {
    const agentId = await slowAgent();
    expect(warned(await customer.stack(agentId))).not.toContain('slow_words');
    const saved = await customer.save(agentId, { turn_taking: turnTaking });
    for (const answer of [saved, await customer.stack(agentId)]) {
      expect(warned(answer).filter((code) => code === 'slow_words')).toEqual(expected);
    }
    const { voice_stack: body } = await customer.preview(agentId, {});
    expect(warned({ body })).toEqual(warned(saved));
    await customer.save(agentId, { turn_taking: {} });
    expect(warned(await customer.stack(agentId))).not.toContain('slow_words');
  });

  it('voicemail messages are kept if the mode changes, and removed by null or an empty object', async () => {
    const texts = { en: 'Call us.', de: 'Rufen Sie an.' };
    for (const none of [null, {}]) {
      const agentId = await customer.agent();
      await customer.save(agentId, { answer_detection: { voicemail: 'leave_message', voicemail_messages: texts } });
      await customer.save(agentId, { answer_detection: { voicemail: 'hang_up' } });
      expect((await customer.stack(agentId)).body.answer_detection).toEqual({
        voicemail: 'hang_up',
        voicemail_messages: texts,
      });
      await customer.save(agentId, { answer_detection: { voicemail: 'hang_up', voicemail_messages: none } });
      expect((await customer.stack(agentId)).body.answer_detection).toEqual({ voicemail: 'hang_up' });
    }
  });

  it('another project of the organization returns 403, and nothing is stored', async () => {
    const agentId = await customer.agent({ name: 'a' });
    const { etag } = await customer.get(agentId);
    for (const pending of [
      customer.update(agentId, { project_id: newId('prj'), name: 'b' }),
      customer.save(agentId, { project_id: newId('prj'), system_prompt: 'b' }),
    ])
      await expect(pending).rejects.toMatchObject({ status: 403, code: 'ForbiddenError' });
    expect((await customer.get(agentId)).etag).toBe(etag);
  });

  it.each<[string, 'create' | 'save', Json, string, string]>([
    ['a status at creation', 'create', { status: 'inactive' }, 'status', 'wrong_route'],
    ['metadata.follow_caller null', 'create', { metadata: { follow_caller: null } }, 'metadata.follow_caller', 'type'],
    [
      'a voice_id of a transcriber',
      'save',
      { transcriber: { ...slow, voice_id: 'x' } },
      'transcriber.voice_id',
      'unknown_field',
    ],
    [
      'a blank acknowledgement',
      'save',
      { voice_polish: { acknowledgements: { enabled: true, phrases: ['  '] } } },
      'voice_polish.acknowledgements.phrases[0]',
      'too_short',
    ],
    [
      'a number as a string',
      'save',
      { opening: { silence_wait_seconds: '2' } },
      'opening.silence_wait_seconds',
      'type',
    ],
    ['an empty list of languages', 'save', { languages: [] }, 'languages', 'too_short'],
  ])('an invalid value returns 400 with path and code: %s', async (_, route, body, path, code) => {
    const asked = route === 'create' ? customer.create(body) : customer.save(await customer.agent(), body);
    await expect(asked).rejects.toMatchObject({
      status: 400,
      code: 'BadRequestError',
      fields: { errors: [expect.objectContaining({ path, code })] },
    });
  });

  it('sending back the status of a suspended agent returns 400 with the path of the field', async () => {
    const agentId = await customer.agent();
    await platform.rows(`update agents set status = 'suspended' where agent_id = $1`, [agentId]);
    await expect(customer.update(agentId, { status: 'suspended' })).rejects.toMatchObject({
      status: 400,
      fields: { errors: [expect.objectContaining({ path: 'status', code: 'not_allowed' })] },
    });
  });

  it('a publication that fails returns every blocker', async () => {
    const agentId = await customer.agent();
    await expect(customer.save(agentId, { languages: ['xx', 'yy'] })).rejects.toMatchObject({
      status: 400,
      fields: {
        reason: 'language_not_supported',
        language: 'xx',
        blockers: expect.arrayContaining([
          expect.objectContaining({ scope: 'language:xx' }),
          expect.objectContaining({ scope: 'language:yy' }),
        ]),
      },
    });
  });
});
