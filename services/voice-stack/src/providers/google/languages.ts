import { list } from '../languages';

export const googleChirp = list(
  'ar bg bn ca cs da de el en es et fa fi fil fr gu he hi hr hu id it ja kn ko lt lv ml mr nb nl pa pl pt ro ru sk sl sr sv sw ta te th tr uk ur vi zh',
);

/** Its voices speak other languages than its transcriber hears. */
export const googleChirp3Hd = list(
  'ar bn da nl en fi fr de gu hi id it ja kn ko ml zh mr nb no pl pt ru es sw sv ta te th tr uk ur vi',
);
