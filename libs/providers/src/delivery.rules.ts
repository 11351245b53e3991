/**
 * The controls of a voice that a delivery sets, as adapters take them. By the form of the value that the catalogue resolves it to: a factor of the pace, an
 * instruction, or settings of the voice.
 * @param value null or undefined: the voice exposes no control, or none was chosen
 */
export function deliveryControls(
  value: number | string | Readonly<Record<string, unknown>> | null | undefined,
): Readonly<Record<string, unknown>> {
  if (typeof value === 'number') return { speed: value };
  if (typeof value === 'string') return { instruction: value };
  return value ?? {};
}
