import { refusal, type World } from './world';

/** Many notations of internal addresses: of metadata services, and private, link-local, shared and reserved ones. */
const literals = [
  '169.254.169.254',
  '10.0.0.1',
  '172.16.0.1',
  '192.168.0.1',
  '100.64.0.1',
  '168.63.129.16',
  '0',
  '0xa9fea9fe',
  '[::]',
  '[::ffff:169.254.169.254]',
  '[fd00:ec2::254]',
];

/** Findings B2 and B3: addresses to which the platform could be made to send requests, and headers of tools. */
export function addressAttacks(world: () => World): void {
  const tool = (fields: object = {}) => ({
    type: 'webhook',
    name: 'lookup',
    description: 'Looks something up.',
    parameters: { type: 'object' },
    url: 'https://tools.example/',
    method: 'POST',
    ...fields,
  });
  const agent = (fields: object) =>
    world().customer.api.post('/v1/agents', { ...world().home, mode: 'hosted', language: 'en', ...fields });
  const endpoint = (fields: object) =>
    world().customer.api.post('/v1/agent-endpoints', {
      ...world().home,
      webhook_url: 'https://hooks.example/',
      audio_stream_url: 'wss://audio.example/',
      ...fields,
    });
  const sinks = {
    'webhook of an endpoint': (host: string) => endpoint({ webhook_url: `https://${host}/` }),
    'audio stream of an endpoint': (host: string) => endpoint({ audio_stream_url: `wss://${host}/` }),
    'webhook of an agent': (host: string) => agent({ webhook_url: `https://${host}/` }),
    'audio stream of an agent': (host: string) => agent({ audio_stream_url: `wss://${host}/` }),
    'webhook tool': (host: string) => agent({ tools: [tool({ url: `https://${host}/` })] }),
  };

  it.each(Object.entries(sinks))('B2: the %s takes no literal of an inner address', async (_what, save) => {
    const answers = await Promise.all(literals.map(async (host) => [host, ...refusal(await save(host))]));
    expect(answers).toEqual(literals.map((host) => [host, 400, 'BadRequestError']));
  });

  it.each([
    ['Host', { headers: { Host: 'inside' } }],
    ['Content-Length', { headers: { 'Content-Length': '0' } }],
    ['Transfer-Encoding', { headers: { 'Transfer-Encoding': 'chunked' } }],
    ['webhook-signature', { headers: { 'webhook-signature': 'v1,forged' } }],
    ['a line break', { headers: { 'x-a': 'b\r\nHost: inside' } }],
    ['parameters that are no object', { parameters: { type: 'string' } }],
    ['properties that are no schemas', { parameters: { type: 'object', properties: 5 } }],
  ])('B2: a tool with %s is refused', async (_what, fields) => {
    expect(refusal(await agent({ tools: [tool(fields)] }))).toEqual([400, 'BadRequestError']);
  });

  it('B3: no read shows header values of tools, and writing a masked value restores nothing', async () => {
    const canary = 'Bearer tool-header-canary-3';
    world().canaries.set('tool header of B3', 'tool-header-canary-3');
    const made = await agent({ tools: [tool({ headers: { authorization: canary } })] });
    expect(made.status).toBe(201);
    const { api } = await world().holding(['agents:read']);
    const path = `/v1/agents/${String(made.body.agent_id)}`;
    const read = await api.get<{ tools: { headers: Record<string, string> }[] }>(path);
    expect(read.body.tools[0]?.headers).toEqual({ authorization: '***' });
    expect(JSON.stringify((await api.get('/v1/agents?limit=100')).body)).not.toContain('canary-3');
    // The mask for a header without a stored value would be stored as the value `***`.
    const masked = { tools: [tool({ name: 'another', headers: { 'x-never': '***' } })] };
    expect(refusal(await world().customer.api.patch(path, masked))).toEqual([400, 'BadRequestError']);
  });

  it('a stored header of a tool is not sent to another server than the one for which it was entered', async () => {
    const headers = { authorization: 'Bearer kept-for-its-server' };
    const made = await agent({ tools: [tool({ headers })] });
    const path = `/v1/agents/${String(made.body.agent_id)}`;
    const moved = { tools: [tool({ url: 'https://evil.example/', headers: { authorization: '***' } })] };
    for (const where of [path, `${path}/voice-stack`])
      expect(refusal(await world().customer.api.patch(where, moved))).toEqual([400, 'BadRequestError']);
  });
}
