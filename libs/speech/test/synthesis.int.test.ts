import path from 'node:path';
import { SpeechPool } from '../src/synthesis/speech-pool';

const worker = path.join(__dirname, '../dist/synthesis/flite-worker.js');

describe('pool of speech synthesis threads', () => {
  it('rejects requests above the queue limit with 429, and serves the queued ones', async () => {
    const pool = new SpeechPool({ file: worker, threads: 1, waiting: 2, timeoutMs: 30_000 });
    const job = { owner: 'org_1', args: ['-voice', 'kal16', '-t', 'one'] };
    const served = [pool.synthesize(job), pool.synthesize(job), pool.synthesize(job)];
    expect(() => pool.synthesize(job)).toThrow(
      expect.objectContaining({ code: 'rate_limited', status: 429, fields: { retry_after_seconds: 1 } }) as Error,
    );
    for (const audio of await Promise.all(served)) expect(audio.length).toBeGreaterThan(1000);
    expect((await pool.synthesize(job)).length).toBeGreaterThan(1000);
    await pool.stop();
  });

  it('refuses further requests of a flooding organization with 429, and serves another one after a single synthesis', async () => {
    const pool = new SpeechPool({ file: worker, threads: 1, waiting: 4, timeoutMs: 60_000 });
    const order: string[] = [];
    const ask = (owner: string) =>
      pool.synthesize({ owner, args: ['-voice', 'kal16', '-t', 'one'] }).then(
        () => void order.push(owner),
        (error: { code?: string }) => void order.push(`${owner} ${error.code}`),
      );
    const flood = Array.from({ length: 5 }, () => ask('org_a'));
    expect(() => pool.synthesize({ owner: 'org_a', args: [] })).toThrow(
      expect.objectContaining({ code: 'rate_limited' }) as Error,
    );
    await Promise.all([...flood, ask('org_b')]);
    expect(order.filter((one) => one !== 'org_a rate_limited')).toEqual(['org_a', 'org_b', 'org_a', 'org_a', 'org_a']);
    expect(order).toContain('org_a rate_limited');
    await pool.stop();
  });

  it('rejects a synthesis that exceeds the timeout, and starts the next one', async () => {
    const pool = new SpeechPool({ file: worker, threads: 1, waiting: 8, timeoutMs: 1 });
    const job = { owner: 'org_1', args: ['-voice', 'rms', '-t', 'one two three '.repeat(400)] };
    await expect(pool.synthesize(job)).rejects.toMatchObject({ code: 'internal_error' });
    await expect(pool.synthesize(job)).rejects.toMatchObject({ code: 'internal_error' });
    await pool.stop();
  });

  it('rejects a synthesis whose audio exceeds the size limit', async () => {
    const pool = new SpeechPool({ file: worker, threads: 1, waiting: 8, timeoutMs: 60_000 });
    const long = { owner: 'org_1', args: ['-voice', 'kal16', '-t', 'one two three '.repeat(400)] };
    await expect(pool.synthesize(long)).rejects.toMatchObject({ code: 'internal_error' });
    await pool.stop();
  });

  it('rejects with internal_error if the speech engine fails, and continues with the next request', async () => {
    const pool = new SpeechPool({ file: worker, threads: 1, waiting: 8, timeoutMs: 30_000 });
    await expect(pool.synthesize({ owner: 'org_1', args: ['--help'] })).rejects.toMatchObject({
      code: 'internal_error',
    });
    expect((await pool.synthesize({ owner: 'org_1', args: ['-voice', 'kal16', '-t', 'one'] })).length).toBeGreaterThan(
      1000,
    );
    await pool.stop();
  });
});
