import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Webhook } from 'standardwebhooks';
import { signatureOf, signingKeyOf } from '@parley/service';

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
  const found = new RegExp('```' + language + '(?: [^\\n]*)?\\n([\\s\\S]*?)```').exec(page)?.[1];
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

/** Runs a program that reads the vectors from standard input, and returns its results. */
function answersOf([command = '', ...args]: readonly string[], files: Readonly<Record<string, string>>): boolean[] {
  const folder = mkdtempSync(path.join(tmpdir(), 'parley-verify-'));
  try {
    for (const [name, text] of Object.entries(files)) writeFileSync(path.join(folder, name), text);
    const paths = Object.keys(files).map((name) => path.join(folder, name));
    const options = { input: blockOf('json'), encoding: 'utf8', cwd: folder } as const;
    return JSON.parse(execFileSync(command, [...args, ...paths], options)) as boolean[];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** `it`, or `it.skip` with the missing command in its title. */
function where(command: string, version: string): { readonly run: jest.It; readonly lacking: string } {
  try {
    execFileSync(command, [version], { stdio: 'ignore' });
    return { run: it, lacking: '' };
  } catch {
    return { run: it.skip, lacking: `: skipped, there is no ${command} here` };
  }
}

const python = where('python3', '--version');
const go = where('go', 'version');

const goMain = `package main

import (
	"encoding/json"
	"net/http"
	"os"
	"time"
)

func main() {
	var vectors []map[string]any
	if err := json.NewDecoder(os.Stdin).Decode(&vectors); err != nil {
		panic(err)
	}
	answers := []bool{}
	for _, one := range vectors {
		headers := http.Header{}
		for _, name := range []string{"webhook-id", "webhook-timestamp", "webhook-signature"} {
			headers.Set(name, one[name].(string))
		}
		now := time.Unix(int64(one["now"].(float64)), 0)
		answers = append(answers, Verify(one["secret"].(string), headers, []byte(one["body"].(string)), now))
	}
	json.NewEncoder(os.Stdout).Encode(answers)
}
`;

describe('the verification code in docs/webhooks.md', () => {
  const expected = vectors.map(({ valid }) => valid);

  it('the test vectors include valid and invalid signatures', () => {
    expect(new Set(expected)).toEqual(new Set([true, false]));
  });

  it.each(named)('the library standardwebhooks agrees with the vector: %s', (_, vector) => {
    jest.useFakeTimers({ now: vector.now * 1000 });
    const verify = () => new Webhook(vector.secret).verify(vector.body, headersOf(vector));
    if (vector.valid) expect(verify()).toEqual(JSON.parse(vector.body));
    else expect(verify).toThrow();
    jest.useRealTimers();
  });

  it.each(named.filter(([title]) => title === 'one secret'))('our signature equals the vector: %s', (_, vector) => {
    const timestamp = Number(vector['webhook-timestamp']);
    expect(signatureOf([signingKeyOf(vector.secret)], vector['webhook-id'], timestamp, Buffer.from(vector.body))).toBe(
      vector['webhook-signature'],
    );
  });

  it('the TypeScript code agrees with every vector', () => {
    const program = `${stripTypeScriptTypes(blockOf('ts'))}
      import { readFileSync } from 'node:fs';
      const vectors = JSON.parse(readFileSync(0, 'utf8'));
      console.log(JSON.stringify(vectors.map((one) => verify(one.secret, one, Buffer.from(one.body), one.now))));`;
    expect(answersOf([process.execPath], { 'verify.mjs': program })).toEqual(expected);
  });

  python.run(`the Python code agrees with every vector${python.lacking}`, () => {
    const program = `${blockOf('python')}
import json, sys
print(json.dumps([verify(one["secret"], one, one["body"].encode(), one["now"]) for one in json.load(sys.stdin)]))
`;
    expect(answersOf(['python3'], { 'verify.py': program })).toEqual(expected);
  });

  // The first compilation of the imports takes a while.
  go.run(
    `the Go code agrees with every vector${go.lacking}`,
    () => {
      const verify = blockOf('go').replace('package webhooks', 'package main');
      expect(answersOf(['go', 'run'], { 'verify.go': verify, 'main.go': goMain })).toEqual(expected);
    },
    300_000,
  );
});
