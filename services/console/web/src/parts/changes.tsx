import type { PublicationChange } from '@parley/sdk';

const shown = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value, null, 2));

/** The differences by path. Texts are rendered as text, never as markup. */
export function Changes({ changes }: { readonly changes: readonly PublicationChange[] }) {
  return (
    <ul className="changes">
      {changes.map(({ change, path, before, after }) => (
        <li key={path} data-change={change}>
          <code>{path.slice(1).replaceAll('/', ' › ')}</code>
          {before !== undefined && <del>{shown(before)}</del>}
          {after !== undefined && <ins>{shown(after)}</ins>}
        </li>
      ))}
    </ul>
  );
}
