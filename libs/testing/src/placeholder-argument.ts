/**
 * A value that does for any: each property of it is one more, each call answers one, as a list it is empty, as text and as a
 * number it is something. For running code whose values do not matter, such as the functions that put statements together.
 */
export const placeholderArgument: unknown = new Proxy(() => undefined, {
  get(_target, name) {
    switch (name) {
      case Symbol.toPrimitive:
        return (hint: string) => (hint === 'string' ? 'x' : 1);
      case Symbol.iterator:
        return () => [][Symbol.iterator]();
      case 'map':
      case 'flatMap':
      case 'filter':
        return () => [];
      case 'then':
        return undefined;
      case 'toJSON':
        return () => 'x';
      case 'length':
      case 'size':
        return 1;
      default:
        return placeholderArgument;
    }
  },
  apply: () => placeholderArgument,
  has: () => true,
});
