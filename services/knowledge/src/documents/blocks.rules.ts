import type { Block } from './chunks.rules';

/** Divides plain text into paragraphs, which are separated by empty lines. */
export const blocksOfPlainText = (text: string): Block[] =>
  text
    .split(/\r?\n[ \t]*(?:\r?\n)+/)
    .map((paragraph) => ({ level: 0, text: paragraph.trim() }))
    .filter(({ text: paragraph }) => paragraph !== '');

/** The same for Markdown, with headings: lines that begin with one to six `#`. Fenced code is a single paragraph. */
export function blocksOfMarkdown(text: string): Block[] {
  const blocks: Block[] = [];
  let paragraph: string[] = [];
  let fence: string | undefined;
  const close = (): void => {
    const joined = paragraph.join('\n').trim();
    if (joined !== '') blocks.push({ level: 0, text: joined });
    paragraph = [];
  };
  for (const line of text.split(/\r?\n/)) {
    const marks = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (fence !== undefined) {
      if (marks?.startsWith(fence) === true) {
        fence = undefined;
        close();
      } else paragraph.push(line);
      continue;
    }
    if (marks !== undefined) {
      close();
      fence = marks;
      continue;
    }
    const heading = /^ {0,3}(#{1,6})[ \t]/.exec(line);
    if (heading !== null) {
      close();
      const [marked, level = ''] = heading;
      const title = titleOf(line.slice(marked.length));
      if (title !== '') blocks.push({ level: level.length, text: title });
    } else if (line.trim() === '') close();
    else paragraph.push(line);
  }
  close();
  return blocks;
}

/** The text of a heading without the `#` that may end it. Not a regular expression: in a long run of spaces one would take a time that grows quadratically. */
function titleOf(text: string): string {
  const title = text.trim();
  let end = title.length;
  while (title[end - 1] === '#') end -= 1;
  if (end === 0) return '';
  return title[end - 1] === ' ' || title[end - 1] === '\t' ? title.slice(0, end).trimEnd() : title;
}
