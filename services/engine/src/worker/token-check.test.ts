import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { RefusedError } from './platform';
import { NoRoomError, TokenCheck } from './token-check';

const [ours, theirs] = [generateKeyPairSync('ed25519'), generateKeyPairSync('ed25519')];
const publicOf = ({ publicKey }: typeof ours): string => publicKey.export({ format: 'jwk' }).x ?? '';

function signed({ privateKey }: typeof ours): string {
  const random = randomBytes(16);
  return random.toString('base64url') + sign(null, random, privateKey).toString('base64url');
}

let now: number;
let check: TokenCheck;
/** What the platform was asked, and whether it counted. */
let asked: [string, boolean][];

beforeEach(() => {
  [now, asked] = [0, []];
  check = new TokenCheck(2, () => now);
  check.learn([publicOf(ours)]);
});

const judge = (token: string, status = 200): Promise<number> =>
  check
    .judge(token, (counts) => {
      asked.push([token, counts]);
      return status === 200 ? Promise.resolve(200) : Promise.reject(new RefusedError(status, undefined, 'refused'));
    })
    .catch((error: unknown) => (error instanceof NoRoomError ? 0 : (error as RefusedError).status));

const guess = (): string => randomBytes(81).toString('base64url');

describe('the tokens about which the platform is asked', () => {
  it('are, after too many guesses, all that it signed and no others, until the next minute', async () => {
    expect(await Promise.all([judge(guess(), 404), judge(signed(ours))])).toEqual([404, 200]);
    expect(await judge(guess(), 404)).toBe(404);
    asked = [];
    for (const token of [guess(), signed(theirs), 'short']) expect([token, await judge(token)]).toEqual([token, 0]);
    const token = signed(ours);
    expect(await judge(token)).toBe(200);
    expect(asked).toEqual([[token, true]]);
    now = 59_999;
    expect(await judge(guess())).toBe(0);
    now = 60_000;
    expect(await judge(guess())).toBe(200);
  });

  it('without its signature are asked about one at a time, and take no room from others', async () => {
    let answer: () => void = () => undefined;
    const first = check.judge(guess(), (counts) => {
      expect(counts).toBe(false);
      return new Promise<void>((resolve) => (answer = resolve));
    });
    expect(await judge(guess())).toBe(0);
    expect(await Promise.all([judge(signed(ours)), judge(signed(ours))])).toEqual([200, 200]);
    answer();
    await first;
    expect(await judge(guess())).toBe(200);
  });

  it.each([400, 404, 409])(
    'that it signed count like guesses once it has answered %d, in any spelling',
    async (status) => {
      const token = signed(ours);
      // The last of 22 characters has four bits that stand for nothing.
      const spelled = token.slice(0, 21) + String.fromCharCode(token.charCodeAt(21) + 1) + token.slice(22);
      expect(await judge(token, status)).toBe(status);
      expect(await judge(guess(), 404)).toBe(404);
      expect(await judge(token, 404)).toBe(404);
      expect(await Promise.all([judge(token), judge(spelled)])).toEqual([0, 0]);
      expect(await judge(signed(ours))).toBe(200);
    },
  );

  it.each([401, 429, 503])('remain good if it answered %d', async (status) => {
    const token = signed(ours);
    expect(await judge(token, status)).toBe(status);
    expect([await judge(guess(), status), await judge(guess(), status), await judge(guess())]).toEqual([
      status,
      status,
      200,
    ]);
    expect(await judge(token)).toBe(200);
    expect(asked.filter(([one]) => one === token)).toEqual([
      [token, true],
      [token, true],
    ]);
  });

  it.each(['', 'a b', 'x'.repeat(129), 'ü'])('are never %j', async (token) => {
    expect(await judge(token)).toBe(400);
    expect(asked).toEqual([]);
  });

  it('are all until the first key is known, and those of each key afterwards', async () => {
    check = new TokenCheck(1, () => now);
    check.learn([]);
    for (let n = 0; n < 3; n += 1) expect(await judge(guess(), 404)).toBe(404);
    check.learn(['malformed', publicOf(theirs), publicOf(ours)]);
    expect(await judge(guess(), 404)).toBe(404);
    expect([await judge(guess()), await judge(signed(ours)), await judge(signed(theirs))]).toEqual([0, 200, 200]);
  });

  it('are forgotten, oldest first, after 10,000 that were refused', async () => {
    const [oldest, second] = [signed(ours), signed(ours)];
    for (const token of [oldest, second]) await judge(token, 404);
    for (let n = 0; n < 9_999; n += 1) await judge(signed(ours), 404);
    for (let n = 0; n < 2; n += 1) await judge(guess(), 404);
    expect([await judge(oldest), await judge(second)]).toEqual([200, 0]);
  });
});
