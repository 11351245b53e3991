import { newId } from '@parley/runtime';
import { MinuteLimit, parseRateLimits, RateLimits } from './rate-limits';

const organization = newId('org');

it.each<[string, number]>([
  ['', 0],
  [`${organization}=1/1`, 1],
  [` ${organization}=100/60, ${newId('org')}=5/3600 `, 2],
])('RATE_LIMITS %j sets limits for %i organizations', (text, size) => {
  expect(parseRateLimits(text).size).toBe(size);
});

it.each([`${organization}=0/1`, `${organization}=1/0`, `${organization}=1`, 'org_x=1/1', `${organization}=-1/1`])(
  'refuses to start with the invalid RATE_LIMITS %j',
  (text) => expect(() => parseRateLimits(text)).toThrow(/entry 1/),
);

it('refuses to start if RATE_LIMITS names an organization twice', () => {
  expect(() => parseRateLimits(`${organization}=1/1,${organization}=2/1`)).toThrow(/duplicate/);
});

it.each([
  [1, 1],
  [2, 0],
  [3, 429],
])('with a limit of two requests per window, request %i leaves %i (429: refused)', async (count, left) => {
  const limits = new RateLimits(parseRateLimits(`${organization}=2/60`), {
    add: async () => ({ count, secondsLeft: 42 }),
  });
  const reported: object[] = [];
  const admitted = limits.admit({ organizationId: organization, keyId: 'key_1' }, (headers) => reported.push(headers));
  if (left === 429)
    await expect(admitted).rejects.toMatchObject({ code: 'rate_limited', fields: { retry_after_seconds: 42 } });
  else await admitted;
  expect(reported).toEqual([
    { 'RateLimit-Policy': '"organization";q=2;w=60', RateLimit: `"organization";r=${left === 429 ? 0 : left};t=42` },
  ]);
});

it.each([
  [1, 2, undefined],
  [1, 3, 42],
  [3, 2, 42],
])(
  'with limits of two per key and per organization, checks both: request %i of the key, %i of the organization',
  async (ofKey, ofOrganization, waits) => {
    const limits = new RateLimits(parseRateLimits(`${organization}=2/60`), {
      add: async (name) => ({ count: name === 'requests:key_1' ? ofKey : ofOrganization, secondsLeft: 42 }),
    });
    const reported: object[] = [];
    const caller = { organizationId: organization, keyId: 'key_1', requestsPerMinute: 2 };
    const admitted = limits
      .admit(caller, (headers) => reported.push(headers))
      .then(
        () => undefined,
        (error: unknown) => error,
      );
    expect((await admitted) ?? {}).toMatchObject(
      waits === undefined ? {} : { code: 'rate_limited', fields: { retry_after_seconds: waits } },
    );
    expect((await admitted) === undefined).toBe(waits === undefined);
    expect(reported).toEqual([
      {
        'RateLimit-Policy': '"organization";q=2;w=60, "key";q=2;w=60',
        RateLimit: `"organization";r=${Math.max(0, 2 - ofOrganization)};t=42, "key";r=${Math.max(0, 2 - ofKey)};t=42`,
      },
    ]);
  },
);

it('counts requests of a session as those of its key', async () => {
  const counted: string[] = [];
  const counter = {
    add: async (name: string) => {
      counted.push(name);
      return { count: 1, secondsLeft: 42 };
    },
  };
  const session = { organizationId: organization, keyId: 'key_2', sessionOf: 'key_1', requestsPerMinute: 2 };
  await new RateLimits(new Map(), counter).admit(session, () => undefined);
  expect(counted).toEqual(['requests:key_1']);
});

describe('limits per minute of the root key and the organization', () => {
  const caller = { organizationId: organization, keyId: 'key_1' };
  /** A limit of two per root key and of three per organization. */
  function limited() {
    const counts = new Map<string, number>();
    const add = async (name: string) => {
      const count = (counts.get(name) ?? 0) + 1;
      counts.set(name, count);
      return { count, secondsLeft: 42 };
    };
    const limit = new MinuteLimit('mints', { perKey: 2, perOrganization: 3 }, { add });
    const statuses = async (callers: readonly Parameters<MinuteLimit['admit']>[0][]) => {
      const found: number[] = [];
      for (const one of callers) {
        const refused = await limit.admit(one).then(
          () => undefined,
          (error: unknown) => error,
        );
        if (refused !== undefined) expect(refused).toMatchObject({ fields: { retry_after_seconds: 42 } });
        found.push((refused as { status?: number } | undefined)?.status ?? 200);
      }
      return found;
    };
    return { statuses, counts };
  }

  it.each<[string, object]>([
    ['its sessions', { keyId: 'key_2', sessionOf: 'key_1' }],
    ['the keys that it minted', { keyId: 'key_2', rootKeyId: 'key_1' }],
    ['their sessions', { keyId: 'key_3', sessionOf: 'key_2', rootKeyId: 'key_1' }],
  ])('count a key and %s together', async (_whose, other) => {
    const { statuses } = limited();
    expect(await statuses([caller, { ...caller, ...other }, { ...caller, ...other }, caller])).toEqual([
      200, 200, 429, 429,
    ]);
  });

  it('count the keys of an organization together, without those that their own key has refused', async () => {
    const { statuses, counts } = limited();
    const other = { ...caller, keyId: 'key_2' };
    expect(await statuses([caller, caller, caller, caller, other, other])).toEqual([200, 200, 429, 429, 200, 429]);
    expect(counts.get(`mints:${organization}`)).toBe(4);
    expect(await statuses([{ organizationId: newId('org'), keyId: 'key_3' }])).toEqual([200]);
  });

  it('count a key of no organization for itself', async () => {
    const { statuses, counts } = limited();
    const platform = { organizationId: '', keyId: 'key_4' };
    expect(await statuses([platform, platform, platform])).toEqual([200, 200, 429]);
    expect([...counts.keys()]).toEqual(['mints:key_4']);
  });
});

describe('limits of the keys that minted a key', () => {
  /** A counter in memory, and the requests that each key counted. */
  function counting() {
    const counts = new Map<string, number>();
    const add = async (name: string) => {
      const count = (counts.get(name) ?? 0) + 1;
      counts.set(name, count);
      return { count, secondsLeft: 42 };
    };
    const limits = new RateLimits(new Map(), { add });
    /** Sends a request; returns the headers, or 429. */
    const request = async (caller: Parameters<RateLimits['admit']>[0]) => {
      const reported: object[] = [];
      const admitted = limits.admit(caller, (headers) => reported.push(headers));
      const refused = await admitted.then(
        () => false,
        () => true,
      );
      return refused ? 429 : reported[0];
    };
    const counted = () =>
      Object.fromEntries([...counts].map(([name, count]) => [name.replace('requests:', ''), count]));
    return { limits, request, counted };
  }

  const first = { organizationId: organization, keyId: 'key_1', requestsPerMinute: 3 };
  const ofFirst = [{ keyId: 'key_1', requestsPerMinute: 3 }];
  const inherited = { ...first, keyId: 'key_2', sharedLimits: ofFirst };
  const lower = { ...first, keyId: 'key_3', requestsPerMinute: 1, sharedLimits: ofFirst };

  it('count its requests too, and each minted key uses the same budget', async () => {
    const { request, counted } = counting();
    const seen = [await request(inherited), await request(first), await request({ ...inherited, keyId: 'key_4' })];
    expect(seen).toEqual(
      [2, 1, 0].map((left) => ({ 'RateLimit-Policy': '"key";q=3;w=60', RateLimit: `"key";r=${left};t=42` })),
    );
    expect([await request(first), await request(inherited)]).toEqual([429, 429]);
    expect(counted()).toEqual({ key_1: 5 });
  });

  it('count no request that its own lower limit refuses; the headers show the limit that is reached first', async () => {
    const { request, counted } = counting();
    expect(await request(lower)).toEqual({ 'RateLimit-Policy': '"key";q=1;w=60', RateLimit: '"key";r=0;t=42' });
    expect([await request(lower), await request(lower)]).toEqual([429, 429]);
    expect(counted()).toEqual({ key_3: 3, key_1: 1 });
    await request(first);
    const other = { ...lower, keyId: 'key_5', requestsPerMinute: 2 };
    expect(await request(other)).toEqual({ 'RateLimit-Policy': '"key";q=3;w=60', RateLimit: '"key";r=0;t=42' });
    expect(await request({ ...lower, keyId: 'key_6' })).toBe(429);
  });

  it('count requests of a session of the minted key', async () => {
    const { request, counted } = counting();
    await request({ ...lower, keyId: 'key_7', sessionOf: 'key_3' });
    expect(counted()).toEqual({ key_3: 1, key_1: 1 });
  });

  it('apply to a key without its own limit', async () => {
    const { limits, request, counted } = counting();
    const caller = { organizationId: organization, keyId: 'key_8', sharedLimits: ofFirst };
    expect(limits.has(caller)).toBe(true);
    await request(caller);
    expect(counted()).toEqual({ key_1: 1 });
  });
});

it('counts no requests if neither the key nor its organization has a limit', () => {
  const limits = new RateLimits(new Map(), { add: () => Promise.reject(new Error('counted')) });
  expect(limits.has({ organizationId: organization, keyId: 'key_1' })).toBe(false);
  expect(limits.has({ organizationId: organization, keyId: 'key_1', requestsPerMinute: 1 })).toBe(true);
});
