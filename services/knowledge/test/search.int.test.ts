import { routes } from '@parley/contract';
import { KnowledgePlatform, type Customer } from './knowledge-platform';

describe('search queries', () => {
  let platform: KnowledgePlatform;
  let customer: Customer;

  beforeAll(async () => void (platform = await KnowledgePlatform.start()));
  beforeEach(() => void (customer = platform.customer()));
  afterAll(() => platform?.stop());

  it('find the matching chunk with its document, headings and position', async () => {
    const base = await customer.base();
    const hours = await customer.add(base, {
      name: 'Opening hours',
      text: '# Shop\n\n## Weekdays\n\nWe are open from nine to five.\n\n## Sundays\n\nWe are closed on Sundays and holidays.',
    });
    await customer.add(base, { name: 'Returns', text: 'Goods are returned within thirty days.' });
    await platform.process();
    const [best] = await customer.query(base, 'Are you closed on a holiday?');
    expect(best).toEqual({
      knowledge_base_id: base,
      document_id: hours.document_id,
      document_name: 'Opening hours',
      position: 1,
      text: 'Shop > Sundays\nWe are closed on Sundays and holidays.',
      score: expect.any(Number),
    });
    expect(await customer.query(base, 'Which planets have rings?')).toEqual([]);
    // Only stop words, or no words.
    expect(await customer.query(base, 'the of and')).toEqual([]);
    expect(await customer.query(base, '!? …')).toEqual([]);
  });

  it('rank chunks with rare words above those with common words', async () => {
    const base = await customer.base();
    for (let n = 0; n < 10; n += 1)
      await customer.add(base, { name: `common ${n}`, text: 'The delivery of your order takes a delivery day.' });
    const rare = await customer.add(base, { name: 'rare', text: 'The delivery of a piano takes two weeks.' });
    await platform.process();
    const found = await customer.query(base, 'delivery of a piano', 3);
    expect(found.map((one) => one.document_id)).toEqual([rare.document_id, expect.any(String), expect.any(String)]);
    expect(found.map((one) => one.score)).toEqual([...found.map((one) => one.score)].sort((a, b) => b - a));
  });

  it.each([
    ['de', 'Die Lieferungen dauern drei Tage.', 'Wie lange dauert eine Lieferung?'],
    ['fr-CA', 'Les livraisons durent trois jours.', 'Combien dure la livraison ?'],
    ['en', 'Deliveries take three days.', 'How long does a delivery take?'],
  ])('use stemming for the language %s of the base', async (language, text, question) => {
    const base = await customer.base({ language });
    await customer.add(base, { name: 'Delivery', text });
    await platform.process();
    expect(await customer.query(base, question)).toHaveLength(1);
  });

  it('match exact words in a language without stemming in PostgreSQL', async () => {
    const base = await customer.base({ language: 'sw' });
    await customer.add(base, { name: 'Duka', text: 'Duka limefungwa Jumapili.' });
    await platform.process();
    expect(await customer.query(base, 'Jumapili')).toHaveLength(1);
    expect(await customer.query(base, 'Jumapil')).toHaveLength(0);
  });

  it('search several bases, but only those of the organization', async () => {
    const [one, two] = [await customer.base(), await customer.base({ language: 'de' })];
    const foreign = platform.customer();
    const theirs = await foreign.base();
    await customer.add(one, { name: 'one', text: 'The secret word is marmalade.' });
    await customer.add(two, { name: 'two', text: 'Das Wort ist marmalade.' });
    await foreign.add(theirs, { name: 'theirs', text: 'Their word is marmalade.' });
    await platform.process();
    const names = async (who: Customer, ids: string[]) =>
      (await who.askAll(ids, 'marmalade')).map((hit) => hit.document_name).sort();
    expect(await names(customer, [one, two, theirs])).toEqual(['one', 'two']);
    expect(await names(foreign, [one, two, theirs])).toEqual(['theirs']);
    expect(await names(customer, [theirs])).toEqual([]);
  });

  it.each([
    ['quotes', `marmalade' or 1=1 --`],
    ['operators of full-text search', 'marmalade & !jam | (x) <-> y:*'],
    ['a wildcard', '%'],
    ['a backslash', '\\'],
  ])('with %s are treated as plain words', async (_what, text) => {
    const base = await customer.base();
    const foreign = platform.customer();
    const theirs = await foreign.base();
    await foreign.add(theirs, { name: 'theirs', text: 'marmalade jam x y' });
    await platform.process();
    expect(await customer.query(base, text)).toEqual([]);
  });

  it.each([
    ['no text', {}],
    ['an empty text', { text: '' }],
    ['a text of 1,001 characters', { text: 'x'.repeat(1001) }],
    ['limit 0', { text: 'x', limit: 0 }],
    ['limit 21', { text: 'x', limit: 21 }],
    ['an unknown field', { text: 'x', top: 3 }],
  ])('are refused with 400 if they have %s', async (_what, body) => {
    const params = { knowledge_base_id: await customer.base() };
    await expect(customer.ask(routes.queryKnowledgeBase, { params, body })).rejects.toMatchObject({
      status: 400,
      code: 'BadRequestError',
    });
  });

  it('find nothing of a deleted document or base, even before its chunks are removed', async () => {
    const base = await customer.base();
    const document = await customer.add(base, { name: 'a', text: 'marmalade' });
    await customer.add(base, { name: 'b', text: 'marmalade too' });
    await platform.process();
    await customer.ask(routes.deleteKnowledgeDocument, { params: { document_id: document.document_id } });
    expect((await customer.query(base, 'marmalade')).map((hit) => hit.document_name)).toEqual(['b']);
    await platform.process();
    const kept = async () =>
      (
        await platform.rows<{ count: string }>(
          `select (select count(*) from chunks where organization_id = $1) + (select count(*) from postings where organization_id = $1)
           + (select count(*) from document_contents where organization_id = $1) as count`,
          [customer.organizationId],
        )
      ).map(({ count }) => Number(count));
    expect(await kept()).toEqual([2]);
    await customer.ask(routes.deleteKnowledgeBase, { params: { knowledge_base_id: base } });
    expect(await customer.askAll([base], 'marmalade')).toEqual([]);
    await platform.process();
    expect(await kept()).toEqual([0]);
  });
});
