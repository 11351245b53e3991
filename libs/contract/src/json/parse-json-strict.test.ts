import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { AppError } from '@parley/errors';
import * as fc from 'fast-check';
import { maxJsonDepth } from '../limits';
import { Agent } from '../objects/agent';
import { parseJsonStrict, parseJsonTextStrict } from './parse-json-strict';

function parseError(input: string | Buffer): AppError {
  try {
    parseJsonStrict(typeof input === 'string' ? Buffer.from(input) : input);
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
  throw new Error('accepted');
}

const nested = (depth: number): string => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
const nestedLists = (depth: number): string => `{"a":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`;

describe('strict parsing of a JSON body', () => {
  it.each<[string, string | Buffer]>([
    ['not JSON', '{'],
    ['an empty body', ''],
    ['two values', '{}{}'],
    ['a single quote', "{'a':1}"],
    ['a trailing comma', '{"a":1,}'],
    ['a comment', '{/**/}'],
    ['NaN', '{"a":NaN}'],
    ['a leading zero', '{"a":01}'],
    ['a byte order mark', '\ufeff{}'],
    ['bytes that are not UTF-8', Buffer.from([0x7b, 0x22, 0x61, 0x22, 0x3a, 0x22, 0xff, 0x22, 0x7d])],
    ['an overlong encoding', Buffer.from([0x7b, 0x22, 0xc0, 0xaf, 0x22, 0x3a, 0x31, 0x7d])],
    ['a surrogate encoded in UTF-8', Buffer.from([0x7b, 0x22, 0xed, 0xa0, 0x80, 0x22, 0x3a, 0x31, 0x7d])],
    ['UTF-16', Buffer.from('{}', 'utf16le')],
    ['a raw control character', '{"a":"\u0001"}'],
    ['an array', '[]'],
    ['a string', '"a"'],
    ['a number', '1'],
    ['null', 'null'],
    ['a name given twice', '{"a":1,"a":1}'],
    ['a name given twice, once escaped', '{"a":1,"\\u0061":2}'],
    ['a name given twice in an inner object', '{"a":[{"b":1,"c":2,"b":3}]}'],
    ['a name given twice around an inner object', '{"a":{"b":1},"a":2}'],
    ['the name __proto__', '{"__proto__":{}}'],
    ['the name __proto__, escaped', '{"a":{"\\u005f_proto__":1}}'],
    ['U+0000 in a text', '{"a":"x\\u0000y"}'],
    ['U+0000 in a name', '{"x\\u0000":1}'],
    ['half a surrogate pair in a text', '{"a":"\\ud83d"}'],
    ['half a surrogate pair in a list', '{"a":["ok","\\uDE00x"]}'],
    ['half a surrogate pair in a name', '{"\\ude00":1}'],
    ['1e999', '{"a":1e999}'],
    ['-1e999', '{"a":-1e999}'],
    ['1e-999', '{"a":1e-999}'],
    ['2^53', '{"a":9007199254740992}'],
    ['2^53 + 1', '{"a":9007199254740993}'],
    ['-2^53', '{"a":[-9007199254740992]}'],
    ['2^53 as a fraction', '{"a":9007199254740992.0}'],
    ['1e300', '{"a":1e300}'],
    ['9007199254740993e0', '{"a":9007199254740993e0}'],
    ['a fraction that would become 1', '{"a":1.00000000000000000001}'],
    ['a number of a hundred thousand digits', `{"a":${'9'.repeat(100_000)}}`],
  ])('refuses %s with 400', (_, input) => {
    const error = parseError(input);
    expect([error.code, error.status]).toEqual(['BadRequestError', 400]);
    expect(error.message.length).toBeLessThan(300);
  });

  it.each([
    ['2^53 - 1', '{"a":9007199254740991}'],
    ['-(2^53 - 1)', '{"a":-9007199254740991}'],
    ['decimals', '{"a":[0.1,-2.5e-3,1E3,1.50,0.0,0e5,-0.25,123456.7890123456]}'],
    ['names that only look similar', '{"a":1,"A":2,"a ":3,"":4,"proto":5,"_proto__":6}'],
    ['one name in several objects', '{"a":{"a":[{"a":1},{"a":2}]},"b":{"a":1}}'],
    ['names as texts', '{"a":"a","b":["a","b","a"],"c":"__proto__"}'],
    ['escaped backslashes before u0000', '{"a":"\\\\u0000","b":"\\\\\\\\"}'],
    ['an escaped surrogate pair', '{"a":"\\ud83d\\ude00","\\ud83d\\ude00":1}'],
    ['quotes, braces and colons in texts', '{"a\\"":"{\\"a\\":1}","b":"]:[,","c\\\\":"\\\\\\""}'],
    ['white space at all allowed places', ' {\n"a"\t:\r[ 1 , {"b" : "c"} ] } '],
    ['constructor, toString', '{"constructor":1,"toString":2,"hasOwnProperty":3}'],
    ['an empty object', '{}'],
  ])('parses %s like JSON.parse', (_, text) => {
    expect(parseJsonStrict(Buffer.from(text))).toEqual(JSON.parse(text));
  });
});

describe('U+0000 and lone surrogates in a JSON body', () => {
  it.each([
    ['{"name":"a\\u0000b"}', 'name'],
    ['{"voice":{"provider":"\\ud800"}}', 'voice.provider'],
    ['{"languages":["en","\\u0000"]}', 'languages[1]'],
    ['{"metadata":{"a\\u0000":1}}', 'metadata'],
    ['{"a\\u0000":1}', 'the body'],
  ])('%s names what contains them: %s', (text, path) => {
    expect(parseError(text)).toMatchObject({ status: 400, fields: { errors: [{ path, code: 'format' }] } });
  });
});

describe('numbers of a free-form object of a body', () => {
  const parsed = (number: string) => parseJsonTextStrict(`{"metadata":{"n":${number},"l":[${number}]}}`, Agent);
  it.each(['1e300', '-1.5e200', '1e16', '123456789012345e5'])('%s is read', (number) => {
    expect(parsed(number)).toEqual({ metadata: { n: Number(number), l: [Number(number)] } });
  });
  it.each(['9007199254740993', '9007199254740993e0', '1234567890.12345678e10', '1e999', '1e-999'])(
    '%s, which would be changed, is refused with 400',
    (number) => expect(() => parsed(number)).toThrow(expect.objectContaining({ status: 400 })),
  );
  it('1e300 as the value of a field is refused with 400', () => {
    expect(() => parseJsonTextStrict('{"name":1e300}', Agent)).toThrow(expect.objectContaining({ status: 400 }));
  });
});

describe('nesting of a JSON body', () => {
  it.each([
    ['objects', nested],
    ['lists', nestedLists],
  ])('accepts %s nested 64 levels deep, and refuses 65 levels with 400', (_, make) => {
    expect(parseJsonTextStrict(make(maxJsonDepth))).toEqual(JSON.parse(make(maxJsonDepth)));
    expect(parseError(make(maxJsonDepth + 1)).status).toBe(400);
  });

  it.each([40_000, 150_000])('refuses %d levels with 400, without a stack overflow', (depth) => {
    expect(parseError(nested(depth)).status).toBe(400);
    expect(parseError(nestedLists(depth)).status).toBe(400);
    expect(parseError('['.repeat(depth)).status).toBe(400);
  });

  it('does not count brackets within strings', () => {
    expect(parseJsonTextStrict(`{"a":"${'['.repeat(100)}"}`)).toEqual({ a: '['.repeat(100) });
  });
});

describe('field names with escapes', () => {
  it.each(['\\n', '\\"', '\\u0041', '\\/'])('%s is parsed correctly after other names with backslashes', (escape) => {
    const name = JSON.parse(`"${escape}"`) as string;
    // After parsing a name with a backslash, V8 may misread other names (nodejs/node#63785).
    for (let round = 0; round < 50; round++) {
      JSON.parse(`{"h${round}":[],"\\\\":0}`);
      const read = parseJsonTextStrict(
        `{"h${round}": 1, "${escape}" : [true, false, null, -1.5e2, "x\\ty", {}, [], {"a":{"b":[[]]}}]}`,
      );
      expect(Object.keys(read)).toEqual([`h${round}`, name]);
      expect(read[name]).toEqual([true, false, null, -150, 'x\ty', {}, [], { a: { b: [[]] } }]);
    }
  });
});

const name = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('"', '\\', '\n', '/', 'a', 'a"', 'a\\'));
const { safe } = fc.letrec<{ safe: unknown }>((tie) => ({
  safe: fc.oneof(
    { maxDepth: 6 },
    fc.constantFrom(null, true, false),
    fc.string({ unit: 'binary' }),
    fc.maxSafeInteger(),
    fc.double({ noNaN: true, min: -1e15, max: 1e15 }).filter((number) => !Object.is(number, -0)),
    fc.array(tie('safe')),
    fc.dictionary(name, tie('safe')),
  ),
}));

/** The same value as text with white space between the tokens and all characters escaped as \uXXXX where possible. */
const spaced = (value: unknown): string =>
  JSON.stringify(value, null, 1).replace(
    /[^\x20-\x7e\n]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

it('property: parses every valid value, with any white space and escapes', () => {
  fc.assert(
    fc.property(safe, (value) => {
      const text = JSON.stringify({ value });
      fc.pre(!/__proto__|\\u0000|\\ud[89a-f]/.test(text));
      expect(parseJsonTextStrict(text)).toEqual({ value });
      expect(parseJsonTextStrict(spaced({ value }))).toEqual({ value });
    }),
    { numRuns: 500 },
  );
});

it('property: returns the value or a 400 for any bytes, and throws no other error', () => {
  const pieces = fc.constantFrom(
    '{',
    '}',
    '[',
    ']',
    '"',
    ':',
    ',',
    '\\',
    'u0000',
    'a',
    '1',
    '-',
    '.',
    'e5',
    ' ',
    'null',
    '\u00e9',
    '"a":',
  );
  fc.assert(
    fc.property(
      fc.oneof(
        fc.uint8Array(),
        fc.array(pieces).map((parts) => Buffer.from(parts.join(''))),
      ),
      (bytes) => {
        try {
          expect(parseJsonStrict(Buffer.from(bytes))).toEqual(JSON.parse(Buffer.from(bytes).toString()));
        } catch (error) {
          expect((error as AppError).code).toBe('BadRequestError');
        }
      },
    ),
    { numRuns: 2000 },
  );
});

/**
 * Parses ordinary bodies until the parser is optimized, then also a large one; exits with 1 if that took long. Runs in a separate process, because code in Jest
 * is optimized differently.
 */
const reads = `
const { parseJsonStrict } = require(process.argv[1]);
const usual = [{ a: 'x'.repeat(400), b: [1, 2, { c: 'y' }] }, { p: 'word '.repeat(20000) }, { a: '\\n'.repeat(5000) }];
const bodies = usual.map((body) => Buffer.from(JSON.stringify(body)));
const large = Buffer.from(
  process.argv[2] === 'white space' ? '{"a":"b"'.padEnd(1024 * 1024 - 1) + '}' : '{"a":["x"' + ',1'.repeat(500000) + ']}',
);
for (let round = 0; round < 80; round += 1) {
  for (let n = 0; n < 20; n += 1) bodies.forEach((body) => parseJsonStrict(body));
  const before = process.cpuUsage();
  parseJsonStrict(large);
  // Some 10 ms; a search of the whole text for each of its characters takes more than ten seconds.
  if (process.cpuUsage(before).user > 3000000) process.exit(1);
}
`;

it.each(['white space', 'numbers'])(
  'parses a mebibyte of %s in linear time, even after the code was optimized',
  (what) => {
    const built = path.join(__dirname, '../../dist/json/parse-json-strict.js');
    expect(spawnSync(process.execPath, ['-e', reads, built, what], { encoding: 'utf8' })).toMatchObject({
      status: 0,
      stderr: '',
    });
  },
);

describe('names that the class of the body does not have', () => {
  /** A body with so many unknown names; what follows them is no JSON. */
  const body = (count: number, open: string): Buffer =>
    Buffer.from(`${open}${Array.from({ length: count }, (_, nth) => `"n${nth}":0,`).join('')} no JSON`);
  const errorsOf = (bytes: Buffer): readonly { path: string; code: string }[] | undefined => {
    try {
      parseJsonStrict(bytes, Agent);
      return undefined;
    } catch (error) {
      return (error as AppError).fields.errors as readonly { path: string; code: string }[] | undefined;
    }
  };

  it.each([
    ['of the body', '{', 'n0'],
    ['of an object in it', '{"follow_caller":{', 'follow_caller.n0'],
    ['of an item of a list', '{"languages":["en"],"tools":[{"type":"webhook"},{', 'tools[1].n0'],
    ['inside an unknown name', '{"x":[[{', 'x[0][0].n0', 99],
  ])('%s: reading ends with the hundredth one', (_what, open, path, most = 100) => {
    const errors = errorsOf(body(most, open));
    expect(errors).toHaveLength(100);
    expect(errors?.[100 - most]).toEqual({ path, code: 'unknown_field', message: `${path} is not a known field` });
    expect(errorsOf(body(most - 1, open))).toBeUndefined();
  });

  it.each(['{"metadata":{', '{"tools":[{"type":"webhook","parameters":{"properties":{'])(
    'any names are read in the free-form object %s',
    (open) => expect(errorsOf(body(1_000, open))).toBeUndefined(),
  );

  it('an object has at most 10,000 names, of whatever body', () => {
    const names = (count: number) =>
      Buffer.from(JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, nth) => [`n${nth}`, 0]))));
    expect(Object.keys(parseJsonStrict(names(10_000)))).toHaveLength(10_000);
    expect(() => parseJsonStrict(names(10_001))).toThrow(expect.objectContaining({ code: 'BadRequestError' }));
  });
});
