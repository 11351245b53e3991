/** The quality value of a media type, from 0 to 1, by the most specific matching range of the Accept header (RFC 9110 section 12.5.1). */
function qualityOf(accept: string, type: string): number {
  const closeness = [type, `${type.split('/')[0] ?? ''}/*`, '*/*'];
  const ranges = new Map(
    accept.split(',').map((range) => {
      const [name = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
      const quality = Number(parameters.find((one) => one.startsWith('q='))?.slice(2) ?? 1);
      return [name, quality];
    }),
  );
  return closeness.map((name) => ranges.get(name)).find((quality) => quality !== undefined) ?? 0;
}

/** Whether a client prefers JSON to a route's own media type. */
export const prefersJson = (accept: string | undefined, media: string): boolean =>
  accept !== undefined && qualityOf(accept, 'application/json') > qualityOf(accept, media);
