/**
 * Language lists of the providers. Held against their public documentation in November 2026: Deepgram Nova-3, AssemblyAI
 * streaming, ElevenLabs Multilingual v2 and Flash v2.5, Google Chirp 3 HD. The others are estimates: what is missing there
 * blocks a publication until the list is mended, what is too much fails at the provider.
 */
const list = (codes: string): readonly string[] => codes.split(' ');

/** The 40 languages that the simulator hears and speaks. */
export const simulatorLanguages = list(
  'ar bg bn ca cs da de el en es et fa fi fr he hi hr hu id it ja ko lt lv ms nl no pl pt ro ru sk sl sr sv th tr uk vi zh',
);

/** A small set for a voice whose languages fit every candidate limit. */
export const simulatorEuropean = list('de en es fr it nl pl pt ru sv');

export const englishOnly = list('en');

export const deepgramNova3 = list(
  'af ar be bn bs bg ca zh zh-HK hr cs da nl en et fi nl-BE fr gl de el gu he hi hu id it ja kn ko lv lt mk ms mr no fa pl pt ro ru sr sk sl es sv tl ta te th tr uk vi xh zu',
);
export const deepgramAura2 = list('en es de fr nl it ja');
export const assemblyMultilingual = list('en es fr de it pt');
export const openaiSpeech = list(
  'af ar hy az be bs bg ca zh hr cs da nl en et fi fr gl de el he hi hu is id it ja kn kk ko lv lt mk ms mr mi ne no fa pl pt ro ru sr sk sl es sw sv tl ta th tr uk ur vi cy',
);
export const elevenMultilingualV2 = list(
  'en ja zh de hi fr ko pt it es id nl tr fil pl sv bg ro ar cs el fi hr ms sk da ta uk ru',
);
export const elevenFlashV25: readonly string[] = [...elevenMultilingualV2, 'hu', 'no', 'vi'];
export const elevenScribe = list(
  'af am ar hy as az be bn bs bg my zh hr cs da nl en et fil fi fr gl ka de el gu ha he hi hu is id it ja jv kn kk ko lv lt mk ms ml mt mr mn ne no fa pl pt pa ro ru sr sk sl es sw sv ta te th tr uk ur uz vi cy zu',
);
/** The eight that its older generation still speaks. */
export const cartesiaSonic2 = list('en fr de es pt zh ja ko');
export const cartesiaSonic3 = list(
  'en de es fr ja pt zh hi ko it nl pl ru sv tr tl bg ro ar cs el fi hr ms sk da ta uk hu no vi bn th he ka id te gu kn ml mr pa',
);
export const azureSpeech = list(
  'af am ar az bg bn bs ca cs cy da de el en es et eu fa fi fil fr ga gl gu he hi hr hu hy id is it ja jv ka kk km kn ko lo lt lv mk ml mn mr ms mt my nb ne nl pa pl ps pt ro ru si sk sl so sq sr sv sw ta te th tr uk ur uz vi wuu yue zh zu',
);
export const googleChirp = list(
  'ar bg bn ca cs da de el en es et fa fi fil fr gu he hi hr hu id it ja kn ko lt lv ml mr nb nl pa pl pt ro ru sk sl sr sv sw ta te th tr uk ur vi zh',
);

/** Its voices speak other languages than its transcriber hears. */
export const googleChirp3Hd = list(
  'ar bn da nl en fi fr de gu hi id it ja kn ko ml zh mr nb no pl pt ru es sw sv ta te th tr uk ur vi',
);
