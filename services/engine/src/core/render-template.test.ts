import { renderTemplate } from './render-template';

describe('renderTemplate', () => {
  it('inserts texts, numbers and booleans, and an empty text for anything else', () => {
    const values = { name: 'Ann', count: 3, sure: false, none: null, list: [1] };
    expect(renderTemplate('{{name}} {{ count }} {{sure}} {{none}}{{list}}{{toString}}{{other}}.', values)).toBe(
      'Ann 3 false .',
    );
  });

  it('inserts at most 200,000 characters of values, and keeps the complete template', () => {
    const template = `${'{{long}}'.repeat(10_000)} The end, {{name}}.`;
    const text = renderTemplate(template, { long: 'x'.repeat(60_000), name: 'Ann' });
    expect(text).toBe(`${'x'.repeat(180_000)} The end, .`);
  });
});
