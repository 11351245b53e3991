/**
 * The rules of the interface, each under the id by which titles of tests name it: every row of its tables, every numbered rule, and the
 * statements beside them that a program can break. The words only remind; the interface is what counts.
 */
import { resources } from './rules-of-resources.mts';
import { tuning } from './rules-of-tuning.mts';
import { service } from './rules-of-service.mts';
import type { Section } from './section.mts';

/** In the order of the interface: 2.6 before 2.10. */
export const sections: readonly Section[] = [...resources, ...tuning, ...service].sort((one, other) =>
  numberOf(one).localeCompare(numberOf(other), 'en', { numeric: true }),
);

function numberOf({ title }: Section): string {
  return title.slice(0, title.indexOf(' '));
}
