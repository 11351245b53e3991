import { createHmac } from 'node:crypto';
import net from 'node:net';
import { refusal, type World } from './world';

const errorPaths = (body: { readonly errors?: unknown }): unknown[] =>
  (body.errors as readonly { readonly path: string }[]).map(({ path }) => path);

/** Findings B9 and B10, the carriers of B6, and the campaigns of C: numbers that belong to others, and webhooks without a valid signature. */
export function numberAttacks(world: () => World): void {
  const carrierPath = '/v1/carriers/twilio/messages';
  const carrier = (headers: Record<string, string>, form: Record<string, string>) =>
    fetch(world().platform.baseUrls[0] + carrierPath, { method: 'POST', headers, body: new URLSearchParams(form) });

  it('B9: a number that another organization claimed answers as a free one does', async () => {
    const { customer, stranger } = world();
    // Separate projects, because calls of the existing ones are placed from the only number of their project.
    const claim = async ({ api, organizationId: organization_id }: typeof customer, phone_number: string) => {
      const { project_id } = await world().project('Numbers', organization_id);
      return api.post('/v1/numbers', { organization_id, project_id, phone_number, provider: 'simulator' });
    };
    expect((await claim(customer, '+14153000010')).status).toBe(201);
    const [taken, free] = [await claim(stranger, '+14153000010'), await claim(stranger, '+14153000011')];
    const shape = ({ status, body: answer }: typeof taken) => [status, Object.keys(answer).sort(), answer.verified_at];
    expect(shape(taken)).toEqual(shape(free));
  });

  it('B9: one organization releases no number of another, and its own can be claimed again', async () => {
    const { customer, stranger } = world();
    const { body } = await customer.api.get<{ data: { number_id: string; phone_number: string }[] }>(
      '/v1/numbers?limit=100',
    );
    const victim = body.data.find(({ phone_number }) => phone_number === '+14153000010');
    const path = `/v1/numbers/${victim?.number_id ?? ''}`;
    expect(refusal(await stranger.api.delete(path))).toEqual([404, 'NotFoundError']);
    expect((await customer.api.delete(path)).status).toBeLessThan(300);
  });

  it('B10: a webhook that is signed for another host is refused, whatever Host it names', async () => {
    const auth_token = 'token-of-an-attacked-account';
    world().canaries.set('carrier token of B10', auth_token);
    const account = {
      organization_id: world().customer.organizationId,
      provider: 'twilio',
      account_sid: 'ACattack',
      auth_token,
    };
    expect((await world().customer.api.post('/v1/carrier-credentials', account)).status).toBe(201);
    const form = { AccountSid: 'ACattack', MessageSid: 'SM1', From: '+14155550111', To: '+14155550112', Body: 'hello' };
    const signed = (origin: string): string =>
      createHmac('sha1', auth_token)
        .update(`${origin}${carrierPath}${Object.entries(form).sort().flat().join('')}`)
        .digest('base64');
    const body = new URLSearchParams(form).toString();
    const head = `POST ${carrierPath} HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: ${body.length}\r\n`;
    const answer = await world().raw(`${head}X-Twilio-Signature: ${signed('http://evil.example')}\r\n\r\n${body}`);
    expect(answer).toMatch(/^HTTP\/1\.1 401 /);
    // The account is known and the form is valid: only the signed address was wrong.
    const right = await carrier({ 'x-twilio-signature': signed(world().platform.baseUrls[0] ?? '') }, form);
    expect([401, 403]).not.toContain(right.status);
  });

  it.each([
    '+1911',
    '+19005550123',
    '+44118118',
    '+8816123456',
    'sip:911@trunk.example.com',
    'sip:+19005550123@trunk.example.com',
    'sip:19005550123;phone-context=+1@trunk.example.com',
    'sip:%252B1-900-555-0123@trunk.example.com;user=phone',
    'sip:*67911@trunk.example.com',
    'sip:1900555123400000@trunk.example.com',
    'sip:10102889005551234@trunk.example.com',
    'sip:1010288911@trunk.example.com',
    'sip:01013110@trunk.example.com',
    'sip:10500803123456@trunk.example.com',
    'sip:0000000@trunk.example.com',
    'sip:sos@trunk.example.com',
    'sip:e911@trunk.example.com',
    'sip:urn%3Aservice%3Asos@trunk.example.com',
  ])('V3, V8: no agent and no workflow can be saved that transfers to %s', async (to) => {
    const { api, agentId } = world().customer;
    const config = { destinations: [{ name: 'Desk', to, kind: 'cold' }] };
    const saved = await api.patch(`/v1/agents/${agentId}`, {
      tools: [{ type: 'builtin', name: 'transfer_call', config }],
    });
    expect([refusal(saved), errorPaths(saved.body)]).toEqual([
      [400, 'BadRequestError'],
      ['tools[0].config.destinations[0].to'],
    ]);
    const draft = { nodes: [{ id: 'a', type: 'transfer', to }], edges: [] };
    const begun = await api.post(`/v1/agents/${agentId}/workflow/draft`, { draft });
    expect([refusal(begun), errorPaths(begun.body)]).toEqual([[400, 'BadRequestError'], ['draft.nodes[0].to']]);
  });

  it.each(['+1911', '+19005550123', '+8816123456'])('V8: no agent can be saved that texts %s', async (to) => {
    const { api, agentId } = world().customer;
    const config = { to: ['+14155550100', to] };
    const saved = await api.patch(`/v1/agents/${agentId}`, { tools: [{ type: 'builtin', name: 'send_sms', config }] });
    expect([refusal(saved), errorPaths(saved.body)]).toEqual([[400, 'BadRequestError'], ['tools[0].config.to[1]']]);
  });

  it('a suppressed number is not reached by more digits after it, nor with or without a zero before it', async () => {
    const { api, agentId, organizationId: organization_id } = world().customer;
    const phone_numbers = ['+14155550976', '+33142000976', '+493012340976', '+4901701230976'];
    expect((await api.post('/v1/suppressions', { organization_id, phone_numbers })).status).toBe(201);
    for (const to of ['+141555509760', '+331420009761', '+49301234097600', '+4903012340976', '+491701230976']) {
      const asked = { ...world().home, agent_id: agentId, to };
      expect(refusal(await api.post('/v1/calls', asked))).toEqual([423, 'SuspensionError']);
      expect(refusal(await api.post('/v1/messages', { ...asked, body: 'hello' }))).toEqual([423, 'SuspensionError']);
    }
  });

  it.each(['+1911', '+19111234567', '+19005550123', '+44118118', '+870773123456', '+491805123456'])(
    'V8: a call to %s is never dialed',
    async (to) => {
      const { api, agentId } = world().customer;
      const { status, body } = await api.post('/v1/calls', { ...world().home, agent_id: agentId, to });
      expect([status, body.status]).toEqual([201, 'policy_blocked']);
    },
  );

  it('B6: a carrier webhook whose body trickles is cut', async () => {
    const head = `POST ${carrierPath} HTTP/1.1\r\nHost: a\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 60000\r\n\r\n`;
    const { hostname, port } = new URL(world().platform.baseUrls[0] ?? '');
    const began = performance.now();
    const answer = await new Promise<string>((resolve) => {
      let text = '';
      const socket = net.connect(Number(port), hostname, () => socket.write(head));
      const drip = setInterval(() => socket.write('a'), 250);
      socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
      socket.on('error', () => undefined);
      socket.on('close', () => {
        clearInterval(drip);
        resolve(text);
      });
    });
    expect(performance.now() - began).toBeLessThan(45_000);
    expect(answer === '' || /^HTTP\/1\.1 4\d\d /.test(answer)).toBe(true);
  });

  it('B6: an address can send at most 600 carrier webhooks a minute', async () => {
    const counts = new Map<number, number>();
    for (let round = 0; round < 26; round += 1) {
      const sent = Array.from({ length: 50 }, () =>
        carrier({ 'x-twilio-signature': 'forged' }, { AccountSid: 'ACnone' }),
      );
      for (const { status } of await Promise.all(sent)) counts.set(status, (counts.get(status) ?? 0) + 1);
    }
    // The requests may be spread over two windows if the minute changes meanwhile.
    expect(counts.get(429) ?? 0).toBeGreaterThanOrEqual(1_300 - 1_200);
    expect([...counts.keys()].filter((status) => status < 400 || status >= 500)).toEqual([]);
  });

  it('C: a message for a campaign of another organization is refused as for one that does not exist', async () => {
    const { customer, stranger } = world();
    const campaign = await stranger.api.post('/v1/campaigns', {
      organization_id: stranger.organizationId,
      project_id: stranger.projectId,
      agent_id: stranger.agentId,
      name: 'theirs',
    });
    expect(campaign.status).toBe(201);
    const send = (campaign_id: string) =>
      customer.api.post('/v1/messages', {
        ...world().home,
        agent_id: customer.agentId,
        to: '+15005550006',
        body: 'hello',
        campaign_id,
      });
    const foreign = String(campaign.body.campaign_id);
    const [theirs, absent] = [await send(foreign), await send(`${foreign.slice(0, -4)}0000`)];
    expect(refusal(theirs)).toEqual([404, 'NotFoundError']);
    expect({ ...theirs.body, message: '' }).toEqual({ ...absent.body, message: '' });
  });
}
