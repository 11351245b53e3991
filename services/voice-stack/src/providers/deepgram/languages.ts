import { list } from '../languages';

export const deepgramNova3 = list(
  'af ar be bn bs bg ca zh zh-HK hr cs da nl en et fi nl-BE fr gl de el gu he hi hu id it ja kn ko lv lt mk ms mr no fa pl pt ro ru sr sk sl es sv tl ta te th tr uk vi xh zu',
);

export const deepgramAura2 = list('en es de fr nl it ja');

/** Those that `multi` tells apart within one connection. */
export const deepgramNova3Multilingual = list('en es fr de hi ru pt ja it nl');
