/** The cost of a key: verified from the cache and by a look-up, or refused by its checksum; and how soon every gateway applies its revocation. */
import { randomBytes } from 'node:crypto';
import { createRequire } from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';
import { load, type Figures } from '../load.mts';
import { forgetHome, newHome, startPlatform, type BenchPlatform } from '../platform.mts';
import type { BenchRow, Table } from '../row.mts';

const gateway = createRequire(new URL('../../services/gateway/package.json', import.meta.url));
const { tokenChecksum } = gateway('@parley/contract') as { tokenChecksum: (text: string) => string };
const { Principals } = gateway('./dist/principals/principals.js') as {
  Principals: new (options: object) => {
    callerOf(token: string, context: object, address: string): Promise<unknown>;
  };
};

const revocations = 50;

function newToken(): string {
  const text = `tai_${randomBytes(16).toString('hex')}`;
  return text + tokenChecksum(text);
}

const quantile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;

const rounded = (value: number, digits = 1): number => Number(value.toFixed(digits));

/** The class of the gateway, with look-ups that take a millisecond. */
function world() {
  let reads = 0;
  const principal = { keyId: 'key_1', organizationId: 'org_1', kind: 'customer', scopes: ['all'] };
  const principals = new Principals({
    controlState: {
      trusted: () => true,
      refreshed: async () => undefined,
      isRevoked: () => false,
      knowsSince: () => true,
      generation: 0,
      epoch: '1',
    },
    clock: { now: () => new Date(), monotonicMs: () => performance.now() },
    keyLookup: {
      lookUp: async () => {
        reads += 1;
        await sleep(1);
        return { ...principal, expiresAtMs: '0', epoch: '1' };
      },
    },
    keyUse: { note: () => undefined },
  });
  const use = (token: string) => principals.callerOf(token, { requestId: 'bench' }, '127.0.0.1');
  return { use, reads: () => reads };
}

async function warm(): Promise<object> {
  const { use } = world();
  const tokens = Array.from({ length: 1_000 }, newToken);
  await Promise.all(tokens.map(use));
  const times: number[] = [];
  for (let at = 0; at < 200_000; at += 1) {
    const token = tokens[at % tokens.length] ?? '';
    const begin = performance.now();
    await use(token);
    times.push((performance.now() - begin) * 1_000);
  }
  times.sort((one, other) => one - other);
  return {
    what: 'verification, warm, in process',
    'p50 µs': rounded(quantile(times, 0.5)),
    'p99 µs': rounded(quantile(times, 0.99)),
    'target p99 µs': 100,
  };
}

async function cold(): Promise<object> {
  const { use, reads } = world();
  const token = newToken();
  const begin = performance.now();
  await Promise.all(Array.from({ length: 1_000 }, () => use(token)));
  return {
    what: '1,000 concurrent first uses of one key',
    'reads of auth': reads(),
    'all answered after ms': rounded(performance.now() - begin),
  };
}

const figuresOf = ({ perSecond, p50, p99 }: Figures): object => ({
  'per second': Math.round(perSecond),
  'p50 ms': p50,
  'p99 ms': p99,
});

async function post(url: string, key: string, body: object = {}): Promise<Record<string, string>> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`POST ${url}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as Record<string, string>;
}

/** Milliseconds from the response of a revocation until every gateway has refused the key. Polls continuously. */
async function spreadOf({ development, file }: BenchPlatform): Promise<number> {
  const { admin_key: admin, organization_id } = development;
  const [first = ''] = file.base_urls;
  const { key_id: keyId, token } = await post(`${first}/v1/api-keys`, admin, {
    organization_id,
    name: 'bench',
    scopes: ['agents:read'],
  });
  const use = async (url: string): Promise<number> => {
    const answer = await fetch(`${url}/v1/agents?limit=1`, { headers: { authorization: `Bearer ${token}` } });
    await answer.arrayBuffer();
    return answer.status;
  };
  for (const url of file.base_urls) if ((await use(url)) !== 200) throw new Error('a new key is not taken');
  await post(`${first}/v1/api-keys/${keyId}/revoke`, admin);
  const revoked = performance.now();
  const spreads = file.base_urls.map(async (url) => {
    while ((await use(url)) !== 401);
    return performance.now() - revoked;
  });
  return Math.max(...(await Promise.all(spreads)));
}

async function revocation(platform: BenchPlatform): Promise<object> {
  const [first = ''] = platform.file.base_urls;
  const headers = { authorization: `Bearer ${platform.development.admin_key}` };
  const target = { title: 'load', url: `${first}/v1/agents?limit=1`, headers, status: 200 };
  let over = false;
  const background = (async () => {
    while (!over) await load(target, 2, 4);
  })();
  const spreads: number[] = [];
  try {
    for (let at = 0; at < revocations; at += 1) spreads.push(Math.max(0, await spreadOf(platform)));
  } finally {
    over = true;
    await background;
  }
  spreads.sort((one, other) => one - other);
  return {
    what: `revocation obeyed by ${platform.file.base_urls.length} gateways, ${revocations} times, under load`,
    'p50 ms': rounded(quantile(spreads, 0.5)),
    'p99 ms': rounded(quantile(spreads, 0.99)),
    'target p99 ms': 300,
  };
}

export const bench: BenchRow = {
  title: 'keys',
  async run({ seconds }) {
    const tables: Table[] = [{ title: 'in process', rows: [await warm(), await cold()] }];
    const home = newHome();
    try {
      const platform = await startPlatform(home, {}, 3);
      try {
        const url = `${platform.baseUrl}/v1/agents`;
        const mistyped = newToken().replace(/.$/, (last) => (last === '0' ? '1' : '0'));
        const refusals = await load(
          { title: 'wrong checksum', url, headers: { authorization: `Bearer ${mistyped}` }, status: 401 },
          seconds,
        );
        const unknown = await load(
          {
            title: 'unknown keys',
            url,
            each: () => ({ headers: { authorization: `Bearer ${newToken()}` } }),
            status: 401,
          },
          seconds,
        );
        tables.push({
          title: 'over HTTP, one gateway',
          rows: [
            { what: 'refusals of a wrong checksum', ...figuresOf(refusals) },
            { what: 'refusals of unknown keys of one address', ...figuresOf(unknown) },
          ],
        });
        tables.push({ title: 'revocation', rows: [await revocation(platform)] });
      } finally {
        await platform.stop();
      }
    } finally {
      forgetHome(home);
    }
    return tables;
  },
};
