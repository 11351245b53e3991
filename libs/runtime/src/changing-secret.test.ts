import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { changingSecret } from './changing-secret';

describe('changingSecret', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'parley-secret-'));
  const file = path.join(folder, 'secret');
  let now = 0;
  const options = { env: { SECRET_FILE: file }, clock: { monotonicMs: () => now } };
  beforeEach(() => {
    now = 0;
    writeFileSync(file, 'first\n');
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it('without a file returns the value from startup forever', () => {
    const secret = changingSecret('SECRET', 'start', { env: {}, clock: options.clock });
    now = 1e9;
    expect(secret()).toBe('start');
  });

  it('reads the file again at most every five seconds', () => {
    const secret = changingSecret('SECRET', 'first', options);
    writeFileSync(file, 'second\n');
    now = 4_999;
    expect(secret()).toBe('first');
    now = 5_000;
    expect(secret()).toBe('second');
    writeFileSync(file, 'third');
    now = 9_999;
    expect(secret()).toBe('second');
    now = 10_000;
    expect(secret()).toBe('third');
  });

  it('keeps the value if the file is missing or invalid, and uses a later valid one', () => {
    const secret = changingSecret('SECRET', 'first', { ...options, usable: (text) => text.length === 5 });
    rmSync(file);
    now = 5_000;
    expect(secret()).toBe('first');
    writeFileSync(file, 'too long');
    now = 10_000;
    expect(secret()).toBe('first');
    writeFileSync(file, 'other');
    now = 15_000;
    expect(secret()).toBe('other');
  });
});
