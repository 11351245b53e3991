import type { Database } from '@parley/runtime';
import { admissionBatches, type Candidate } from './admission-batches';

const gone = AbortSignal.abort(new Error('the client has gone'));

/** What of a candidate is read before its batch is decided. */
const candidate = (key: string, signal: AbortSignal | undefined): Candidate =>
  ({
    request: { organizationId: 'org_1', route: 'create-call', key, fingerprint: Buffer.alloc(0) },
    body: { agent_id: 'agt_1', to: '+15005550006' },
    agentSnapshot: { tuning: '{}' },
    signal,
  }) as Partial<Candidate> as Candidate;

describe('requests for calls whose client has gone', () => {
  const batches = () => {
    let written = 0;
    const refused = (): Promise<never> => {
      written += 1;
      return Promise.reject(new Error('written'));
    };
    const db = { query: refused, transaction: refused } as Partial<Database> as Database;
    const made = admissionBatches({ db, queueCap: 10, scheduledCap: 10, open: refused });
    return { submit: (one: Candidate) => made.submit('org_1', one), written: () => written };
  };

  it.each(['', 'key'])(
    'place none: with the key "%s" nothing is read or written, and the answer is 503',
    async (key) => {
      const { submit, written } = batches();
      await expect(submit(candidate(key, gone))).rejects.toMatchObject({ status: 503 });
      expect(written()).toBe(0);
    },
  );

  it('do not keep a request with the same key from being decided', async () => {
    const { submit, written } = batches();
    const submitted = [submit(candidate('key', gone)), submit(candidate('key', undefined))];
    expect((await Promise.allSettled(submitted))[1]).toMatchObject({ reason: { message: 'written' } });
    expect(written()).toBeGreaterThan(0);
  });
});
