import { list } from '../languages';

export const elevenMultilingualV2 = list(
  'en ja zh de hi fr ko pt it es id nl tr fil pl sv bg ro ar cs el fi hr ms sk da ta uk ru',
);

export const elevenFlashV25: readonly string[] = [...elevenMultilingualV2, 'hu', 'no', 'vi'];

export const elevenScribe = list(
  'af am ar hy as az be bn bs bg my zh hr cs da nl en et fil fi fr gl ka de el gu ha he hi hu is id it ja jv kn kk ko lv lt mk ms ml mt mr mn ne no fa pl pt pa ro ru sr sk sl es sw sv ta te th tr uk ur uz vi cy zu',
);
