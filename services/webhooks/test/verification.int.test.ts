import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Webhook } from 'standardwebhooks';
import { signatureOf, signingKeyOf } from '../src/domain/signature';

interface Vector {
  readonly title: string;
  readonly secret: string;
  readonly 'webhook-id': string;
  readonly 'webhook-timestamp': string;
  readonly 'webhook-signature': string;
  readonly body: string;
  readonly now: number;
  readonly valid: boolean;
}

const page = readFileSync(path.resolve(__dirname, '../../../docs/webhooks.md'), 'utf8');

function blockOf(language: string): string {
  const found = new RegExp('```' + language + '\\n([\\s\\S]*?)```').exec(page)?.[1];
  if (found === undefined) throw new Error(`docs/webhooks.md has no block of ${language}`);
  return found;
}

const vectors = JSON.parse(blockOf('json')) as Vector[];
const named = vectors.map((vector) => [vector.title, vector] as const);
const headersOf = (vector: Vector) => ({
  'webhook-id': vector['webhook-id'],
  'webhook-timestamp': vector['webhook-timestamp'],
  'webhook-signature': vector['webhook-signature'],
});

/** The answers of a program that reads the vectors on its standard input. */
function answersOf(command: string, file: string, program: string): boolean[] {
  const folder = mkdtempSync(path.join(tmpdir(), 'parley-verify-'));
  try {
    writeFileSync(path.join(folder, file), program);
    return JSON.parse(
      execFileSync(command, [path.join(folder, file)], { input: blockOf('json'), encoding: 'utf8' }),
    ) as boolean[];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const isThere = (command: string): boolean => {
  try {
    execFileSync(command, ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
};

describe('the verification that docs/webhooks.md shows', () => {
  const expected = vectors.map(({ valid }) => valid);

  it('has vectors of both kinds', () => {
    expect(new Set(expected)).toEqual(new Set([true, false]));
  });

  it.each(named)('decisions 6: standardwebhooks agrees: %s', (_, vector) => {
    jest.useFakeTimers({ now: vector.now * 1000 });
    const verify = () => new Webhook(vector.secret).verify(vector.body, headersOf(vector));
    if (vector.valid) expect(verify()).toEqual(JSON.parse(vector.body));
    else expect(verify).toThrow();
    jest.useRealTimers();
  });

  it.each(named.filter(([title]) => title === 'one secret'))('decisions 6: we sign so: %s', (_, vector) => {
    const timestamp = Number(vector['webhook-timestamp']);
    expect(signatureOf([signingKeyOf(vector.secret)], vector['webhook-id'], timestamp, Buffer.from(vector.body))).toBe(
      vector['webhook-signature'],
    );
  });

  it('decisions 6: the TypeScript answers every vector', () => {
    const program = `${stripTypeScriptTypes(blockOf('ts'))}
      import { readFileSync } from 'node:fs';
      const vectors = JSON.parse(readFileSync(0, 'utf8'));
      console.log(JSON.stringify(vectors.map((one) => verify(one.secret, one, Buffer.from(one.body), one.now))));`;
    expect(answersOf(process.execPath, 'verify.mjs', program)).toEqual(expected);
  });

  (isThere('python3') ? it : it.skip)('decisions 6: the Python answers every vector', () => {
    const program = `${blockOf('python')}
import json, sys
print(json.dumps([verify(one["secret"], one, one["body"].encode(), one["now"]) for one in json.load(sys.stdin)]))
`;
    expect(answersOf('python3', 'verify.py', program)).toEqual(expected);
  });
});
