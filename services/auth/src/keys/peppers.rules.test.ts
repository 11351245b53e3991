import { randomBytes } from 'node:crypto';
import { parsePeppers } from './peppers.rules';

const one = randomBytes(32).toString('base64');
const two = randomBytes(32).toString('base64');

describe('token peppers', () => {
  it('new tokens are hashed with the last pepper of the list, whatever its version', () => {
    expect(parsePeppers(`2:${two},1:${one}`).current('t').pepperVersion).toBe(1);
    expect(parsePeppers(`2:${two},1:${one}`).all('t')[0]?.pepperVersion).toBe(1);
    expect(parsePeppers(`1:${one},10:${two}`).current('t').pepperVersion).toBe(10);
  });

  it('a token is matched under every configured pepper', () => {
    const before = parsePeppers(`1:${one}`).current('t');
    const after = parsePeppers(`1:${one},2:${two}`).all('t');
    expect(after).toContainEqual(before);
    expect(after).toHaveLength(2);
  });

  it('different peppers or different tokens give different hashes', () => {
    const peppers = parsePeppers(`1:${one},2:${two}`);
    const hashes = [...peppers.all('t'), ...peppers.all('u')].map(({ hash }) => hash.toString('hex'));
    expect(new Set(hashes).size).toBe(4);
  });

  it.each([
    ['an empty list', ''],
    ['an entry without a version', one],
    ['version 0', `0:${one}`],
    ['31 bytes', `1:${randomBytes(31).toString('base64')}`],
    ['33 bytes', `1:${randomBytes(33).toString('base64')}`],
    ['a duplicate version', `1:${one},1:${two}`],
    ['invalid base64', `1:${'?'.repeat(44)}`],
  ])('throws for %s', (_, text) => {
    expect(() => parsePeppers(text)).toThrow();
  });

  it('the error names every invalid entry and contains no pepper', () => {
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
