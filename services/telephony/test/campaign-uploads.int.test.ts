import type { AppError } from '@parley/errors';
import { addNumber } from './test-caller';
import { CampaignClient } from './test-campaign';
import { refusal } from './refusal';
import { telephonyUnderTest, type Instance, type UnderTest } from './telephony-under-test';

describe('import of contacts as CSV', () => {
  let under: UnderTest;
  let instance: Instance;
  let client: CampaignClient;

  beforeAll(async () => {
    under = await telephonyUnderTest();
    instance = await under.start();
    const agent = under.fakes.addAgent();
    await addNumber(instance, agent);
    client = new CampaignClient(instance, agent);
  });
  afterAll(() => under.stop());

  const draft = async (): Promise<string> => (await client.create()).campaign_id;

  it('adds valid rows with their variables, and reports the line of each invalid row', async () => {
    const id = await draft();
    const text = [
      '\uFEFFto,consent,name,age:number',
      '+14155550101,yes,"Ann, ""the first""",41',
      'unknown,,Bob,',
      '',
      '+14155550102,perhaps,Cy,',
      '"+14155550103",,"two',
      'lines",7',
      '+14155550104,,Dee,old',
      '+14155550101,,Ann again,',
      '+14155550105,,Eve,1,more',
      '+14155550106',
      '',
    ].join('\r\n');
    const { record } = await client.rows(id, text);
    expect(record).toMatchObject({ status: 'completed', rows: 8, added: 3, duplicates: 1, rejected: 4 });
    expect(record.faults.map(({ line }) => line)).toEqual([3, 5, 8, 10]);
    expect(await client.faults(id, record.import_id)).toEqual(record.faults);
    const contacts = Object.fromEntries((await client.contacts(id)).map((each) => [each.to, each]));
    expect(contacts['+14155550101']).toMatchObject({ consent: true, variables: { name: 'Ann, "the first"', age: 41 } });
    expect(contacts['+14155550103']).toMatchObject({ consent: false, variables: { name: 'two\r\nlines', age: 7 } });
    expect(contacts['+14155550106']).toMatchObject({ variables: {} });
    expect((await client.get(id)).statistics).toMatchObject({ contacts: 3, pending: 3 });
  });

  it.each([
    ['of an old Macintosh', 'to,name\r+15005550006,Ann\r+15005550007,Bob\r', ',', ['Ann', 'Bob']],
    ['of a European spreadsheet', 'to;name\r\n+15005550006;"Müller; Söhne"\r\n;;\r\n', ';', ['Müller; Söhne']],
    ['with tabs and a line for the delimiter', 'sep=\t\nPhone\tname\t\n+15005550006\tAnn\t\n', '\t', ['Ann']],
  ])('reads a file %s', async (_what, text, delimiter, names) => {
    const id = await draft();
    const { record } = await client.rows(id, text, { delimiter });
    expect(record).toMatchObject({ status: 'completed', rows: names.length, added: names.length, faults: [] });
    const contacts = await client.contacts(id);
    expect(contacts.map(({ variables }) => variables['name']).sort()).toEqual(names);
  });

  it('keeps the time zone of a contact, and refuses one that does not exist', async () => {
    const id = await draft();
    const { record } = await client.rows(
      id,
      'to,Time zone\n+15005550006,Europe/Berlin\n+15005550007,Berlin\n+15005550008,\n',
    );
    expect(record).toMatchObject({ added: 2, rejected: 1 });
    expect((await client.contacts(id)).map(({ to, time_zone: zone }) => [to, zone]).sort()).toEqual([
      ['+15005550006', 'Europe/Berlin'],
      ['+15005550008', null],
    ]);
  });

  it('refuses an upload as soon as more than 10,000 of its rows are invalid, with the first faults and the rows read; earlier chunks remain', async () => {
    const id = await draft();
    const most = await client.rows(id, `to\n+14155550101\n${'x\n'.repeat(10_000)}`, { last: false });
    expect(most.record).toMatchObject({ rows: 10_001, added: 1, rejected: 10_000 });
    const next = { importId: most.importId, piece: 2, firstLine: 10_003 };
    const error = await client.rows(id, '+14155550102\n5\n+14155550103\n', next).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ status: 400, code: 'BadRequestError', message: expect.stringContaining('10003') });
    const { errors } = (error as AppError).fields as { errors: { path: string }[] };
    expect(errors.map(({ path }) => path)).toEqual(Array.from({ length: 100 }, (_, n) => `lines[${n + 3}]`));
    expect((await client.get(id)).statistics).toMatchObject({ contacts: 1 });
    const within = await client.rows(id, '+14155550102\n', { ...next, last: true });
    expect(within.record).toMatchObject({ status: 'completed', added: 2 });
  });

  it('a stray quote invalidates only its own row', async () => {
    const id = await draft();
    const { record } = await client.rows(id, 'to,name\n+14155550101,a"b\n+14155550102,c\n');
    expect(record).toMatchObject({ added: 1, rejected: 1 });
    expect(record.faults[0]?.line).toBe(2);
  });

  it.each([
    ['no header', ''],
    ['a header without a number', 'name\nAnn\n'],
    ['a header without rows', 'to,name\n'],
    ['a header and empty cells', 'to,name\n,\n\n'],
    ['a header that is not valid CSV', 'to"x\nto\n+14155550101\n'],
  ])('rejects %s with 400 and adds no contact', async (_what, text) => {
    const id = await draft();
    expect(await refusal(client.rows(id, text))).toEqual([400, 'BadRequestError']);
    expect((await client.get(id)).statistics.contacts).toBe(0);
  });

  it('imports in chunks: sums the counts, continues line numbers, ignores a repeated chunk, rejects a gap with 409', async () => {
    const id = await draft();
    const first = await client.rows(id, 'to\n+14155550101\nx\n', { last: false });
    const { importId } = first;
    expect(first.record).toMatchObject({ status: 'running', rows: 2, added: 1, rejected: 1 });
    const second = { importId, piece: 2, firstLine: 4, last: false };
    await client.rows(id, '+14155550102\ny\n', second);
    await client.rows(id, '+14155550102\ny\n', second);
    const skipping = { importId, piece: 4, firstLine: 6, last: true };
    expect(await refusal(client.rows(id, '+14155550103\n', skipping))).toEqual([409, 'ConflictError']);
    const { record } = await client.rows(id, '', { importId, piece: 3, firstLine: 6, last: true });
    expect(record).toMatchObject({ status: 'completed', rows: 4, added: 2, rejected: 2 });
    expect(record.faults.map(({ line }) => line)).toEqual([3, 5]);
  });

  it('repeating an interrupted upload adds no contact twice; with the same key the stored response is returned', async () => {
    const id = await draft();
    const text = 'to\n+14155550101\n+14155550102\n';
    await client.rows(id, text, { last: false });
    const again = await client.rows(id, text, { key: 'u1' });
    expect(again.record).toMatchObject({ added: 0, duplicates: 2 });
    const replayed = await client.rows(id, text, { key: 'u1' });
    expect([replayed.replayed, replayed.record.import_id]).toEqual([true, again.record.import_id]);
    expect((await client.get(id)).statistics.contacts).toBe(2);
    expect(await refusal(client.rows(id, text, { key: 'u1', whole: 'other' }))).toEqual([409, 'ConflictError']);
  });

  it('repeating an upload in chunks with the same key but other content gets 409', async () => {
    const id = await draft();
    const head = 'to\n+14155550101\n';
    const { importId } = await client.rows(id, head, { key: 'u2', last: false });
    const { record } = await client.rows(id, '+14155550102\n', { key: 'u2', importId, piece: 2, firstLine: 3 });
    const replay = (whole: string) =>
      client
        .rows(id, head, { key: 'u2', last: false })
        .then(({ replayed }) => client.rows(id, '', { key: 'u2', piece: replayed ? 2 : 0, whole }));
    const replayed = await replay('whole');
    expect([replayed.replayed, replayed.record.import_id]).toEqual([true, record.import_id]);
    expect(await refusal(replay('other'))).toEqual([409, 'ConflictError']);
    expect((await client.get(id)).statistics.contacts).toBe(2);
  });

  it('a canceled campaign rejects contacts with 409', async () => {
    const id = await draft();
    await client.cancel(id);
    expect(await refusal(client.rows(id, 'to\n+14155550101\n'))).toEqual([409, 'ConflictError']);
  });
});
