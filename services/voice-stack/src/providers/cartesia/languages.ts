import { list } from '../languages';

/** The eight that its older generation still speaks. */
export const cartesiaSonic2 = list('en fr de es pt zh ja ko');

export const cartesiaSonic3 = list(
  'en de es fr ja pt zh hi ko it nl pl ru sv tr tl bg ro ar cs el fi hr ms sk da ta uk hu no vi bn th he ka id te gu kn ml mr pa',
);
