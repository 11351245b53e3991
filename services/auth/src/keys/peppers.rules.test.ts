import { randomBytes } from 'node:crypto';
import { parsePeppers } from './peppers.rules';

const one = randomBytes(32).toString('base64');
const two = randomBytes(32).toString('base64');

describe('peppers', () => {
  it('hashes new tokens under the last one, whatever its version', () => {
    expect(parsePeppers(`2:${two},1:${one}`).current('t').pepperVersion).toBe(1);
    expect(parsePeppers(`2:${two},1:${one}`).all('t')[0]?.pepperVersion).toBe(1);
    expect(parsePeppers(`1:${one},10:${two}`).current('t').pepperVersion).toBe(10);
  });

  it('recognises a token of every known version', () => {
    const before = parsePeppers(`1:${one}`).current('t');
    const after = parsePeppers(`1:${one},2:${two}`).all('t');
    expect(after).toContainEqual(before);
    expect(after).toHaveLength(2);
  });

  it('gives different hashes under different peppers and for different tokens', () => {
    const peppers = parsePeppers(`1:${one},2:${two}`);
    const hashes = [...peppers.all('t'), ...peppers.all('u')].map(({ hash }) => hash.toString('hex'));
    expect(new Set(hashes).size).toBe(4);
  });

  it.each([
    ['nothing', ''],
    ['no version', one],
    ['version 0', `0:${one}`],
    ['31 bytes', `1:${randomBytes(31).toString('base64')}`],
    ['33 bytes', `1:${randomBytes(33).toString('base64')}`],
    ['one version twice', `1:${one},1:${two}`],
    ['something that is not base64', `1:${'?'.repeat(44)}`],
  ])('refuses %s', (_, text) => {
    expect(() => parsePeppers(text)).toThrow();
  });

  it('names every error and quotes no pepper', () => {
    let message = '';
    try {
      parsePeppers(`x:${one},1:${two},1:${one}`);
    } catch (error) {
      message = String(error);
    }
    expect(message).toContain('pepper 1');
    expect(message).toContain('pepper 3');
    expect(message).not.toContain(one);
  });
});
