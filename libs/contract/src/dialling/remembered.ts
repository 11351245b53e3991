const mostKnown = 10_000;

/** A cache of what is found out about addresses: campaigns call the same numbers repeatedly, and evaluating the metadata takes tens of microseconds per number. */
export function remembered<Found>(find: (address: string, own: string) => Found) {
  const known = new Map<string, Found>();
  return (address: string, own = ''): Found => {
    const key = address.startsWith('+') ? address : `${address} ${own}`;
    const before = known.get(key);
    if (before !== undefined) return before;
    const found = find(address, own);
    if (known.size >= mostKnown) known.clear();
    known.set(key, found);
    return found;
  };
}
