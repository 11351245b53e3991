import type { Block } from './chunks.rules';

/** Elements that contain no visible text. */
const unseen = new Set(['script', 'style', 'noscript', 'template', 'svg', 'head', 'nav', 'iframe', 'object', 'select']);
/** Inline elements. All other elements end a paragraph. */
const inline = new Set(
  'a abbr b bdi bdo cite code data dfn em font i img input ins kbd label mark q s samp small span strong sub sup time u var wbr'.split(
    ' ',
  ),
);

/** How many open elements are remembered: the parser needs a time that grows with the square of their number. */
const deepest = 512;

/** Returns the visible headings and paragraphs of a page. Scripts are not executed. */
export async function blocksOfHtml(html: string): Promise<Block[]> {
  const { Parser } = await import('htmlparser2');
  const blocks: Block[] = [];
  let text = '';
  let level = 0;
  let hidden = 0;
  const close = (): void => {
    const joined = text.replaceAll(/\s+/g, ' ').trim();
    if (joined !== '') blocks.push({ level, text: joined });
    text = '';
  };
  const parser = new Parser({
    onopentag(name) {
      if (unseen.has(name)) hidden += 1;
      // The innermost come first; the end of a forgotten one is ignored.
      for (const forgotten of open.splice(deepest)) if (unseen.has(forgotten)) hidden -= 1;
      if (inline.has(name)) return;
      if (name === 'td' || name === 'th') text += ' ';
      else close();
      level = Number(/^h([1-6])$/.exec(name)?.[1] ?? level);
    },
    ontext(data) {
      if (hidden === 0) text += data;
    },
    onclosetag(name) {
      if (unseen.has(name)) hidden -= 1;
      if (inline.has(name)) return;
      if (name === 'td' || name === 'th') text += ' ';
      else close();
      if (/^h[1-6]$/.test(name)) level = 0;
    },
  });
  // Not part of the parser's types; a test reads a deep page.
  const open = Reflect.get(parser, 'stack') as string[];
  parser.end(html);
  close();
  return blocks;
}
