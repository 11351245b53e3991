import { createHash } from 'node:crypto';

interface Node {
  readonly properties: Record<string, unknown>;
}

/** The colors of code as classes of one style sheet: the policy of the site allows no style attributes. */
export function codeStyles() {
  const rules = new Map<string, string>();
  const moveToClass = ({ properties }: Node): void => {
    const { style } = properties;
    if (typeof style !== 'string') return;
    const name = `c-${createHash('sha256').update(style).digest('hex').slice(0, 8)}`;
    rules.set(name, style);
    delete properties.style;
    const held = properties.class;
    properties.class = [typeof held === 'string' ? held : '', name].join(' ').trim();
  };
  return {
    transformer: { name: 'style-to-class', pre: moveToClass, span: moveToClass },
    sheet: (): string => [...rules].map(([name, style]) => `.${name}{${style}}\n`).join(''),
  };
}
