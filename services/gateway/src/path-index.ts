import type { PathEntry } from './route-table';

/** A declared path that a request's path fits, with the values of its parameters, decoded. */
export interface FoundPath {
  readonly entry: PathEntry;
  readonly params: Readonly<Record<string, string>>;
}

interface Node {
  readonly fixed: Map<string, Node>;
  /** The segment may be anything but empty. */
  any?: Node;
  end?: { readonly entry: PathEntry; readonly names: readonly string[] };
}

const parameter = /^\{(\w+)\}$/;

/**
 * Finds the declared path of a request by its segments, in one walk whatever the number of routes: case and trailing slash
 * count, a fixed segment goes before a parameter.
 */
export class PathIndex {
  private readonly root: Node = { fixed: new Map() };

  constructor(table: readonly PathEntry[]) {
    for (const entry of table) this.add(entry);
  }

  /** Undefined for a path that no route has, one whose escapes cannot be decoded included. */
  find(path: string): FoundPath | undefined {
    const values: string[] = [];
    const end = walk(this.root, path.split('/'), 0, values);
    if (end === undefined) return undefined;
    const params: Record<string, string> = {};
    for (const [place, name] of end.names.entries()) {
      const value = decoded(values[place] ?? '');
      if (value === undefined) return undefined;
      params[name] = value;
    }
    return { entry: end.entry, params };
  }

  private add(entry: PathEntry): void {
    const names: string[] = [];
    let node = this.root;
    for (const segment of entry.path.split('/')) {
      const name = parameter.exec(segment)?.[1];
      if (name !== undefined) names.push(name);
      node = name === undefined ? child(node.fixed, segment) : (node.any ??= { fixed: new Map() });
    }
    node.end = { entry, names };
  }
}

function child(nodes: Map<string, Node>, segment: string): Node {
  let node = nodes.get(segment);
  if (node === undefined) nodes.set(segment, (node = { fixed: new Map() }));
  return node;
}

function walk(node: Node, segments: readonly string[], place: number, values: string[]): Node['end'] {
  if (place === segments.length) return node.end;
  const segment = segments[place] ?? '';
  const fixed = node.fixed.get(segment);
  const found = fixed && walk(fixed, segments, place + 1, values);
  if (found !== undefined || node.any === undefined || segment === '') return found;
  values.push(segment);
  const end = walk(node.any, segments, place + 1, values);
  if (end === undefined) values.pop();
  return end;
}

function decoded(segment: string): string | undefined {
  if (!segment.includes('%')) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}
