import { limits, routes, type KnowledgeDocumentRecord } from '@parley/contract';
import { newId } from '@parley/runtime';
import { eventually, testSink, type SinkAnswer, type TestSink } from '@parley/testing';
import { processDocument, removeStaleParts } from '../src/documents';
import { KnowledgePlatform, wholeOf, type Customer } from './knowledge-platform';
import { pdfOf } from './pdf-of';

const notFound = { status: 404, code: 'NotFoundError' };
const badRequest = { status: 400, code: 'BadRequestError' };

describe('documents of a knowledge base', () => {
  let platform: KnowledgePlatform;
  let customer: Customer;
  let base: string;
  let sink: TestSink;
  let page: SinkAnswer;

  beforeAll(async () => {
    platform = await KnowledgePlatform.start();
    sink = await testSink(() => page);
  });
  beforeEach(async () => {
    customer = platform.customer();
    base = await customer.base();
  });
  afterAll(async () => {
    await sink?.close();
    await platform?.stop();
  });

  const upload = async (mediaType: string, content: Buffer | string): Promise<KnowledgeDocumentRecord> => {
    const { document_id } = await customer.add(base, { name: 'Uploaded' });
    await customer.put(document_id, mediaType, content);
    await platform.process();
    return customer.document(document_id);
  };
  const imported = async (answer: SinkAnswer): Promise<KnowledgeDocumentRecord> => {
    page = answer;
    const { document_id } = await customer.add(base, { url: `${sink.url}/page` });
    await platform.process();
    return customer.document(document_id);
  };

  it('have the status empty until they get content, then processing, then ready', async () => {
    const made = await customer.add(base, { name: 'Later' });
    expect(made).toEqual({
      document_id: expect.stringMatching(/^doc_[0-9a-z]{26}$/),
      knowledge_base_id: base,
      organization_id: customer.organizationId,
      name: 'Later',
      url: null,
      media_type: null,
      status: 'empty',
      failure: null,
      characters: 0,
      chunks: 0,
      embedded_chunks: 0,
      embedding_failure: null,
      created_at: expect.stringMatching(/Z$/),
      updated_at: made.created_at,
    });
    await platform.process();
    expect(await customer.document(made.document_id)).toEqual(made);
    const put = await customer.put(made.document_id, 'text/plain', 'Marmalade is made of oranges.');
    expect(put).toMatchObject({ status: 'processing', media_type: 'text/plain' });
    await platform.process();
    expect(await customer.document(made.document_id)).toMatchObject({ status: 'ready', characters: 29, chunks: 1 });
    expect(await customer.query(base, 'oranges')).toHaveLength(1);
    const contents = await platform.rows('select 1 from document_contents where organization_id = $1', [
      customer.organizationId,
    ]);
    expect(contents).toEqual([]);
  });

  it('are listed newest first, without their text', async () => {
    const first = await customer.add(base, { name: 'first', text: 'one' });
    const second = await customer.add(base, { name: 'second', text: 'two' });
    const { body } = await customer.ask(routes.listKnowledgeDocuments, { params: { knowledge_base_id: base } });
    expect(body).toEqual({ data: [second, first], next_cursor: null });
  });

  it.each([
    ['text/plain', 'Plain.\n\nOranges are sour.', 'Plain.\nOranges are sour.'],
    [
      'text/markdown',
      '# Fruit #\n\n```\n# no heading\n```\n\nOranges are sour.',
      'Fruit\n# no heading Oranges are sour.',
    ],
    [
      'text/html',
      '<html><head><title>no</title><style>no{}</style></head><body><nav>no</nav><h1>Fruit</h1><p>Oranges <b>are</b>\nsour.<script>no()</script></body>',
      'Fruit\nOranges are sour.',
    ],
  ])('of %s contain only the visible text', async (mediaType, content, text) => {
    expect(await upload(mediaType, content)).toMatchObject({ status: 'ready', media_type: mediaType });
    const [hit] = await customer.query(base, 'oranges');
    expect(hit?.text.replaceAll(/\s+/g, ' ')).toBe(text.replaceAll(/\s+/g, ' '));
  });

  const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1');
  it.each([
    ['iso-8859-1 in meta charset', latin1('<meta charset="iso-8859-1"><p>Frau Müller')],
    [
      'windows-1252 in http-equiv',
      latin1('<META http-equiv=Content-Type content="text/html; charset=windows-1252"><p>Frau Müller'),
    ],
    ['latin1 in an XML declaration', latin1("<?xml version='1.0' encoding='latin1'?><p>Frau Müller")],
    ['an unknown encoding, in UTF-8', Buffer.from('<meta charset="none"><p>Frau Müller')],
    ['UTF-16, in single bytes', Buffer.from('<meta charset="utf-16"><p>Frau Müller')],
    ['UTF-16 by a byte order mark', Buffer.from('\uFEFF<p>Frau Müller', 'utf16le')],
  ])('of text/html are read in the encoding that they declare: %s', async (_what, content) => {
    expect(await upload('text/html', content)).toMatchObject({ status: 'ready', characters: 11 });
    expect((await customer.query(base, 'Frau'))[0]?.text).toBe('Frau Müller');
  });

  it('of text/html are read if they are nested 100,000 deep, with what follows', async () => {
    const deep = `<nav>no${'<div>'.repeat(100_000)}no${'</div>'.repeat(100_000)}</nav><h1>Fruit</h1><p>Oranges are sour.`;
    expect(await upload('text/html', deep)).toMatchObject({ status: 'ready' });
    expect((await customer.query(base, 'oranges'))[0]?.text).toContain('Oranges are sour.');
  });

  it('with a URL are read in the encoding that its server declares', async () => {
    const headers = { 'content-type': 'text/html; Charset="ISO-8859-1"' };
    const document = await imported({
      body: latin1('<meta charset=utf-8><p>Frau Müller'),
      headers,
    });
    expect(document).toMatchObject({ status: 'ready', characters: 11 });
  });

  it('of application/pdf are read page by page', async () => {
    const document = await upload('application/pdf', pdfOf(['Oranges are sour.', 'Lemons are sourer.']));
    expect(document).toMatchObject({ status: 'ready', media_type: 'application/pdf', failure: null });
    expect((await customer.query(base, 'lemons'))[0]?.text).toContain('Lemons are sourer.');
  });

  it.each([
    ['content that is not a PDF', 'application/pdf', 'not a pdf', 'not_readable'],
    ['a PDF without text', 'application/pdf', pdfOf(['']), 'no_text'],
    ['a PDF of 501 pages', 'application/pdf', pdfOf(Array<string>(501).fill('x')), 'too_many_pages'],
    ['bytes that are not UTF-8', 'text/plain', Buffer.from([0xff, 0xfe, 0x41]), 'not_readable'],
    ['a page without text', 'text/html', '<script>alert(1)</script>', 'no_text'],
    ['white space', 'text/markdown', ' \n\n\t', 'no_text'],
    ['a text of two million and one characters', 'text/plain', 'x'.repeat(limits.documentCharacters + 1), 'too_large'],
  ])('with %s have the status failed, a failure code and no chunks', async (_what, mediaType, content, code) => {
    expect(await upload(mediaType, content)).toMatchObject({
      status: 'failed',
      failure: { code, detail: expect.stringMatching(/\w/) },
      characters: 0,
      chunks: 0,
    });
  });

  it('fail if reading them needs too much time or memory, and the next one is processed', async () => {
    const bomb = await upload('application/pdf', pdfOf(['x'], { inflated: 900 * 1024 * 1024 }));
    expect(bomb).toMatchObject({ status: 'failed', failure: { code: 'not_readable' } });
    expect(await upload('text/plain', 'Oranges.')).toMatchObject({ status: 'ready' });
  });

  it('with a URL are downloaded and processed', async () => {
    const document = await imported({
      body: '<h1>Fruit</h1><p>Oranges are sour.',
      headers: { 'content-type': 'text/html; charset=utf-8' },
    });
    expect(document).toMatchObject({
      status: 'ready',
      media_type: 'text/html',
      name: `${sink.url}/page`,
      url: `${sink.url}/page`,
    });
    expect(await customer.query(base, 'oranges')).toHaveLength(1);
  });

  it('with a URL are named by it without its query, also in the audit log, because it may be a secret', async () => {
    const url = `${sink.url}/page?signature=presigned`;
    const made = await customer.add(base, { url });
    expect(made).toMatchObject({ name: `${sink.url}/page`, url });
    await customer.ask(routes.deleteKnowledgeDocument, { params: { document_id: made.document_id } });
    const [audited] = await platform.rows<{ all: string }>(`select string_agg(payload::text, '') as all from outbox`);
    expect(audited?.all).toContain(made.document_id);
    expect(audited?.all).not.toContain('presigned');
  });

  it.each<[string, SinkAnswer, string]>([
    ['a redirect', { status: 302, headers: { location: 'http://127.0.0.1:1/' } }, 'answer_refused'],
    ['404', { status: 404, body: 'no' }, 'answer_refused'],
    ['an image', { body: 'x', headers: { 'content-type': 'image/png' } }, 'media_type'],
    ['no media type', { body: 'x' }, 'media_type'],
    [
      'more bytes than the limit of a document',
      { body: 'x'.repeat(limits.documentBytes + 1), headers: { 'content-type': 'text/plain' } },
      'too_large',
    ],
  ])('with a URL that answers %s fail', async (_what, answer, code) => {
    expect(await imported(answer)).toMatchObject({ status: 'failed', failure: { code } });
  });

  it.each([
    ['both a text and a URL', { name: 'x', text: 'y', url: 'https://example.com' }],
    ['neither text nor URL', {}],
    ['a text without a name', { text: 'y' }],
    ['an invalid URL', { url: 'ftp://example.com' }],
    ['a URL with a password', { url: 'https://a:b@example.com' }],
    ['an unknown field', { name: 'x', content: 'y' }],
  ])('with %s are refused with 400', async (_what, body) => {
    await expect(customer.add(base, body)).rejects.toMatchObject(badRequest);
  });

  it('refuse empty content with 400 and too large content with 413, and keep the previous content', async () => {
    const document = await customer.add(base, { name: 'x', text: 'oranges' });
    await platform.process();
    await expect(customer.put(document.document_id, 'text/plain', '')).rejects.toMatchObject(badRequest);
    await expect(
      customer.put(document.document_id, 'text/plain', Buffer.alloc(limits.documentBytes + 1, 'x')),
    ).rejects.toMatchObject({ status: 413, code: 'PayloadTooLargeError' });
    expect(await customer.document(document.document_id)).toMatchObject({ status: 'ready' });
  });

  it('are refused with 409 above the limit of a base, exactly even under concurrency', async () => {
    await platform.rows(
      `insert into documents (organization_id, document_id, knowledge_base_id, name, status, created_at, updated_at)
       select $1, 'doc_' || $2 || n, $2, 'x', 'empty', now(), now() from generate_series(1, $3::integer) as n`,
      [customer.organizationId, base, limits.documentsOfBase - 1],
    );
    const last = await Promise.allSettled(Array.from({ length: 4 }, (_, n) => customer.add(base, { name: `${n}` })));
    expect(last.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const one of last)
      if (one.status === 'rejected') expect(one.reason).toMatchObject({ status: 409, code: 'ConflictError' });
  });

  it('fail if their base would exceed its limit of chunks', async () => {
    await platform.rows(
      `insert into documents (organization_id, document_id, knowledge_base_id, name, status, chunks, created_at, updated_at)
       values ($1, $2, $3, 'x', 'ready', $4, now(), now())`,
      [customer.organizationId, newId('doc'), base, limits.chunksOfBase - 1],
    );
    expect(await upload('text/plain', 'one')).toMatchObject({ status: 'ready', chunks: 1 });
    expect(await upload('text/plain', 'two')).toMatchObject({ status: 'failed', failure: { code: 'base_full' } });
  });

  it('are found by their previous content while new content is processed, then only by the new one', async () => {
    const { document_id } = await customer.add(base, { name: 'x', text: 'oranges' });
    await platform.process();
    await customer.put(document_id, 'text/plain', 'lemons');
    expect(await customer.query(base, 'oranges')).toHaveLength(1);
    await platform.process();
    expect(await customer.query(base, 'oranges')).toHaveLength(0);
    expect(await customer.query(base, 'lemons')).toHaveLength(1);
  });

  it('of another organization are 404 on every route, like missing ones, and are not changed', async () => {
    const { document_id } = await customer.add(base, { name: 'x', text: 'oranges' });
    const foreign = platform.customer();
    for (const named of [document_id, newId('doc'), 'nonsense']) {
      await expect(foreign.document(named)).rejects.toMatchObject(notFound);
      await expect(foreign.put(named, 'text/plain', 'x')).rejects.toMatchObject(notFound);
      await expect(
        foreign.ask(routes.deleteKnowledgeDocument, { params: { document_id: named } }),
      ).rejects.toMatchObject(notFound);
    }
    await platform.process();
    expect(await customer.query(base, 'oranges')).toHaveLength(1);
  });

  describe('whose content arrives in parts', () => {
    const stored = async (documentId: string): Promise<number> =>
      (await platform.rows('select 1 from document_contents where document_id = $1', [documentId])).length;
    const size = limits.documentPartBytes;

    it('are read whole, with characters that a part cuts, and keep no part afterwards', async () => {
      const text = `${'x'.repeat(size - 1)}ö\n\nOranges are sour.`;
      const { document_id } = await customer.add(base, { name: 'x' });
      await customer.put(document_id, 'text/plain', text);
      expect(await stored(document_id)).toBe(2);
      await platform.process();
      expect(await customer.document(document_id)).toMatchObject({ status: 'ready', characters: text.length - 2 });
      expect((await customer.query(base, 'oranges'))[0]?.text).toContain('Oranges are sour.');
      expect(await stored(document_id)).toBe(0);
      const text2 = `${'ö '.repeat(size)}lemons`;
      const made = await customer.add(base, { name: 'long', text: text2 });
      expect(await stored(made.document_id)).toBe(4);
      await platform.process();
      expect(await customer.document(made.document_id)).toMatchObject({ status: 'ready', characters: text2.length });
    });

    it.each([
      ['a part above 64 KiB', 0, size + 1],
      ['a part above 5 MiB', limits.documentBytes / size, 1],
    ])('refuse %s with 413', async (_what, part, bytes) => {
      const { document_id } = await customer.add(base, { name: 'x' });
      const refused = customer.putPart(document_id, 'upload', part, Buffer.alloc(bytes, 'x'));
      await expect(refused).rejects.toMatchObject({ status: 413, code: 'PayloadTooLargeError' });
      await customer.putPart(document_id, 'upload', limits.documentBytes / size - 1, Buffer.alloc(size, 'x'));
      expect(await stored(document_id)).toBe(1);
    });

    it('refuse an upload of which a part is missing with 409, and keep the previous content and its state', async () => {
      const { document_id } = await customer.add(base, { name: 'x', text: 'oranges' });
      await customer.putPart(document_id, 'torn', 1, Buffer.from('lemons'));
      const before = await customer.document(document_id);
      await expect(customer.putParts(document_id, 'torn', 'text/plain', 2)).rejects.toMatchObject({ status: 409 });
      expect(await customer.document(document_id)).toEqual(before);
      await platform.process();
      expect(await customer.query(base, 'oranges')).toHaveLength(1);
    });

    it('keep an upload that is under way while earlier content is processed, and drop what breaks off', async () => {
      const { document_id } = await customer.add(base, { name: 'x', text: 'oranges' });
      for (const upload of ['next', 'torn']) await customer.putPart(document_id, upload, 0, Buffer.from('lemons'));
      await platform.process();
      expect(await stored(document_id)).toBe(2);
      await customer.dropParts(document_id, 'torn');
      expect(await stored(document_id)).toBe(1);
      await customer.putParts(document_id, 'next', 'text/plain', 1);
      // What was completed is no longer dropped.
      await customer.dropParts(document_id, 'next');
      await platform.process();
      expect(await customer.query(base, 'lemons')).toHaveLength(1);
      expect(await stored(document_id)).toBe(0);
    });

    it('lose parts of dead uploads after 15 minutes, and no content that waits, however long', async () => {
      const { document_id } = await customer.add(base, { name: 'x', text: 'oranges' });
      for (const upload of ['dead', 'slow']) await customer.putPart(document_id, upload, 0, Buffer.from('lemons'));
      const age = `update document_contents set sent_at = now() - make_interval(mins => $2) where document_id = $1 and upload_id <> 'slow'`;
      await platform.rows(age, [document_id, 14]);
      await removeStaleParts(platform.database.db);
      expect(await stored(document_id)).toBe(3);
      await platform.rows(age, [document_id, 15]);
      await removeStaleParts(platform.database.db);
      expect(await stored(document_id)).toBe(2);
      await platform.process();
      expect(await customer.query(base, 'oranges')).toHaveLength(1);
    });

    it('of another organization take no part, and lose none', async () => {
      const { document_id } = await customer.add(base, { name: 'x' });
      await customer.putPart(document_id, 'upload', 0, Buffer.from('lemons'));
      const foreign = platform.customer();
      await expect(foreign.putPart(document_id, 'upload', 1, Buffer.from('x'))).rejects.toMatchObject(notFound);
      await expect(foreign.putParts(document_id, 'upload', 'text/plain', 1)).rejects.toMatchObject(notFound);
      await foreign.dropParts(document_id, 'upload');
      expect(await stored(document_id)).toBe(1);
    });
  });

  describe('are processed', () => {
    const signal = new AbortController().signal;
    const waiting = { status: 'processing' };
    const expire = () =>
      platform.rows(`update documents set claimed_until = now() - interval '1 second' where claim <> ''`);

    it('by one replica at a time, and once each', async () => {
      const documents = [];
      for (let n = 0; n < 6; n += 1) documents.push(await customer.add(base, { name: `${n}`, text: `oranges ${n}` }));
      const begun = platform.settled.length;
      await Promise.all(Array.from({ length: 4 }, () => platform.process()));
      expect(platform.settled.slice(begun)).toEqual(Array<string>(6).fill('ready'));
      expect(await customer.query(base, 'oranges', 20)).toHaveLength(6);
    });

    it('in the reserved slot only for organizations that have none in progress, also if all slots are free at once', async () => {
      let resume = (): void => undefined;
      const frozen = new Promise<void>((resolve) => (resume = resolve));
      const reading: string[] = [];
      const slot = (reserved: boolean) =>
        processDocument(
          platform.processing({
            reserved,
            read: async ({ content }) => {
              reading.push((await wholeOf(content)).toString());
              await frozen;
              return { characters: 7, chunks: ['oranges'] };
            },
          }),
          signal,
        );
      for (const text of ['first', 'second', 'third']) await customer.add(base, { name: text, text });
      // Both slots are free: only one of them takes a document of this organization, whichever comes first.
      const [one, two] = [slot(true), slot(true)];
      expect(await Promise.race([one, two])).toBe(false);
      expect(await slot(true)).toBe(false);
      const other = platform.customer();
      await other.add(await other.base(), { name: 'small', text: 'small' });
      const small = slot(true);
      await eventually(() => (reading.length === 2 ? true : undefined));
      expect(reading).toEqual(['first', 'small']);
      const rest = slot(false);
      await eventually(() => (reading.length === 3 ? true : undefined));
      expect(reading[2]).toBe('second');
      resume();
      expect(await Promise.all([small, rest])).toEqual([true, true]);
      expect((await Promise.all([one, two])).sort()).toEqual([false, true]);
      await platform.process();
    });

    it('by another replica if one stops; a late result of the first is discarded', async () => {
      const { document_id } = await customer.add(base, { name: 'x', text: 'oranges' });
      let resume = (): void => undefined;
      const frozen = new Promise<void>((resolve) => (resume = resolve));
      let read = (): void => undefined;
      const reading = new Promise<void>((resolve) => (read = resolve));
      const late = processDocument(
        platform.processing({
          read: async () => {
            read();
            await frozen;
            return { characters: 4, chunks: ['late'] };
          },
        }),
        signal,
      );
      await reading;
      await platform.process();
      expect(await customer.document(document_id)).toMatchObject(waiting);
      await expire();
      await platform.process();
      const ready = await customer.document(document_id);
      expect(ready).toMatchObject({ status: 'ready' });
      resume();
      await late;
      expect(platform.settled.at(-1)).toBe('lost');
      expect(await customer.document(document_id)).toEqual(ready);
      expect(await customer.query(base, 'late')).toEqual([]);
    });

    it('at most three times if processing crashes, and then fail', async () => {
      const { document_id } = await customer.add(base, { name: 'x', text: 'oranges' });
      for (let n = 0; n < 3; n += 1) {
        const dies = { read: () => Promise.reject(new Error('the process ended here')) };
        await expect(processDocument(platform.processing(dies), signal)).rejects.toThrow();
        expect(await customer.document(document_id)).toMatchObject(waiting);
        await expire();
      }
      await platform.process();
      expect(await customer.document(document_id)).toMatchObject({
        status: 'failed',
        failure: { code: 'processing_failed' },
      });
    });

    it('with the newest content, even if it arrives during processing', async () => {
      const { document_id } = await customer.add(base, { name: 'x', text: 'oranges' });
      await processDocument(
        platform.processing({
          read: async () => {
            await customer.put(document_id, 'text/plain', 'lemons');
            return { characters: 7, chunks: ['oranges'] };
          },
        }),
        signal,
      );
      expect(platform.settled.at(-1)).toBe('lost');
      await platform.process();
      expect(await customer.query(base, 'oranges lemons')).toMatchObject([{ text: 'lemons' }]);
    });

    it('without storing chunks if they are deleted meanwhile', async () => {
      const { document_id } = await customer.add(base, { name: 'x', text: 'oranges' });
      await processDocument(
        platform.processing({
          read: async () => {
            await customer.ask(routes.deleteKnowledgeDocument, { params: { document_id } });
            return { characters: 7, chunks: ['oranges'] };
          },
        }),
        signal,
      );
      await platform.process();
      const left = await platform.rows('select 1 from chunks where document_id = $1', [document_id]);
      expect(left).toEqual([]);
    });

    it('up to three times if the server of the URL is unavailable', async () => {
      page = { status: 503 };
      const { document_id } = await customer.add(base, { url: `${sink.url}/away` });
      const asked = () => sink.requests.filter(({ url }) => url === '/away').length;
      for (let n = 1; n < 3; n += 1) {
        await platform.process();
        expect([asked(), (await customer.document(document_id)).status]).toEqual([n, 'processing']);
        await platform.rows(`update documents set claimed_until = now() - interval '1 second' where document_id = $1`, [
          document_id,
        ]);
      }
      await platform.process();
      expect(asked()).toBe(3);
      expect(await customer.document(document_id)).toMatchObject({
        status: 'failed',
        failure: { code: 'answer_refused' },
      });
    });
  });
});
