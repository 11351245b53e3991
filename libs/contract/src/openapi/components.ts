/** Collects components that several operations share, so that the document contains each of them once under a name. */
export class SharedComponents<T extends object> {
  readonly #named = new Map<string, T>();
  readonly #names = new Map<string, string>();

  constructor(private readonly kind: 'parameters' | 'responses') {}

  /** Returns a reference to the component. If the name is already used for other content, a number is appended to it. */
  add(name: string, component: T): { readonly $ref: string } {
    const content = JSON.stringify(component);
    let known = this.#names.get(content);
    if (known === undefined) {
      known = name;
      for (let count = 2; this.#named.has(known); count++) known = `${name}${count}`;
      this.#named.set(known, component);
      this.#names.set(content, known);
    }
    return { $ref: `#/components/${this.kind}/${known}` };
  }

  all(): Record<string, T> {
    return Object.fromEntries(this.#named);
  }
}
